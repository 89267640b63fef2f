import type { ReportStyle } from '../slide-page.ts';

/** Characters that XML 1.0 forbids, control characters and lone surrogates. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|[\p{Cs}\ufffe\uffff]/gu;
const SPECIAL = /[&<>"]/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Removes characters that XML forbids. */
export const removeForbiddenCharacters = (text: string): string => text.replace(FORBIDDEN, '');

/** Escapes a text for an element or attribute. */
export function xmlText(text: string): string {
  return removeForbiddenCharacters(text).replace(
    SPECIAL,
    (character) => ENTITIES.get(character) ?? character,
  );
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const OFFICE = 'http://schemas.openxmlformats.org';
const RELATION = `${OFFICE}/officeDocument/2006/relationships`;
/** Namespaces of slides, layouts and masters. */
export const NAMESPACES = [
  `xmlns:a="${OFFICE}/drawingml/2006/main"`,
  `xmlns:r="${RELATION}"`,
  `xmlns:p="${OFFICE}/presentationml/2006/main"`,
].join(' ');

/** Converts points to EMU (914,400 per inch). */
export const toEmu = (points: number): number => Math.round(points * 12_700);

/** Joins texts on one line; each keeps its direction. */
export function joinOnOneLine(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => `\u2068${removeForbiddenCharacters(text)}\u2069`)
    .join('  ·  ');
}

const ACCENTS = 6;

/** `#4f46e5` or `#45e` as six uppercase digits. */
const toHex = (color: string): string =>
  (color.length === 4
    ? [...color.slice(1)].map((digit) => digit + digit).join('')
    : color.slice(1)
  ).toUpperCase();

/** The colors of a report. Theme colors are referenced by name, so that they change with the theme. */
export class Palette {
  /** The accent colors of the theme as hexadecimal digits. */
  readonly accents: readonly string[];
  readonly #names: ReadonlyMap<string, string>;

  constructor(readonly style: ReportStyle) {
    const colors = style.colors.map(({ fill }) => toHex(fill));
    this.accents = [...new Set([toHex(style.accent.fill), ...colors])].slice(0, ACCENTS);
    this.#names = new Map([
      ...this.accents.map((accent, index) => [accent, `accent${index + 1}`] as const),
      [toHex(style.text), 'tx1'],
      [toHex(style.mutedText), 'tx2'],
      [toHex(style.background), 'bg1'],
      [toHex(style.line), 'bg2'],
    ]);
  }

  /** The base colors of the theme: text, background, muted text, line. */
  get baseColors(): readonly string[] {
    const { text, background, mutedText, line } = this.style;
    return [text, background, mutedText, line].map(toHex);
  }

  /** A theme color name or six digits, as the library expects. */
  colorName(color: string): string {
    return this.#names.get(toHex(color)) ?? toHex(color);
  }

  /** As XML. */
  fillXml(color: string): string {
    const name = this.colorName(color);
    const tag = name === toHex(color) ? 'srgbClr' : 'schemeClr';
    return `<a:solidFill><a:${tag} val="${name}"/></a:solidFill>`;
  }
}
