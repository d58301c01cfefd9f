// Puts the page together.

import { keepAddress, stateFrom } from './address.js';
import { App } from './app.js';
import { find } from './dom.js';
import { mountColumns } from './view/columns.js';
import { CompareView } from './view/compare.js';
import { mountControls } from './view/controls.js';
import { mountExplanation } from './view/explanation.js';
import { Histogram } from './view/histogram.js';
import { MapView } from './view/map.js';
import { MapHands } from './view/map-hands.js';
import { RowList } from './view/rows.js';
import { mountStatus } from './view/status.js';
import { StreamView } from './view/stream.js';
import { mountTabs } from './view/tabs.js';
import { mountTakeAway } from './view/take-away.js';
import { TimeView } from './view/time.js';

const app = new App();
const map = new MapView(app);
new MapHands(app, map);
new Histogram(app);
new RowList(app);
new TimeView(app);
new CompareView(app);
new StreamView(app);
mountStatus(app);
mountControls(app);
mountTabs(app);
mountExplanation(app);
mountColumns(app);
mountTakeAway(app, map);

const page = document.documentElement;
app.store.subscribe(({ phase, fit }, changed) => {
  if (changed.has('phase')) page.dataset['phase'] = phase;
  if (!changed.has('fit') || fit === undefined) return;
  const { mode, threads } = fit;
  const memory = mode === 'shared' ? ' that share memory' : mode === 'copied' ? ' with copies' : '';
  find('runs').textContent = threads > 0 ? `The last fit ran on ${threads} threads${memory}.` : '';
});
keepAddress(app);
void app.start(stateFrom(location.hash));

// A page that is left for good gives back what it holds; one that may be shown again keeps it.
globalThis.addEventListener('pagehide', ({ persisted }) => {
  if (!persisted) app.destroy();
});

// Kept for the next visit, when there may be no network. Without it the page works all the same.
if ('serviceWorker' in navigator && import.meta.env.PROD)
  globalThis.addEventListener(
    'load',
    () => void navigator.serviceWorker.register('./service-worker.js').catch(() => {}),
  );
