// What people take away: scores, model, report, picture, data, and the code for all of it.
import type { App } from '../app.js';
import { codeOf, fileName } from '../code.js';
import { button, find, make } from '../dom.js';
import type { MapView } from './map.js';
import { reportOf } from './report.js';

export function mountTakeAway(app: App, map: MapView): void {
  const name = (): string => fileName(app.state).replace(/\.\w+$/, '');
  const settings = () => app.state.settings;
  const offers: ReadonlyArray<readonly [title: string, take: () => Promise<void>]> = [
    [
      'Scores (CSV)',
      async () =>
        save(`${name()}-scores.csv`, (await app.wait('Writing scores', 'scores', { settings: settings() }))?.file),
    ],
    [
      'Model',
      async () => {
        const model = await app.wait('Writing the model', 'model', { settings: settings() });
        save(`${name()}.curvad`, model && new Blob([model.bytes], { type: 'application/octet-stream' }));
      },
    ],
    ['Report (HTML)', async () => save(`${name()}-report.html`, await reportOf(app, map.canvas))],
    ['Picture (PNG)', async () => save(`${name()}.png`, await pictureOf(map.canvas))],
    [
      'Data (CSV)',
      async () => save(`${name()}.csv`, (await app.wait('Writing data', 'table', { format: 'csv' }))?.file),
    ],
  ];
  find('downloads').replaceChildren(
    ...offers.map(([title, take]) => button(title, () => void take().catch((error) => app.fail(error)))),
  );
  app.store.subscribe((state, changed) => {
    if (!changed.has('data') && !changed.has('settings')) return;
    const { javascript, terminal } = codeOf(state);
    find('code').replaceChildren(
      ...block('In JavaScript', 'code-javascript', javascript),
      ...block('At a terminal', 'code-terminal', terminal),
    );
  });
}

function block(title: string, id: string, code: string): HTMLElement[] {
  const copy = button('Copy', () => {
    void navigator.clipboard.writeText(code).then(() => {
      copy.textContent = 'Copied';
    });
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

export function pictureOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (picture) => (picture === null ? reject(new Error('The picture could not be made.')) : resolve(picture)),
      'image/png',
    ),
  );
}
