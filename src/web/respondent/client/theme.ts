/** Colours derived from the colour of a survey, with enough contrast on it and on both backgrounds. */
export interface Theme {
  accent: string;
  /** Text on the accent: black or white, one of which always has a contrast of at least 4.5:1. */
  onAccent: string;
  /** The accent for lines and text on a light background. */
  markOnLight: string;
  markOnDark: string;
}

const DEFAULT_ACCENT = '#4f46e5';
const LIGHT_GROUND = '#f3f1ee';
const DARK_GROUND = '#24272c';
/** WCAG 2.2, 1.4.3: text of normal size. */
const LEAST_CONTRAST = 4.5;

type Rgb = [number, number, number];

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hexOf(rgb: Rgb): string {
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

export function contrastRatio(one: string, other: string): number {
  const [high, low] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (high + 0.05) / (low + 0.05);
}

/** Mixes the colour with `towards` in small steps until its contrast on the background is sufficient. */
function legible(colour: string, ground: string, towards: string): string {
  const [from, to] = [rgbOf(colour), rgbOf(towards)];
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = hexOf(from.map((part, index) => part + (to[index]! - part) * share) as Rgb);
    if (contrastRatio(mixed, ground) >= LEAST_CONTRAST) return mixed;
  }
  return towards;
}

export function createTheme(colour: string | null): Theme {
  const accent = colour ?? DEFAULT_ACCENT;
  return {
    accent,
    onAccent: contrastRatio(accent, '#ffffff') >= LEAST_CONTRAST ? '#ffffff' : '#000000',
    markOnLight: legible(accent, LIGHT_GROUND, '#000000'),
    markOnDark: legible(accent, DARK_GROUND, '#ffffff'),
  };
}
