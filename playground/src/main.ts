// Puts the page together.

import { addressOf, stateFrom } from './address.js';
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

app.store.subscribe((state, changed) => {
  if (changed.has('fit') && state.fit !== undefined) {
    document.documentElement.dataset['ready'] = 'true';
    const { mode, threads } = state.fit;
    const memory = mode === 'shared' ? ' that share memory' : mode === 'copied' ? ' with copies' : '';
    find('runs').textContent = threads > 0 ? `The last fit ran on ${threads} threads${memory}.` : '';
  }
  const address = addressOf(state);
  if (address !== location.hash && state.data !== undefined)
    history.replaceState(undefined, '', address === '' ? location.pathname : address);
});
globalThis.addEventListener('hashchange', () => {
  if (location.hash !== addressOf(app.state)) void app.start(stateFrom(location.hash));
});
void app.start(stateFrom(location.hash));

// Kept for the next visit, when there may be no network. Without it the page works all the same.
if ('serviceWorker' in navigator && import.meta.env.PROD)
  globalThis.addEventListener(
    'load',
    () => void navigator.serviceWorker.register('./service-worker.js').catch(() => {}),
  );
