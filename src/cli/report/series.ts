// The report of a time series: each value over time, with the alarms, in one HTML file without scripts.
import { clean, count } from '../errors.js';
import { alarmsInWords, type SeriesFindings, timeText } from '../series/findings.js';
import { few } from '../terminal.js';
import { type Html, html } from './html.js';
import { type ReportFacts, reportPage } from './page.js';
import { type Axes, HEIGHT, Plot, padded, rangeOf, round } from './plot.js';

/** Most columns with a chart, and most alarms in the table. */
const MOST_PICTURES = 12;
const MOST_ALARMS = 100;
/** Parts of the time axis; of each the first, lowest, highest and last value are drawn. */
const PARTS = 220;
/** Milliseconds of the units that times are shown in. */
const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
] as const;

export function seriesReport(found: SeriesFindings, facts: ReportFacts): string {
  const alarms = [...found.areAlarms.keys()].filter((i) => found.areAlarms[i] === 1);
  const axis = axisOf(found);
  const { names } = found;
  const pictures = names
    .slice(0, MOST_PICTURES)
    .map(
      (name, j) =>
        html`<figure><figcaption><strong>${clean(name, 60)}</strong></figcaption>${valuePlot(found, alarms, axis, j)}</figure>`,
    );
  const more = names.length - pictures.length;
  const sections = html`<section aria-labelledby="pictures">
<h2 id="pictures">The values over time</h2>
<div class="pictures">
${pictures}
<figure><figcaption><strong>score</strong><br><span class="quiet">By rank among the last 5,000: 1 is the highest of them.</span></figcaption>${scorePlot(found, alarms, axis)}</figure>
</div>
${more > 0 ? html`<p class="quiet">and ${count(more, 'more column')}</p>` : ''}
</section>
<section aria-labelledby="alarms">
<h2 id="alarms">The alarms</h2>
${alarms.length === 0 ? html`<p class="quiet">There are none.</p>` : alarmTable(found, alarms)}
</section>`;
  const summary = html`<p class="verdict"><strong>${alarmsInWords(found)}</strong>.</p>
<p class="quiet">Each row is compared with those before it; after an alarm the detector rests for a while. Dots are alarms.</p>`;
  return reportPage({ title: `Alarms in ${clean(found.name, 80)}`, summary, sections }, facts);
}

interface TimeAxis {
  readonly label: string;
  at(i: number): number;
}

/** Times are shown relative to the first, in a suitable unit. */
function axisOf(found: SeriesFindings): TimeAxis {
  const { times, rowNumbers } = found;
  if (times === undefined) return { label: 'row', at: (i) => i };
  const at = (i: number): number => times.values[rowNumbers[i] as number] as number;
  if (!times.areDates) return { label: clean(times.name, 40), at };
  const [first, last] = [at(0), at(rowNumbers.length - 1)];
  const [unit, size] = UNITS.find(([, milliseconds]) => last - first >= 3 * milliseconds) ?? UNITS[3];
  return { label: `${unit} since ${timeText(found, 0)}`, at: (i) => (at(i) - first) / size };
}

function valuePlot(found: SeriesFindings, alarms: readonly number[], axis: TimeAxis, column: number): Html {
  const { values, names, rowNumbers } = found;
  const at = (i: number): number => values[i * names.length + column] as number;
  const y = padded(rangeOf(Float64Array.from(rowNumbers, (_, i) => at(i))));
  return courseOf(found, alarms, { axis, at, y, yLabel: clean(names[column] as string, 30) });
}

function scorePlot(found: SeriesFindings, alarms: readonly number[], axis: TimeAxis): Html {
  return courseOf(found, alarms, { axis, at: (i) => found.scores[i] as number, y: [0, 1.04], yLabel: 'score' });
}

interface Course extends Pick<Axes, 'y' | 'yLabel'> {
  readonly axis: TimeAxis;
  at(i: number): number;
}

function courseOf(found: SeriesFindings, alarms: readonly number[], { axis, at, y, yLabel }: Course): Html {
  const rows = found.rowNumbers.length;
  const plot = new Plot({ x: [axis.at(0), axis.at(rows - 1)], y, xLabel: axis.label, yLabel });
  const dots = alarms.map((i) => {
    const [x, top] = [round(plot.x(axis.at(i))), round(plot.y(at(i)))];
    return html`<circle class="h8" cx="${x}" cy="${top}" r="3.5"><title>${timeText(found, i)}: ${few(at(i))}</title></circle>`;
  });
  const marks = alarms.map((i) => {
    const x = round(plot.x(axis.at(i)));
    return html`<line class="chance" x1="${x}" x2="${x}" y1="14" y2="${HEIGHT - 44}"/>`;
  });
  const points = outline(rows, at).map((i) => [axis.at(i), at(i)] as const);
  return plot.draw(`${yLabel} over time, with ${count(alarms.length, 'alarm')}.`, [
    html`${marks}`,
    plot.line(points, 'curve'),
    html`${dots}`,
  ]);
}

/** Rows that keep the shape of a long curve: of each part the first, the lowest, the highest and the last. */
function outline(rows: number, at: (i: number) => number): number[] {
  if (rows <= 4 * PARTS) return Array.from({ length: rows }, (_, i) => i);
  return Array.from({ length: PARTS }, (_, part) => {
    const [from, to] = [Math.floor((part * rows) / PARTS), Math.floor(((part + 1) * rows) / PARTS)];
    let [low, high] = [from, from];
    for (let i = from; i < to; i++) {
      if (at(i) < at(low)) low = i;
      if (at(i) > at(high)) high = i;
    }
    return [...new Set([from, low, high, to - 1])].sort((a, b) => a - b);
  }).flat();
}

function alarmTable(found: SeriesFindings, alarms: readonly number[]): Html {
  const { times, rowNumbers, names, values } = found;
  const shown = names.slice(0, MOST_PICTURES);
  const rows = alarms.slice(0, MOST_ALARMS).map((i) => {
    const cells = shown.map((_, j) => html`<td class="number">${few(values[i * names.length + j] as number)}</td>`);
    return html`<tr><td class="number">${rowNumbers[i]}</td>${times && html`<td>${timeText(found, i)}</td>`}${cells}</tr>`;
  });
  const heads = shown.map((name) => html`<th class="number" scope="col">${clean(name, 24)}</th>`);
  const rest = alarms.length - rows.length;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The alarms"><table>
<thead><tr><th class="number" scope="col">row</th>${times && html`<th scope="col">${clean(times.name, 24)}</th>`}${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>${rest > 0 ? html`<p class="quiet">and ${count(rest, 'more alarm')}</p>` : ''}`;
}
