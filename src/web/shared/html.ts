import { escapeHtml } from './escaped.ts';

/** A piece of a page; what people wrote is escaped in it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | false | readonly Part[];

function partToText(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(partToText).join('');
}

/** Line breaks of the source are spaces of the page. */
const collapsedCache = new WeakMap<TemplateStringsArray, string[]>();

function collapseWhitespace(strings: TemplateStringsArray): string[] {
  const known = collapsedCache.get(strings);
  if (known !== undefined) return known;
  const made = strings.map((string) => string.replace(/\s*\n\s*/g, ' '));
  collapsedCache.set(strings, made);
  return made;
}

/** html`<p>${name}</p>`: strings and numbers as text, pieces as they are, null and false as nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    collapseWhitespace(strings).reduce(
      (all, string, place) => all + partToText(parts[place - 1] ?? null) + string,
    ),
  );
}

/** What is HTML already, and known to be harmless. */
export const trustedHtml = (text: string): Html => new Html(text);
