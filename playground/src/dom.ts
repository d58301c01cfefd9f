// A few words for making and finding elements.

export function find<Type extends HTMLElement>(id: string): Type {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element as Type;
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with attributes and children; texts are texts, never markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = make('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
}

/** Fills a choice; each option has a value and a title. */
export function fillChoice(
  select: HTMLSelectElement,
  options: ReadonlyArray<readonly [value: string, title: string]>,
  value: string,
): void {
  select.replaceChildren(...options.map(([name, title]) => make('option', { value: name }, title)));
  select.value = value;
}

/** A canvas of as many pixels as the screen shows of it. */
export function fitCanvas(canvas: HTMLCanvasElement): {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  ratio: number;
} {
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
  const { clientWidth: width, clientHeight: height } = canvas;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height, ratio };
}
