import { contrastRatio, mixColors, nearestColor } from '../../domain/survey/contrast.ts';
import {
  buttonColors,
  type Look,
  MIN_TEXT_CONTRAST,
  schemeOf,
  surfaceOn,
  type Typeface,
} from '../../domain/survey/look.ts';

/** The look of a page. */
export interface Theme {
  /** Values of the design system, by the name of their CSS property. */
  properties: Record<string, string>;
  /** null: as the device is set. */
  scheme: 'light' | 'dark' | null;
}

/** Behind texts in the accent on the standard pages. */
const LIGHT_BACKGROUNDS = ['#f3f1ee'];
const DARK_BACKGROUNDS = ['#24272c'];

/** Typefaces that devices have, with the most similar ones of each system. `sans` is that of the design system. */
const FONTS: Record<Exclude<Typeface, 'sans'>, string> = {
  serif: "'Iowan Old Style', 'Palatino Linotype', Palatino, Charter, 'Noto Serif', Georgia, serif",
  rounded:
    "ui-rounded, 'SF Pro Rounded', 'Hiragino Maru Gothic ProN', Quicksand, Nunito, 'Arial Rounded MT Bold', Calibri, sans-serif",
};

/** Mixes the color with `towards` until texts in it have enough contrast on all backgrounds. */
const legibleOn = (color: string, backgrounds: readonly string[], towards: string): string =>
  nearestColor(color, towards, (mixed) =>
    backgrounds.every((background) => contrastRatio(mixed, background) >= MIN_TEXT_CONTRAST),
  );

/** Returns colors derived from those of a survey, with enough contrast on each other. */
export function createTheme({
  color,
  background_color: background,
  typeface,
}: Pick<Look, 'color' | 'background_color' | 'typeface'>): Theme {
  const { color: accent, textColor } = buttonColors(color);
  const scheme = background === null ? null : schemeOf(background);
  const own = background === null || scheme === null ? [] : [background, surfaceOn(background, scheme)];
  const onLight = scheme === 'light' ? [...LIGHT_BACKGROUNDS, ...own] : LIGHT_BACKGROUNDS;
  const onDark = scheme === 'dark' ? [...DARK_BACKGROUNDS, ...own] : DARK_BACKGROUNDS;
  const [behind, surface] = own;
  return {
    scheme,
    properties: {
      '--accent': accent,
      '--on-accent': textColor,
      '--accent-text-on-light': legibleOn(accent, onLight, '#000000'),
      '--accent-text-on-dark': legibleOn(accent, onDark, '#ffffff'),
      ...(behind === undefined || surface === undefined
        ? {}
        : {
            '--background': behind,
            '--surface': surface,
            '--border': mixColors(behind, scheme === 'light' ? '#000000' : '#ffffff', 0.16),
          }),
      ...(typeface === null || typeface === 'sans' ? {} : { '--font': FONTS[typeface] }),
    },
  };
}
