// The top anomalies: a table of their original values, the distinctive ones first and marked, and a card for each with the
// reasons and the changes that would make it normal, as bars on a common scale.
import type { Detection } from '../commands/detection.js';
import { clean } from '../errors.js';
import type { ColumnChange, ColumnReason } from '../original-terms.js';
import { tellingColumns } from '../telling.js';
import { few } from '../terminal.js';
import { type Html, html } from './html.js';
import { round } from './plot.js';

/** Most columns in the table, and most bars and reasons in a card. */
const MOST_COLUMNS = 12;
const MOST_BARS = 8;
const MOST_REASONS = 4;
/** Least deviation that fills a bar, so that small changes look small. */
const LEAST_SCALE = 3;

/** The title of a row. */
export function nameOf({ scored }: Detection, position: number): string {
  const row = scored.rowNumbers[position] as number;
  const place = scored.placeOf?.(row);
  const number = place === undefined ? `row ${row}` : `row ${place.row} of ${clean(place.path, 60)}`;
  const id = scored.id?.at(row);
  return id === undefined || id === null ? number : `${clean(id, 40)} (${number})`;
}

export function anomalyTable(detection: Detection, positions: readonly number[]): Html {
  const { input, scored, explanations } = detection;
  const idName = scored.id?.name;
  const told = [idName, scored.labelName];
  const all = tellingColumns(input, positions, explanations).filter(
    ({ name }) => !told.some((other) => other !== undefined && clean(other, 40) === name),
  );
  const shown = all.slice(0, MOST_COLUMNS);
  const more = all.length - shown.length;
  const head = (name: string, isNumeric: boolean): Html =>
    html`<th scope="col" class="${isNumeric ? 'number' : ''}">${name}</th>`;
  const heads = [
    head('row', true),
    ...(scored.placeOf === undefined ? [] : [head('file', false)]),
    ...(idName === undefined ? [] : [head(clean(idName, 40), false)]),
    head('score', true),
    head('verdict', false),
    ...(scored.labels === undefined ? [] : [head('label', true)]),
    ...shown.map(({ name, isNumeric }) => head(name, isNumeric)),
  ];
  const rows = positions.map((position) => {
    const row = scored.rowNumbers[position] as number;
    const place = scored.placeOf?.(row);
    const score = scored.scores[position] as number;
    const isAnomaly = score > scored.threshold;
    const file = place === undefined ? [] : [html`<td>${clean(place.path, 60)}</td>`];
    const id = scored.id === undefined ? [] : [html`<td>${clean(scored.id.at(row) ?? '', 60)}</td>`];
    const label = scored.labels === undefined ? [] : [html`<td class="number">${scored.labels[position]}</td>`];
    const values = shown.map((column) => {
      const value = column.valueAt(position);
      const kind = column.isNumeric ? 'number' : '';
      return column.isMarkedAt(position)
        ? html`<td class="${kind} odd"><strong>${value}</strong></td>`
        : html`<td class="${kind}">${value}</td>`;
    });
    return html`<tr><th scope="row" class="number">${place?.row ?? row}</th>${file}${id}<td class="number">${few(score)}</td><td>${isAnomaly ? html`<strong class="flag">anomaly</strong>` : 'normal'}</td>${label}${values}</tr>
`;
  });
  const rest = more > 0 ? ` ${more} more ${more === 1 ? 'column is' : 'columns are'} not shown.` : '';
  return html`<p class="quiet" id="about-table">Columns that make these rows stand out come first; those values are <strong class="odd">marked</strong>.${rest} Rows are counted from 0.</p>
<div class="scroll" role="region" aria-label="The highest scores" tabindex="0"><table aria-describedby="about-table">
<thead><tr>${heads}</tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

/** Why each row is an anomaly. */
export function reasonCards(detection: Detection, positions: readonly number[]): Html {
  const shownOf = (position: number): readonly ColumnChange[] =>
    detection.explanations.get(position)?.columnChanges.slice(0, MOST_BARS) ?? [];
  const deviations = positions.flatMap((position) => shownOf(position).map(({ inDeviations }) => inDeviations ?? 0));
  const longest = Math.max(LEAST_SCALE, ...deviations.map(Math.abs));
  const cards = positions.map((position) => {
    const explanation = detection.explanations.get(position);
    const score = few(detection.scored.scores[position] as number);
    const title = html`<strong>${nameOf(detection, position)}</strong> <span class="quiet">score ${score}</span>`;
    if (explanation === undefined) return html`<figure class="card"><figcaption>${title}</figcaption></figure>`;
    const { columnReasons, columnChanges, isNormal } = explanation;
    const words = isNormal
      ? 'It would be normal with'
      : columnChanges.length > 0
        ? 'No change that was tried makes it normal; the closest is'
        : 'Found no change that makes it normal.';
    return html`<figure class="card"><figcaption>${title}${reasonList(columnReasons)}<p class="way">${words}</p></figcaption>
${columnChanges.length === 0 ? undefined : changeList(columnChanges, longest)}</figure>
`;
  });
  return html`<div class="cards">${cards}</div>`;
}

/** Why the row stands out, as text. */
function reasonList(reasons: readonly ColumnReason[]): Html | undefined {
  if (reasons.length === 0) return undefined;
  const items = reasons.slice(0, MOST_REASONS).map(({ name, value, typical, share }) => {
    const percent = share >= 0.01 ? ` (${Math.round(share * 100)} %)` : '';
    return html`<li><span class="feature">${clean(name, 60)}</span> <span class="value"><b>${clean(value, 60)}</b>, usually ${clean(typical, 60)}${percent}</span></li>
`;
  });
  return html`<ul class="changes">${items}</ul>`;
}

/** Columns with the values before and after; numbers have a bar to the left or right of a line. */
function changeList(changes: readonly ColumnChange[], longest: number): Html {
  const shown = changes.slice(0, MOST_BARS);
  const items = shown.map(({ name, from, to, inDeviations }) => {
    const deviations = inDeviations === null ? '' : `${inDeviations < 0 ? '−' : '+'}${few(Math.abs(inDeviations))} σ`;
    return html`<li><span class="feature">${clean(name, 60)}</span> <span class="value">${clean(from, 40)} → ${clean(to, 40)} <b>${deviations}</b></span>${inDeviations === null ? undefined : bar(inDeviations, longest)}</li>
`;
  });
  const left = changes.length - shown.length;
  const more =
    left > 0 ? html`<li class="quiet">and ${left} smaller ${left === 1 ? 'change' : 'changes'}</li>` : undefined;
  return html`<ul class="changes">${items}${more}</ul>`;
}

function bar(inDeviations: number, longest: number): Html {
  const size = (inDeviations / longest) * 100;
  if (round(Math.abs(size)) < 0.5) return html``; // too small to see
  const [x, width] = [round(Math.min(100, 100 + size)), round(Math.abs(size))];
  return html`
<svg viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true"><line class="axis" x1="100" x2="100" y1="0" y2="8"/><rect class="${size < 0 ? 'down' : 'up'}" x="${x}" y="0" width="${width}" height="8"/></svg>`;
}
