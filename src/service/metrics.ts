// Metrics in the text format of Prometheus.

/** Upper bounds of the histogram, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #rows = new Map<string, number>();
  readonly #anomalies = new Map<string, number>();
  readonly #buckets = new Float64Array(BOUNDS.length + 1);
  #seconds = 0;

  request(route: string, status: number, seconds: number): void {
    add(this.#requests, `route="${route}",status="${status}"`, 1);
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
    const at = bucket < 0 ? BOUNDS.length : bucket;
    this.#buckets[at] = (this.#buckets[at] as number) + 1;
    this.#seconds += seconds;
  }

  scored(model: string, version: string, rows: number, anomalies: number): void {
    const labels = `model="${model}",version="${version}"`;
    add(this.#rows, labels, rows);
    add(this.#anomalies, labels, anomalies);
  }

  text(): string {
    const lines = [
      ...counter('curvad_requests_total', 'Requests by route and status.', this.#requests),
      ...counter('curvad_rows_total', 'Rows that were scored.', this.#rows),
      ...counter('curvad_anomalies_total', 'Rows above the threshold of their model.', this.#anomalies),
      '# HELP curvad_request_seconds Time from the request to its answer.',
      '# TYPE curvad_request_seconds histogram',
    ];
    let count = 0;
    this.#buckets.forEach((requests, i) => {
      count += requests;
      lines.push(`curvad_request_seconds_bucket{le="${BOUNDS[i] ?? '+Inf'}"} ${count}`);
    });
    lines.push(`curvad_request_seconds_sum ${this.#seconds}`, `curvad_request_seconds_count ${count}`);
    return `${lines.join('\n')}\n`;
  }
}

function add(counts: Map<string, number>, labels: string, by: number): void {
  counts.set(labels, (counts.get(labels) ?? 0) + by);
}

function counter(name: string, help: string, counts: ReadonlyMap<string, number>): string[] {
  const lines = [...counts].map(([labels, value]) => `${name}{${labels}} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines];
}
