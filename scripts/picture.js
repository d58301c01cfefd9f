// Draws docs/scores.svg, the picture in the README: two moons and some outliers, larger and redder the
// higher their CAD score. Run it after a build: node scripts/picture.js
import { writeFileSync } from 'node:fs';
import { CAD } from '../dist/index.js';

let state = 20;
const uniform = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const noise = () => (uniform() + uniform() + uniform() + uniform() - 2) * 0.5;

const rows = [];
for (let i = 0; i < 420; i++) {
  const angle = Math.PI * uniform();
  const [x, y] = i % 2 ? [Math.cos(angle), Math.sin(angle)] : [1 - Math.cos(angle), 0.5 - Math.sin(angle)];
  rows.push([4 * (x - 0.5) + noise(), 4 * (y - 0.25) + noise()]);
}
for (let i = 0; i < 18; i++) rows.push([12 * uniform() - 6, 7.6 * uniform() - 3.8]);

const cad = new CAD().fit(rows);
const scale = 47;
const [width, height] = [680, 430];
// From pale blue to dark red: the order shows in lightness too, for eyes that do not tell hues apart.
const mix = (share, from, to) => Math.round(from + (to - from) * share);
const colour = (share) => `rgb(${mix(share, 158, 190)} ${mix(share, 188, 24)} ${mix(share, 218, 33)})`;
const order = rows.map((_, i) => i).sort((a, b) => cad.scores[a] - cad.scores[b]);
const [low, high] = [cad.scores[order[0]], cad.scores[order.at(-1)]];
const dots = order.map((i) => {
  const share = (cad.scores[i] - low) / (high - low);
  const [x, y] = [width / 2 + rows[i][0] * scale, height / 2 + 16 - rows[i][1] * scale];
  const ring = cad.scores[i] > cad.threshold ? ' stroke="#7a1f1f" stroke-width="1"' : '';
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(2.2 + 5.5 * share ** 2).toFixed(1)}" fill="${colour(share)}"${ring}/>`;
});
const legend = [0, 0.25, 0.5, 0.75, 1].map((share, i) => {
  const r = (2.2 + 5.5 * share ** 2).toFixed(1);
  return `<circle cx="${92 + i * 22}" cy="20" r="${r}" fill="${colour(share)}"/>`;
});
writeFileSync(
  'docs/scores.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Points of two moons, small and blue inside, larger and red where they stand out">
<rect width="100%" height="100%" fill="#fff"/>
${dots.join('\n')}
<g font-family="system-ui, sans-serif" font-size="13" fill="#333"><text x="14" y="24">normal</text>${legend.join('')}<text x="202" y="24">sharp corner (ringed: above the threshold)</text></g>
</svg>
`,
);
