/** Colors derived from the color of a survey, with enough contrast on it and on both backgrounds. */
export interface Theme {
  accent: string;
  /** Text on the accent: black or white, one of which always has a contrast of at least 4.5:1. */
  onAccent: string;
  /** The accent for lines and text on a light background. */
  accentTextOnLight: string;
  accentTextOnDark: string;
}

const DEFAULT_ACCENT = '#4f46e5';
const LIGHT_BACKGROUND = '#f3f1ee';
const DARK_BACKGROUND = '#24272c';
/** WCAG 2.2, 1.4.3: text of normal size. */
const MIN_CONTRAST = 4.5;

type Rgb = [number, number, number];

function parseHexColor(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function formatHexColor(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance as WCAG defines it. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrastRatio(first: string, second: string): number {
  const [high, low] = [luminance(parseHexColor(first)), luminance(parseHexColor(second))].sort(
    (a, b) => b - a,
  ) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Mixes the color with `towards` in small steps until its contrast on the background is sufficient. */
function ensureContrast(color: string, background: string, towards: string): string {
  const [from, to] = [parseHexColor(color), parseHexColor(towards)];
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = formatHexColor(
      from.map((part, index) => part + ((to[index] ?? part) - part) * share) as Rgb,
    );
    if (contrastRatio(mixed, background) >= MIN_CONTRAST) return mixed;
  }
  return towards;
}

export function createTheme(color: string | null): Theme {
  const accent = color ?? DEFAULT_ACCENT;
  return {
    accent,
    onAccent: contrastRatio(accent, '#ffffff') >= MIN_CONTRAST ? '#ffffff' : '#000000',
    accentTextOnLight: ensureContrast(accent, LIGHT_BACKGROUND, '#000000'),
    accentTextOnDark: ensureContrast(accent, DARK_BACKGROUND, '#ffffff'),
  };
}
