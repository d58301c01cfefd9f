// The report: one HTML file with the picture, the rows that stand out, and why. It needs nothing else.
import type { App } from '../app.js';
import { codeOf } from '../code.js';
import { make } from '../dom.js';
import { methodOf } from '../methods.js';
import { count, percent, short } from '../numbers.js';
import { countAbove, highest } from '../ranking.js';

const ROWS = 20;
const EXPLAINED = 5;

const STYLE = `:root { color-scheme: light dark; } body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
img { max-width: 100%; border: 1px solid #8886; border-radius: 8px; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 3px 14px 3px 0; border-top: 1px solid #8886; } pre { white-space: pre-wrap; background: #8881; padding: 10px; border-radius: 8px; }`;

export async function reportOf(app: App, canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  const { data, fit, threshold, settings } = app.state;
  if (data === undefined || fit === undefined) return undefined;
  const rows = highest(fit.scores, fit.sorted, ROWS);
  const cells = await app.jobs.call('cells', 'cells', { rows: [...rows] });
  const reasons: string[] = [];
  for (const row of rows.subarray(0, EXPLAINED)) {
    const explanation = await app.jobs.wait(`Explaining row ${row}`, 'explain', { settings, row, frozen: [] });
    if (explanation === undefined) return undefined;
    reasons.push(explanation.words);
  }
  const flagged = countAbove(fit.sorted, threshold);
  const { title, about } = methodOf(settings.method);
  const line = (name: 'th' | 'td', texts: readonly string[]): HTMLElement =>
    make('tr', {}, ...texts.map((text) => make(name, {}, text)));
  const { javascript, terminal } = codeOf(app.state);
  const names = data.columns.map((column) => column.name);
  const body = make(
    'body',
    {},
    make('h1', {}, `${data.name}: what does not belong`),
    make(
      'p',
      {},
      `${title} flags ${count(flagged)} of ${count(data.rows)} rows (${percent(flagged / data.rows)}): scores above ${short(threshold)}. ${about}`,
    ),
    make('img', { src: canvas.toDataURL('image/png'), alt: 'The rows on a map; anomalies are diamonds' }),
    make('h2', {}, 'The rows with the highest scores'),
    make(
      'table',
      {},
      line('th', ['Row', 'Score', ...names]),
      ...[...rows].map((row, i) => line('td', [String(row), short(fit.scores[row] as number), ...(cells?.[i] ?? [])])),
    ),
    make('h2', {}, 'Why'),
    ...reasons.map((words) => make('pre', {}, words)),
    make('h2', {}, 'The same by code'),
    make('pre', {}, javascript),
    ...(terminal === undefined ? [] : [make('pre', {}, terminal)]),
  );
  const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>curvad report</title><style>${STYLE}</style></head>`;
  return new Blob([head, body.outerHTML, '</html>'], { type: 'text/html' });
}
