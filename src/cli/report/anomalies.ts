// The top anomalies: a table of their values, and for each a picture of what makes it one, as bars of signed
// change in standard deviations.
import type { Detection } from '../commands/detection.js';
import { clean } from '../errors.js';
import { type Change, deviationsOf, type Reason } from '../explanations.js';
import type { Moments } from '../moments.js';
import { few } from '../terminal.js';
import { type Html, html } from './html.js';
import { round } from './plot.js';

/** Features in a table or picture, at most. */
const MOST_COLUMNS = 12;
const MOST_BARS = 8;
const MOST_REASONS = 4;
/** Columns of the table that hold numbers, besides the features. */
const NUMBERS = new Set(['row', 'score', 'label']);

/** What a row is called. */
export function nameOf({ scored, input }: Detection, position: number): string {
  const row = input.rowNumbers[position] as number;
  const id = scored.id?.at(row);
  return id === undefined || id === null ? `row ${row}` : `${clean(id, 40)} (row ${row})`;
}

export function anomalyTable(detection: Detection, positions: readonly number[]): Html {
  const { input, scored } = detection;
  const { matrix, recipe } = input;
  const names = recipe.features.slice(0, MOST_COLUMNS);
  const more = recipe.features.length - names.length;
  const head = [
    'row',
    ...(scored.id === undefined ? [] : [scored.id.name]),
    'score',
    'verdict',
    ...(scored.labels === undefined ? [] : ['label']),
  ];
  const rows = positions.map((position) => {
    const row = input.rowNumbers[position] as number;
    const score = scored.scores[position] as number;
    const isAnomaly = score > scored.threshold;
    const id = scored.id === undefined ? [] : [html`<td>${clean(scored.id.at(row) ?? '', 60)}</td>`];
    const label = scored.labels === undefined ? [] : [html`<td class="number">${scored.labels[position]}</td>`];
    const values = names.map(
      (_, j) => html`<td class="number">${few(matrix.data[position * matrix.columns + j] as number)}</td>`,
    );
    return html`<tr><th scope="row" class="number">${row}</th>${id}<td class="number">${few(score)}</td><td>${isAnomaly ? html`<strong class="flag">anomaly</strong>` : 'normal'}</td>${label}${values}</tr>
`;
  });
  return html`<div class="scroll" role="region" aria-label="The highest scores" tabindex="0"><table>
<caption>The ${positions.length} highest scores${more > 0 ? `; ${more} more columns are not shown` : ''}. Rows are counted from 0.</caption>
<thead><tr>${head.map((name) => html`<th scope="col" class="${NUMBERS.has(name) ? 'number' : ''}">${clean(name, 40)}</th>`)}${names.map((name) => html`<th scope="col" class="number">${clean(name, 40)}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

/** Why each row is an anomaly. */
export function reasonCards(detection: Detection, positions: readonly number[], moments: Moments): Html {
  const changesOf = (position: number): readonly Change[] => {
    const explanation = detection.explanations.get(position);
    if (explanation === undefined) return deviationsOf(detection.input, moments, position);
    return explanation.changes.filter(({ from, to }) => few(from) !== few(to));
  };
  // One scale for all cards: a bar means the same wherever it is.
  const deviations = positions.flatMap((position) =>
    changesOf(position)
      .slice(0, MOST_BARS)
      .map(({ inDeviations }) => Math.abs(inDeviations ?? 0)),
  );
  const longest = Math.max(0, ...deviations) || 1;
  const cards = positions.map((position) => {
    const explanation = detection.explanations.get(position);
    const score = few(detection.scored.scores[position] as number);
    const changes = changesOf(position);
    const words =
      explanation === undefined
        ? undefined
        : explanation.isNormal
          ? 'It would be normal with these changes:'
          : 'No normal row was found; the nearest has these changes:';
    const reasons = explanation === undefined ? undefined : reasonList(explanation.reasons);
    return html`<figure class="card"><figcaption><strong>${nameOf(detection, position)}</strong> <span class="quiet">score ${score}</span>${reasons}${words === undefined ? undefined : html`<br>${words}`}</figcaption>
${changes.length === 0 ? html`<p class="quiet">No change was found that helps.</p>` : bars(changes, longest, explanation !== undefined)}</figure>
`;
  });
  return html`<div class="cards">${cards}</div>`;
}

/** What sets the row apart, in words. */
function reasonList(reasons: readonly Reason[]): Html | undefined {
  if (reasons.length === 0) return undefined;
  const items = reasons.slice(0, MOST_REASONS).map(({ name, value, typical, share }) => {
    const percent = `${Math.round(share * 100)} %`;
    return html`<li><span class="feature">${clean(name, 60)}</span> <span class="value"><b>${few(value)}</b>, usually ${few(typical)} (${percent})</span></li>
`;
  });
  return html`<br>It stands out by<ul class="changes">${items}</ul>`;
}

/** Bars to the left and right of a line, under the name and the values of each feature. */
function bars(changes: readonly Change[], longest: number, isChange: boolean): Html {
  const shown = changes.slice(0, MOST_BARS);
  const items = shown.map(({ name, from, to, inDeviations }) => {
    const size = ((inDeviations ?? 0) / longest) * 100;
    const values = isChange ? `${few(from)} → ${few(to)}` : few(from);
    const deviations = inDeviations === null ? '' : `${inDeviations < 0 ? '−' : '+'}${few(Math.abs(inDeviations))} σ`;
    const bar = html`<rect class="${size < 0 ? 'down' : 'up'}" x="${round(Math.min(100, 100 + size))}" y="0" width="${round(Math.max(0.7, Math.abs(size)))}" height="8"/>`;
    return html`<li><span class="feature">${clean(name, 60)}</span> <span class="value">${values} <b>${deviations}</b></span>
<svg viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true"><line class="axis" x1="100" x2="100" y1="0" y2="8"/>${bar}</svg></li>
`;
  });
  const left = changes.length - shown.length;
  const more =
    left > 0
      ? html`<li class="quiet">and ${left} more ${left === 1 ? 'feature' : 'features'} with smaller bars</li>`
      : undefined;
  return html`<ul class="changes">${items}${more}</ul>`;
}
