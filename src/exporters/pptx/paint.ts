import type { ReportLook } from '../slides/report-look.ts';

const ACCENTS = 6;

/** `#4f46e5` or `#45e` as the format writes it. */
const hex = (color: string): string =>
  (color.length === 4
    ? [...color.slice(1)].map((digit) => digit + digit).join('')
    : color.slice(1)
  ).toUpperCase();

/** The colours of a report: those of its theme by their names, so that they change with it. */
export class Paint {
  readonly look: ReportLook;
  /** The theme's own, as the format writes them. */
  readonly accents: readonly string[];
  readonly #names: ReadonlyMap<string, string>;

  constructor(look: ReportLook) {
    this.look = look;
    const colors = look.colors.map(({ fill }) => hex(fill));
    this.accents = [...new Set([hex(look.accent.fill), ...colors])].slice(0, ACCENTS);
    this.#names = new Map([
      ...this.accents.map((accent, place) => [accent, `accent${place + 1}`] as const),
      [hex(look.text), 'tx1'],
      [hex(look.mutedText), 'tx2'],
      [hex(look.background), 'bg1'],
      [hex(look.line), 'bg2'],
    ]);
  }

  /** The theme's four others: ink, ground, soft, line. */
  get grounds(): readonly string[] {
    const { text: ink, background: ground, mutedText: soft, line } = this.look;
    return [ink, ground, soft, line].map(hex);
  }

  /** As the library takes it: a name of the theme, or six digits. */
  name(color: string): string {
    return this.#names.get(hex(color)) ?? hex(color);
  }

  /** As XML. */
  fill(color: string): string {
    const name = this.name(color);
    const tag = name === hex(color) ? 'srgbClr' : 'schemeClr';
    return `<a:solidFill><a:${tag} val="${name}"/></a:solidFill>`;
  }
}
