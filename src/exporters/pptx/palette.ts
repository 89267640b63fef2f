import type { ReportStyle } from '../slides/slide-page.ts';

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
