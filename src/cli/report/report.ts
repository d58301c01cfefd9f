// The report of a detection: the verdict, charts of the scores, the top rows and why they stand out.
import { countAnomalies, type Detection, methodInWords } from '../commands/detection.js';
import { clean, count } from '../errors.js';
import { duration, few } from '../terminal.js';
import { thresholdInWords } from '../verdict.js';
import { alongPlot } from './along.js';
import { anomalyTable, nameOf, reasonCards } from './anomalies.js';
import { precisionPlot, rocPlot } from './curves.js';
import { type Html, html } from './html.js';
import { landscapePlot } from './landscape.js';
import { type ReportFacts, reportPage } from './page.js';
import { projectionPlot } from './projection.js';
import { histogram, screePlot } from './scores.js';

/** Most rows with an explanation. */
const MOST_CARDS = 12;
/** With fewer rows, what is normal cannot be judged. */
const FEW_ROWS = 20;
export function reportOf(detection: Detection, top: number, facts: ReportFacts): string {
  const { input, scored, order, chosen } = detection;
  const positions = [...order.subarray(0, top)];
  const flagged = positions.filter((position) => (scored.scores[position] as number) > scored.threshold);
  const sections = html`<section aria-labelledby="pictures">
<h2 id="pictures">The scores</h2>
<div class="pictures">
${along(detection)}
${picture('Scores, highest first', 'The steeper the fall at the left, the clearer the anomalies stand out.', screePlot(scored.scores, order, scored.threshold))}
${picture('Distribution of scores', 'The count of rows is on a logarithmic axis, so that small counts stay visible.', histogram(scored.scores, scored.threshold))}
${projection(detection)}
${landscapeOf(detection)}
${curves(detection)}
</div>
</section>
<section aria-labelledby="top">
<h2 id="top">The highest scores</h2>
${anomalyTable(detection, positions)}
</section>
<section aria-labelledby="why">
<h2 id="why">Why they stand out</h2>
<p class="quiet">${whyNote(detection, flagged.length)}</p>
${reasonCards(detection, flagged.slice(0, MOST_CARDS))}
</section>`;
  return reportPage(
    {
      title: `Anomalies in ${clean(input.name, 80)}`,
      summary: html`${verdict(detection)}
${summary(detection)}`,
      sections,
      note: html`<p>${methodInWords(chosen)}: ${chosen.method.about}. Higher scores are more anomalous; rows above the threshold are called anomalies.</p>`,
    },
    facts,
  );
}

function verdict(detection: Detection): Html {
  const { scored, detector } = detection;
  const rows = count(scored.scores.length, 'row');
  if (detector.isDegenerate)
    return html`<p class="verdict"><strong>No anomaly</strong> in ${rows}: all scores are equal.</p>`;
  const anomalies = countAnomalies(scored);
  const rule = html`<p class="quiet">${thresholdInWords(detector)}</p>`;
  if (anomalies === 0) return html`<p class="verdict"><strong>No anomaly</strong> in ${rows}.</p>${rule}`;
  const share = ((100 * anomalies) / scored.scores.length).toFixed(1);
  if (scored.scores.length < FEW_ROWS) {
    const few = `${rows} are few to compare with`;
    return html`<p class="verdict">${few}: <strong>treat the order as a hint,</strong> not as a verdict.</p>`;
  }
  const isDoubtful = detector.warnings.some(({ code }) => code === 'MANY_FLAGGED');
  if (isDoubtful) {
    return html`<p class="verdict">${count(anomalies, 'row')} of ${scored.scores.length.toLocaleString('en')} (${share} %) are above the threshold: <strong>too many to be anomalies.</strong> Trust the order rather than the labels.</p>${rule}`;
  }
  return html`<p class="verdict"><strong>${count(anomalies, 'anomaly', 'anomalies')}</strong> in ${rows} (${share} %).</p>${rule}`;
}

function along(detection: Detection): Html | undefined {
  if (detection.scored.scores.length < 2) return undefined;
  const { title, drawing } = alongPlot(detection);
  return picture(title, 'Where the high scores are. Red dots are anomalies.', drawing);
}

function summary({ input, scored, chosen, detector, seconds, fittedRows, quality }: Detection): Html {
  const facts: Array<readonly [string, string]> = [
    ['method', methodInWords(chosen)],
    ['threshold', few(scored.threshold)],
    ['columns', columnsInWords(input.recipe.columns.map(({ name }) => name))],
    ['fitted in', `${duration(seconds)} on ${detector.backend}`],
  ];
  if (fittedRows < scored.scores.length)
    facts.push(['sample', `fitted on ${count(fittedRows, 'row')} drawn at random; all rows are scored`]);
  const dropped = input.table.rows - input.rowNumbers.length;
  if (dropped > 0) facts.push(['omitted', `${count(dropped, 'row')} with missing values`]);
  if (quality !== undefined)
    facts.push(['AUC', quality.rocAuc.toFixed(4)], ['average precision', quality.averagePrecision.toFixed(4)]);
  return html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function picture(title: string, meaning: string, drawing: Html, below?: Html): Html {
  return html`<figure><figcaption><strong>${title}</strong><br><span class="quiet">${meaning}</span></figcaption>${drawing}${below}</figure>`;
}

function projection(detection: Detection): Html | undefined {
  const { input, scored, order, chosen } = detection;
  if (input.matrix.columns < 2 || input.matrix.rows < 3) return undefined;
  const drawing = projectionPlot({
    matrix: input.matrix,
    scores: scored.scores,
    order,
    threshold: scored.threshold,
    isStandardized: chosen.options.standardize === true || chosen.method.isScaleFree === true,
    nameOf: (position) => nameOf(detection, position),
  });
  const legend = html`<div class="legend" aria-hidden="true">low <i></i> high score</div>`;
  return picture(
    'The rows in two dimensions',
    'Principal components: the two directions in which the rows vary most. Larger dots are anomalies.',
    drawing,
    legend,
  );
}

function landscapeOf({ input, detector, order }: Detection): Html | undefined {
  if (input.matrix.columns !== 2) return undefined;
  const drawing = landscapePlot(detector, input.matrix, order, input.recipe.features);
  return picture('The anomaly landscape', 'The score of a row at every point: darker is more anomalous.', drawing);
}

function curves({ scored, quality }: Detection): Html | undefined {
  const { labels, scores } = scored;
  if (labels === undefined || quality === undefined) return undefined;
  return html`${picture('ROC curve', 'Anomalies found against normal rows flagged; the dotted line is chance.', rocPlot(labels, scores, quality.rocAuc))}
${picture('Precision and recall', 'The share of flagged rows that are anomalies; the dotted line is chance.', precisionPlot(labels, scores, quality.averagePrecision))}`;
}

function columnsInWords(names: readonly string[]): string {
  const list = names.slice(0, 5).map((name) => clean(name, 24));
  return `${names.length}: ${list.join(', ')}${names.length > list.length ? ', …' : ''}`;
}

function whyNote({ explanations }: Detection, flagged: number): string {
  if (flagged === 0) return 'No row is above the threshold.';
  if (explanations.size === 0) return 'These rows cannot be explained: there are too few normal rows to compare with.';
  return 'For each row: what makes it stand out from similar rows, with its share of the score, and the smallest change found that makes it normal. Bars show changes in standard deviations (σ) of all rows, on a common scale.';
}
