// The rows as a table, those with the highest scores first: what the map shows, for people who do not see it.
import type { App } from '../app.js';
import { button, find, make } from '../dom.js';
import { count, short } from '../numbers.js';
import { highest } from '../ranking.js';

const PAGE = 10;
const COLUMNS = 12;

export class RowList {
  readonly #app: App;
  #rows: Uint32Array = new Uint32Array();
  #first = 0;
  #cells: readonly (readonly string[])[] = [];

  constructor(app: App) {
    this.#app = app;
    find('rows-before').addEventListener('click', () => this.#turn(-PAGE));
    find('rows-after').addEventListener('click', () => this.#turn(PAGE));
    app.store.subscribe(({ fit, selected, phase }, changed) => {
      // Under the hand, rows change every frame: the list follows when it rests.
      if (phase === 'drawing') return;
      if (changed.has('fit') || changed.has('phase')) {
        this.#rows = fit === undefined ? new Uint32Array() : highest(fit.scores, fit.sorted);
        this.#first = 0;
        void this.#read();
      } else if (changed.has('selected') && selected !== undefined) this.#turnTo(selected);
      else if (changed.has('threshold') || changed.has('selected')) this.#draw();
    });
  }

  #turn(by: number): void {
    this.#first = Math.max(0, Math.min(this.#first + by, this.#rows.length - 1));
    void this.#read();
  }

  #turnTo(row: number): void {
    const place = this.#rows.indexOf(row);
    const first = place < 0 ? this.#first : PAGE * Math.floor(place / PAGE);
    if (first === this.#first) {
      this.#draw();
      return;
    }
    this.#first = first;
    void this.#read();
  }

  get #shown(): Uint32Array {
    return this.#rows.subarray(this.#first, this.#first + PAGE);
  }

  async #read(): Promise<void> {
    const rows = [...this.#shown];
    const cells = rows.length === 0 ? [] : await this.#app.jobs.call('cells', 'cells', { rows });
    if (cells === undefined) return;
    this.#cells = cells;
    this.#draw();
  }

  #draw(): void {
    const { fit, data, threshold, selected } = this.#app.state;
    if (fit === undefined || data === undefined) {
      find('rows').replaceChildren();
      return;
    }
    const names = data.columns.slice(0, COLUMNS).map(({ name }) => name);
    const head = ['Row', 'Score', 'Verdict', ...names].map((name) =>
      make('th', { scope: 'col', class: name === 'Score' ? 'number' : undefined }, name),
    );
    const lines = [...this.#shown].map((row, i) => this.#line(row, this.#cells[i] ?? [], selected === row));
    const caption = make(
      'caption',
      {},
      `All rows by score, ${PAGE} at a time; anomalies are above ${short(threshold)}.`,
    );
    // The button that was pressed keeps the focus.
    const focused = (document.activeElement as HTMLElement | null)?.dataset['row'];
    find('rows').replaceChildren(caption, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...lines));
    if (focused !== undefined)
      find('rows').querySelector<HTMLElement>(`[data-row="${focused}"]`)?.focus({ preventScroll: true });
    find<HTMLButtonElement>('rows-before').disabled = this.#first === 0;
    find<HTMLButtonElement>('rows-after').disabled = this.#first + PAGE >= this.#rows.length;
    const of = data.rows > this.#rows.length ? `the highest ${count(this.#rows.length)}` : count(data.rows);
    find('rows-place').textContent =
      `${this.#first + 1} to ${Math.min(this.#first + PAGE, this.#rows.length)} of ${of}`;
  }

  #line(row: number, cells: readonly string[], isCurrent: boolean): HTMLElement {
    const { fit, threshold } = this.#app.state;
    const score = fit?.scores[row] ?? Number.NaN;
    const isFlagged = score > threshold;
    return make(
      'tr',
      isCurrent ? { 'aria-current': 'true' } : {},
      make(
        'td',
        {},
        button(String(row), () => void this.#app.select(row), {
          class: 'link',
          'data-row': row,
          'aria-label': `Row ${row}: why`,
        }),
      ),
      make('td', { class: 'number' }, short(score)),
      make('td', isFlagged ? { class: 'flagged-word' } : {}, isFlagged ? '◆ anomaly' : 'normal'),
      ...cells.slice(0, COLUMNS).map((text) => make('td', {}, text.length > 24 ? `${text.slice(0, 23)}…` : text)),
    );
  }
}
