// Data and detector: where data come from, which method with which options.
import type { App } from '../app.js';
import { SET_NAMES, SETS } from '../data/sets.js';
import { fillChoice, find, make } from '../dom.js';
import type { SetName } from '../engine/protocol.js';
import { METHOD_NAMES, METHODS, type MethodName, type MethodOption, methodOf, optionValue } from '../methods.js';
import type { State } from '../state.js';

/** After typing, the page waits for more. */
const REST = 250;

export function mountControls(app: App): void {
  mountData(app);
  mountDrop(app);
  mountMethod(app);
}

function mountData(app: App): void {
  const [set, points, seed] = [
    find<HTMLSelectElement>('set'),
    find<HTMLInputElement>('points'),
    find<HTMLInputElement>('seed'),
  ];
  const titles = SET_NAMES.map((name) => [name, SETS[name].title] as const);
  fillChoice(set, [['', '–'], ...titles], 'moons');
  const again = (): void => {
    if (set.value === '' || !points.reportValidity() || !seed.reportValidity()) return;
    void app.choose(set.value as SetName, Number(points.value), Number(seed.value));
  };
  set.addEventListener('change', () => {
    if (set.value !== '')
      void app.choose(set.value as SetName, SETS[set.value as SetName].points, Number(seed.value) || 1);
  });
  points.addEventListener('change', again);
  seed.addEventListener('change', again);
  app.store.subscribe(({ made }, changed) => {
    if (!changed.has('made') && !changed.has('data')) return;
    set.value = made?.set ?? '';
    points.disabled = seed.disabled = made === undefined;
    if (made === undefined) return;
    points.value = String(made.points);
    seed.value = String(made.seed);
  });
}

function mountDrop(app: App): void {
  const [input, dropping] = [find<HTMLInputElement>('file'), find('dropping')];
  const take = (files: FileList | null | undefined): void => {
    const [file, ...others] = files ?? [];
    if (file === undefined) return;
    if (others.length > 0) app.jobs.fail(new Error(`${others.length + 1} files at once: one is read, ${file.name}.`));
    void app.open(file);
  };
  input.addEventListener('change', () => {
    take(input.files);
    input.value = '';
  });
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    dropping.hidden = false;
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) dropping.hidden = true;
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    dropping.hidden = true;
    if (hasFiles(event)) take(event.dataTransfer?.files);
    else app.jobs.fail(new Error('What was dropped is no file: drop a file from a folder, or choose one.'));
  });
}

function mountMethod(app: App): void {
  const method = find<HTMLSelectElement>('method');
  fillChoice(
    method,
    METHOD_NAMES.map((name) => [name, METHODS[name].title] as const),
    app.state.settings.method,
  );
  method.addEventListener('change', () => void app.method(method.value as MethodName));
  let shown: MethodName | undefined;
  const update = ({ settings }: State): void => {
    method.value = settings.method;
    find('about').textContent = methodOf(settings.method).about;
    if (shown === settings.method) return;
    shown = settings.method;
    find('options').replaceChildren(...methodOf(settings.method).options.map((option) => fieldOf(app, option)));
  };
  app.store.subscribe((state, changed) => {
    if (changed.has('settings')) update(state);
  });
  update(app.state);
}

function fieldOf(app: App, option: MethodOption): HTMLElement {
  const value = app.state.settings.options[option.name] ?? option.initial;
  const change = (given: unknown): void => {
    const { settings } = app.state;
    const next = optionValue(option, given);
    if (next !== settings.options[option.name]) void app.options({ ...settings.options, [option.name]: next });
  };
  if (option.kind === 'flag') {
    const box = make('input', { type: 'checkbox', id: `option-${option.name}`, checked: value === true });
    box.addEventListener('change', () => change(box.checked));
    return make('label', { class: 'flag' }, box, option.label);
  }
  if (option.kind === 'choice') {
    const select = make('select', { id: `option-${option.name}` });
    fillChoice(
      select,
      option.choices.map((choice) => [choice, choice] as const),
      String(value),
    );
    select.addEventListener('change', () => change(select.value));
    return make('label', {}, option.label, select);
  }
  const { least: min, most: max, step } = option;
  const input = make('input', { type: 'number', id: `option-${option.name}`, min, max, step, value: String(value) });
  let resting: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener('input', () => {
    clearTimeout(resting);
    resting = setTimeout(() => input.checkValidity() && change(input.value), REST);
  });
  input.addEventListener('change', () => {
    input.value = String(optionValue(option, input.value));
    change(input.value);
  });
  return make('label', {}, option.label, input);
}
