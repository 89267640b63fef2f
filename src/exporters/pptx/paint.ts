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
      [hex(look.ink), 'tx1'],
      [hex(look.soft), 'tx2'],
      [hex(look.ground), 'bg1'],
      [hex(look.line), 'bg2'],
    ]);
  }

  /** The theme's four others: ink, ground, soft, line. */
  get grounds(): readonly string[] {
    const { ink, ground, soft, line } = this.look;
    return [ink, ground, soft, line].map(hex);
  }

  /** `opacity` from 0 to 1; without: it covers. */
  color(color: string, opacity?: number): string {
    const name = this.#names.get(hex(color));
    const [tag, value] = name === undefined ? ['srgbClr', hex(color)] : ['schemeClr', name];
    if (opacity === undefined) return `<a:${tag} val="${value}"/>`;
    return `<a:${tag} val="${value}"><a:alpha val="${Math.round(opacity * 100_000)}"/></a:${tag}>`;
  }

  fill(color: string, opacity?: number): string {
    return `<a:solidFill>${this.color(color, opacity)}</a:solidFill>`;
  }

  /** A line of so many points. */
  line(color: string, points: number): string {
    return `<a:ln w="${Math.round(points * 12_700)}" cap="rnd">${this.fill(color)}<a:round/></a:ln>`;
  }
}
