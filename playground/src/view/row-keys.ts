// The keys that go through the rows, from the highest score down: the same on every picture of rows.
import type { App } from '../app.js';
import { highest } from '../ranking.js';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Whether the key was one of them. */
export function stepThroughRows(app: App, key: string): boolean {
  const { fit, selected } = app.state;
  if (fit === undefined) return false;
  if (key === 'Escape') {
    void app.select(undefined);
    return true;
  }
  const by = STEPS[key];
  if (by === undefined && key !== 'Home') return false;
  const rows = highest(fit.scores, fit.sorted);
  const place = selected === undefined ? -1 : rows.indexOf(selected);
  const next = by === undefined || place < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, place + by));
  if (rows[next] !== selected) void app.select(rows[next]);
  return true;
}
