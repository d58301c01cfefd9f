// Plays a stream: the next rows are scored when the page asks for them, and the time that takes is measured.
import { CAD, KNN, LandmarkCAD, LOF } from 'curvad';
import type { WindowDetector } from 'curvad/streams';
import { Failure } from './failure.js';
import type { ReplyOf, RequestOf, StreamScoring } from './protocol.js';
import type { Session } from './session.js';
import { rowsInOrder, type StreamSource, sensor } from './stream-source.js';
import { columnOf } from './views.js';

/** Scores a row, and says whether it is an alarm. */
interface Scorer {
  score(row: Float64Array): number;
  readonly isAlarm: boolean;
}

/** Rows at the start that a model is fitted on. */
const FIRST = 500;
/** Alarms are the three highest of the last 2,000 scores, none before there are 300. */
const WINDOW = { window: 500, memory: 2000, alarmRank: 3, warmup: 300 };

interface Playing {
  readonly source: StreamSource;
  readonly scorer: Scorer;
  /** The column that is drawn. */
  readonly shown: number;
}

const streams = new WeakMap<Session, Playing>();

export async function startStream(session: Session, request: RequestOf<'stream'>): Promise<ReplyOf<'stream'>> {
  const all = sourceOf(session, request);
  const shown = Math.max(0, all.columns.indexOf(request.column ?? ''));
  const scorer = await scorerOf(session, request, shown);
  streams.set(session, { source: all, scorer, shown });
  return { columns: all.columns };
}

export function advance(session: Session, { rows }: RequestOf<'advance'>): ReplyOf<'advance'> {
  const playing = streams.get(session);
  if (playing === undefined) throw new Failure('NO_STREAM', 'Press Play first.');
  const { source, scorer, shown } = playing;
  const row = new Float64Array(source.columns.length);
  const [values, scores, alarms] = [new Float64Array(rows), new Float64Array(rows), new Uint8Array(rows)];
  const begin = performance.now();
  let count = 0;
  while (count < rows && source.next(row)) {
    scores[count] = scorer.score(row);
    values[count] = row[shown] as number;
    alarms[count] = scorer.isAlarm ? 1 : 0;
    count++;
  }
  const elapsed = performance.now() - begin;
  return {
    values: values.slice(0, count),
    scores: scores.slice(0, count),
    alarms: alarms.slice(0, count),
    elapsed,
    isOver: count < rows,
  };
}

function sourceOf(session: Session, { source, seed }: RequestOf<'stream'>): StreamSource {
  if (source === 'sensor') return sensor(seed);
  const { data } = session;
  const names = data.features.filter(({ kind }) => kind === 'number' || kind === 'boolean').map(({ name }) => name);
  if (names.length === 0) throw new Failure('NO_NUMBERS', 'A stream needs a column of numbers.');
  const { order } = columnOf(session, { name: names[0] as string });
  return rowsInOrder(names, data.numbers(), order);
}

async function scorerOf(session: Session, request: RequestOf<'stream'>, shown: number): Promise<Scorer> {
  if (request.by === 'series') {
    const { SeriesDetector } = await import('curvad/streams');
    const detector = new SeriesDetector();
    return {
      score: (row) => detector.update(row[shown] as number),
      get isAlarm() {
        return detector.isAlarm;
      },
    };
  }
  if (request.by === 'model') return modelScorer(firstRows(sourceOf(session, request)));
  const { SlidingWindow } = await import('curvad/streams');
  const window = new SlidingWindow(windowDetector(request.by), WINDOW);
  return {
    score: (row) => window.update(row),
    get isAlarm() {
      return window.isAlarm;
    },
  };
}

function windowDetector(by: Exclude<StreamScoring, 'series' | 'model'>): WindowDetector {
  switch (by) {
    case 'window-landmark':
      return new LandmarkCAD();
    case 'window-lof':
      return new LOF({ neighbors: 20, standardize: true });
    case 'window-knn':
      return new KNN({ neighbors: 10, standardize: true });
    case 'window-cad':
      return new CAD({ neighbors: 10, standardize: true });
  }
}

/** A model of the first rows. */
function modelScorer(rows: readonly Float64Array[]): Scorer {
  const detector = new LandmarkCAD({ contamination: 0.002 }).fit(rows.map((row) => [...row]));
  const one: Float64Array[] = [new Float64Array(0)];
  const scores = new Float64Array(1);
  const { threshold } = detector;
  return {
    score(row) {
      one[0] = row;
      detector.scoreInto(one, scores);
      return scores[0] as number;
    },
    get isAlarm() {
      return (scores[0] as number) > threshold;
    },
  };
}

/** The first rows of a stream, which is then begun anew. */
function firstRows(source: StreamSource): Float64Array[] {
  const rows: Float64Array[] = [];
  const row = new Float64Array(source.columns.length);
  while (rows.length < FIRST && source.next(row)) rows.push(row.slice());
  return rows;
}
