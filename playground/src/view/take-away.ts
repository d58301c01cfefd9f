// What people take away: scores, model, report, picture, data, and the code for all of it.
import type { App } from '../app.js';
import { codeOf, fileName } from '../code.js';
import { button, find, make } from '../dom.js';
import type { State } from '../state.js';
import type { MapView } from './map.js';
import { reportOf } from './report.js';

type Offer = readonly [title: string, take: () => Promise<void>];

export function mountTakeAway(app: App, map: MapView): void {
  const buttons = offersOf(app, map).map(([title, take]) =>
    button(title, () => void take().catch((error) => app.jobs.fail(error)), { disabled: true }),
  );
  find('downloads').replaceChildren(...buttons);
  let told = '';
  const tell = (state: State): void => {
    const { javascript, terminal } = codeOf(state);
    if (told === `${javascript}${terminal}`) return;
    told = `${javascript}${terminal}`;
    find('code').replaceChildren(
      ...block('In JavaScript', 'code-javascript', javascript),
      ...(terminal === undefined ? [] : block('At a terminal', 'code-terminal', terminal)),
    );
  };
  app.store.subscribe((state, changed) => {
    if (changed.has('phase')) for (const offer of buttons) offer.disabled = state.phase !== 'ready';
    if (state.phase === 'ready') tell(state);
  });
}

function offersOf(app: App, map: MapView): readonly Offer[] {
  const name = (): string => fileName(app.state).replace(/\.\w+$/, '');
  const settings = (): State['settings'] => app.state.settings;
  const picture = (): HTMLCanvasElement => {
    const shown = document.getElementById(app.state.view);
    return shown instanceof HTMLCanvasElement ? shown : map.canvas;
  };
  return [
    [
      'Scores (CSV)',
      async () =>
        save(`${name()}-scores.csv`, (await app.jobs.wait('Writing scores', 'scores', { settings: settings() }))?.file),
    ],
    [
      'Model',
      async () => {
        const model = await app.jobs.wait('Writing the model', 'model', { settings: settings() });
        save(`${name()}.curvad`, model && new Blob([model.bytes], { type: 'application/octet-stream' }));
      },
    ],
    ['Report (HTML)', async () => save(`${name()}-report.html`, await reportOf(app, map.canvas))],
    ['Picture (PNG)', async () => save(`${name()}.png`, await pictureOf(picture()))],
    ['Data (CSV)', async () => save(`${name()}.csv`, (await app.jobs.wait('Writing data', 'table', {}))?.file)],
  ];
}

function block(title: string, id: string, code: string): HTMLElement[] {
  const copy = button('Copy', () => {
    void navigator.clipboard.writeText(code).then(
      () => {
        copy.textContent = 'Copied';
      },
      () => {
        copy.textContent = 'Select the text to copy it';
      },
    );
  });
  copy.setAttribute('aria-label', `Copy: ${title}`);
  return [
    make('h3', {}, `${title} `, copy),
    make('pre', { id, tabindex: 0, role: 'region', 'aria-label': title }, make('code', {}, code)),
  ];
}

function save(name: string, file: Blob | undefined): void {
  if (file === undefined) return;
  const address = URL.createObjectURL(file);
  const link = make('a', { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function pictureOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (picture) => (picture === null ? reject(new Error('The picture could not be made.')) : resolve(picture)),
      'image/png',
    ),
  );
}
