import { escapeHtml } from '../../lib/escape-html.ts';

/** A fragment of HTML. The `html` tag escapes the strings that it inserts. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | false | readonly Part[];

function partToText(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(partToText).join('');
}

/** Template strings with line breaks of the source collapsed to one space, by template. */
const collapsedCache = new WeakMap<TemplateStringsArray, string[]>();

function collapseWhitespace(strings: TemplateStringsArray): string[] {
  const cached = collapsedCache.get(strings);
  if (cached !== undefined) return cached;
  const collapsed = strings.map((string) => {
    const lines = string.split(/\n\s*/);
    return lines.map((line, i) => (i < lines.length - 1 ? line.trimEnd() : line)).join(' ');
  });
  collapsedCache.set(strings, collapsed);
  return collapsed;
}

/** html`<p>${name}</p>`: escapes strings and numbers, inserts Html values unchanged, and omits null and false. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    collapseWhitespace(strings).reduce(
      (result, string, index) => result + partToText(parts[index - 1] ?? null) + string,
    ),
  );
}

/** Marks a string as safe HTML, which is inserted without escaping. */
export const trustedHtml = (text: string): Html => new Html(text);
