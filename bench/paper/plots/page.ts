// The page that shows the figures with their captions: one file beside them, no scripts.
import type { Figure } from './figure.js';

const STYLE = `
  body { margin: 0 auto; max-width: 1200px; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
  h1 { font-size: 1.6rem; line-height: 1.2; }
  nav { columns: 2; margin: 1rem 0 2rem; }
  nav a { display: block; }
  figure { margin: 0 0 3rem; padding-top: 1rem; border-top: 1px solid #ddd; }
  figure img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
  figcaption { max-width: 48rem; margin: 0.75rem auto 0; }
  figcaption span { color: #666; font-size: 0.875rem; }
  a { color: #0072b2; }
  @media (max-width: 40rem) {
    nav { columns: 1; }
    figure { overflow-x: auto; }
    figure img { max-width: none; }
    figcaption { position: sticky; left: 0; }
  }
`;

/** @param remarks What is not shown, and why. */
export function pageOf(figures: readonly Figure[], remarks: readonly string[]): string {
  const entries = figures.map((figure, i) => ({ ...figure, number: i + 1, title: titleOf(figure) }));
  const links = entries.map(({ name, number, title }) => `<a href="#${name}">${number}. ${escaped(title)}</a>`);
  const pictures = entries.map(
    ({ name, number, title, caption }) => `<figure id="${name}">
<img src="${name}.svg" alt="${escaped(title)}" />
<figcaption><b>Figure ${number}.</b> ${escaped(caption)} <span><a href="${name}.svg">SVG</a> · <a href="${name}.png">PNG</a></span></figcaption>
</figure>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>curvad: the figures</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Anomaly detection and prototype selection by polyhedron curvature: the figures, drawn again</h1>
<p>After B. Ghojogh, F. Karray, M. Crowley, <i>Anomaly Detection and Prototype Selection Using Polyhedron Curvature</i>, Canadian AI 2020. Made by <code>npm run paper -- figures</code>.</p>
<nav>${links.join('\n')}</nav>
${[...remarks.map((remark) => `<p><b>${escaped(remark)}</b></p>`), ...pictures].join('\n')}
</body>
</html>
`;
}

/** The title a picture carries. */
function titleOf({ svg, name }: Figure): string {
  return svg.match(/<title[^>]*>([^<]*)</)?.[1] ?? name;
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}
