// The frame of a report: one self-contained HTML file without scripts (its content security policy forbids them).
import { clean } from '../errors.js';
import { Html, html } from './html.js';
import { STYLE } from './style.js';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export interface ReportFacts {
  readonly version: string;
  readonly commandLine: string;
  readonly date: Date;
}

export interface ReportParts {
  readonly title: string;
  /** Below the title. */
  readonly summary: Html;
  readonly sections: Html;
  /** Above the end. */
  readonly note?: Html;
}

/** The file of a report. */
export function reportPage({ title, summary, sections, note }: ReportParts, facts: ReportFacts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
${summary}
</header>
${sections}
<footer>
<p>Made by curvad ${facts.version} on ${facts.date.toISOString().slice(0, 16).replace('T', ' ')} UTC with <code>${clean(facts.commandLine, 300)}</code></p>
${note ?? ''}
</footer>
</main>
</body>
</html>
`.markup;
}
