// The file of results: a head that says how to read it, and a section per job between markers, so that each
// job replaces its own and leaves the others alone.

const HEAD = `# The paper, measured again

B. Ghojogh, F. Karray, M. Crowley, _Anomaly Detection and Prototype Selection Using Polyhedron Curvature_, Canadian AI 2020.

How to read the tables:

- Cells are mean ± population standard deviation over folds: AUC in percent, seconds on one thread of the machine that ran the command. Compare seconds within a row; the paper's are of its own machine.
- **As defined** is curvad, which follows the paper's text: which end of a score is anomalous, a training row excluded by its index, all k nearest rows for a new one, double precision. _As published_ imitates the released program, which drops the nearest row of a new one (K-CAD: of any row, for the row itself), pairs neighbours with themselves, orders ties as NumPy's quicksort, and subtracts letter's bytes modulo 256. _In the paper_ is what is printed there.
- The printed CAD column is inverted (100 − AUC), and the printed K-CAD columns take higher scores as anomalous, against the paper's text: there, agreement with curvad shows as 100 − x.
`;

const begin = (name: string): string => `<!-- ${name}: begin -->`;
const end = (name: string): string => `<!-- ${name}: end -->`;

/** The file with a section replaced or added. Sections come in the order of `names`, unknown ones last. */
export function withSection(file: string, name: string, lines: readonly string[], names: readonly string[]): string {
  const sections = new Map(
    Array.from(file.matchAll(/<!-- (\S+): begin -->\n([\s\S]*?)\n<!-- \1: end -->/g), (match) => [match[1], match[2]]),
  );
  sections.set(name, lines.join('\n').trim());
  const place = (section: string | undefined): number => names.indexOf(section ?? '') + 1 || Infinity;
  const ordered = [...sections].sort(([a], [b]) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  return [HEAD, ...ordered.map(([section = '', text]) => `${begin(section)}\n${text}\n${end(section)}\n`)].join('\n');
}
