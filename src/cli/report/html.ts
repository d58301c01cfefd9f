// HTML from untrusted text: every value put into a template is escaped, unless it is markup already.

/** Markup, as opposed to text. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** A template: values are escaped, markup and lists of it are inserted unchanged. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, i) => text + render(parts[i - 1]) + string));
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeText(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for an element or attribute; characters that XML forbids become �. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string).replace(FORBIDDEN, '�');
}

// Control characters, and those that change text direction.
const FORBIDDEN = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;
