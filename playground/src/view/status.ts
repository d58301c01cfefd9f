// What goes on: a sentence about the result, progress with the time that remains, and what went wrong.
import type { App } from '../app.js';
import { find } from '../dom.js';
import { methodOf } from '../methods.js';
import { count, duration, percent } from '../numbers.js';
import { countAbove } from '../ranking.js';
import type { State } from '../state.js';

/** Shorter work is not worth a bar. */
const SHORT = 250;
/** Milliseconds for which a remaining time stands, so that it can be read. */
const STANDS = 400;
/** Less done, or shorter at it: the rest cannot be told yet. */
const [LEAST_DONE, LEAST_SECONDS] = [0.03, 0.6];

export function mountStatus(app: App): void {
  const working = find('working');
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let told = 0;
  find('cancel').addEventListener('click', () => app.cancel());
  find('again').addEventListener('click', () => void app.fit());
  const show = (): void => {
    const { working: work } = app.state;
    working.hidden = work === undefined || performance.now() - work.since < SHORT;
    if (work === undefined) return;
    const seconds = (performance.now() - work.since) / 1000;
    const progress = find<HTMLProgressElement>('progress');
    if (work.done > 0) progress.value = work.done;
    else progress.removeAttribute('value');
    if (performance.now() - told < STANDS && find('remaining').textContent?.startsWith(work.what)) return;
    told = performance.now();
    const isKnown = work.done > LEAST_DONE && seconds > LEAST_SECONDS;
    find('remaining').textContent = isKnown
      ? `${work.what}, ${remaining((seconds / work.done) * (1 - work.done))}`
      : work.what;
  };
  app.store.subscribe((state, changed) => {
    if (changed.has('working')) {
      clearTimeout(waiting);
      show();
      waiting = setTimeout(show, SHORT + 10);
    }
    if (changed.has('message')) {
      const message = find('message');
      message.hidden = state.message === undefined;
      message.textContent = state.message ?? '';
    }
    if (changed.has('phase')) find('again').hidden = state.phase !== 'unfitted';
    if (changed.has('fit') || changed.has('threshold')) find('status').textContent = verdictOf(state);
    if (changed.has('data') || changed.has('fit')) find('facts').textContent = factsOf(state);
  });
}

const remaining = (seconds: number): string =>
  seconds < 1 ? 'less than a second left' : `about ${duration(Math.ceil(seconds))} left`;

function verdictOf({ data, fit, threshold, settings }: State): string {
  if (data === undefined || fit === undefined) return '';
  const flagged = countAbove(fit.sorted, threshold);
  const says = `says ${methodOf(settings.method).title} after ${duration(fit.seconds)}.`;
  if (flagged === 0) return `No row stands out among ${count(data.rows)}, ${says}`;
  const rows = flagged === 1 ? '1 row does not belong' : `${count(flagged)} rows do not belong`;
  return `${rows} (${percent(flagged / data.rows)} of ${count(data.rows)}), ${says}`;
}

function factsOf({ data, fit }: State): string {
  if (data === undefined) return '';
  const used = data.columns.filter(({ use }) => use === 'number' || use === 'category').length;
  const facts = [`${data.name}: ${count(data.rows)} rows, ${used} of ${data.columns.length} columns used.`];
  const missing = data.columns.reduce((sum, column) => sum + (column.use === 'number' ? column.missing : 0), 0);
  if (missing > 0)
    facts.push(
      missing === 1
        ? 'One value is missing or no number: the median of its column stands for it.'
        : `${count(missing)} values are missing or no numbers: the medians of their columns stand for them.`,
    );
  return [...facts, ...(fit?.warnings ?? [])].join(' ');
}
