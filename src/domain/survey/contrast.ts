type Rgb = [number, number, number];

function parseHexColor(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function formatHexColor(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors as WCAG 2.2 defines it, from 1 to 21. */
export function contrastRatio(first: string, second: string): number {
  const [high, low] = [luminance(parseHexColor(first)), luminance(parseHexColor(second))].sort(
    (a, b) => b - a,
  ) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Returns `color` with a share of `other`, from 0 to 1. */
export function mixColors(color: string, other: string, share: number): string {
  const to = parseHexColor(other);
  return formatHexColor(
    parseHexColor(color).map((part, index) => part + ((to[index] ?? part) - part) * share) as Rgb,
  );
}

/** Mixes the color with `towards` in small steps until it is sufficient. Returns `towards` if nothing before is. */
export function nearestColor(
  color: string,
  towards: string,
  isSufficient: (mixed: string) => boolean,
): string {
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = mixColors(color, towards, share);
    if (isSufficient(mixed)) return mixed;
  }
  return towards;
}
