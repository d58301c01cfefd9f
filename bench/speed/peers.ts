// The Python peers: one process with scikit-learn and FAISS on one thread, asked line by line, so that
// both sides are measured alternately in one run.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

type Answer = Record<string, unknown>;

/** Seconds a detector took, and what it said. */
export interface DetectorRun {
  readonly fit: number;
  readonly score: number;
  readonly trainScores: Float64Array;
  readonly newScores: Float64Array;
}

export interface Peers {
  readonly versions: string;
  /** Hands data over under a name. */
  load(name: string, data: Float32Array | Float64Array, rows: number, columns: number): Promise<void>;
  /** Seconds, by the clock or of the processor, of a whole self-join, and the neighbours it found (k a row). */
  knn(
    peer: 'sklearn' | 'sklearn tree' | 'faiss' | 'hnsw',
    data: string,
    k: number,
    processor?: boolean,
  ): Promise<{ seconds: number; indices: Int32Array }>;
  /** A detector of peers.py, fitted to one loaded array and asked about another. */
  detector(detector: string, options: Answer, train: string, fresh: string): Promise<DetectorRun>;
  ask(request: Answer): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts the peers; says what to install and gives undefined where Python lacks them. */
export async function startPeers(): Promise<Peers | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'curvad-bench-'));
  const python = spawn('python3', ['bench/speed/peers.py'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = new Promise<undefined>((resolve) => python.once('error', () => resolve(undefined)));
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Answer | undefined> => {
    const line = await Promise.race([lines.next(), failed]);
    return line === undefined || line.done ? undefined : (JSON.parse(line.value) as Answer);
  };
  const hello = await next();
  if (hello?.['ready'] !== true) {
    console.log('No comparison with peers: this needs python3 with `pip install scikit-learn faiss-cpu`.\n');
    return undefined;
  }
  const ask = async (request: Answer): Promise<Answer> => {
    python.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = await next();
    if (answer === undefined || answer['error'] !== undefined) throw new Error(`peer: ${answer?.['error'] ?? 'gone'}`);
    return answer;
  };
  return {
    versions: Object.entries(hello['versions'] as Record<string, string>)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    ask,
    async load(name, data, rows, columns) {
      const dtype = data instanceof Float32Array ? 'float32' : 'float64';
      const path = join(folder, `${name}.${dtype}`);
      writeFileSync(path, data);
      await ask({ op: 'load', name, path, dtype, rows, columns });
    },
    async knn(peer, data, k, processor = false) {
      const path = join(folder, 'indices');
      const { seconds } = await ask({ op: 'knn', peer, data, k, processor, indices: path });
      return { seconds: seconds as number, indices: new Int32Array(contentOf(path)) };
    },
    async detector(detector, options, train, fresh) {
      const [trainScores, newScores] = [join(folder, 'train-scores'), join(folder, 'new-scores')] as const;
      const answer = await ask({ op: 'detector', detector, options, train, new: fresh, trainScores, newScores });
      return {
        fit: answer['fit'] as number,
        score: answer['score'] as number,
        trainScores: new Float64Array(contentOf(trainScores)),
        newScores: new Float64Array(contentOf(newScores)),
      };
    },
    async close() {
      await ask({ op: 'quit' });
      rmSync(folder, { recursive: true });
    },
  };
}

function contentOf(path: string): ArrayBuffer {
  return new Uint8Array(readFileSync(path)).buffer;
}
