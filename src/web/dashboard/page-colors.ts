import type { ChartTheme, Fill } from '../../domain/charts/drawing/chart-theme.ts';
import { DARK_THEME, chooseFills, LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';

const fills = (name: string, of: readonly Fill[]): Fill[] =>
  of.map((_, place) => ({ fill: `var(--${name}${place})`, textOnFill: `var(--on-${name}${place})` }));

/** Chart colours as CSS variables, so that charts follow the light and dark theme of the page. */
export const PAGE_CHART_LOOK: ChartTheme = {
  text: 'var(--ink)',
  mutedText: 'var(--soft)',
  line: 'var(--line)',
  background: 'var(--surface)',
  colors: fills('c', LIGHT_THEME.colors),
  scale: fills('s', LIGHT_THEME.scale),
  rest: { fill: 'var(--rest)', textOnFill: 'var(--on-rest)' },
};

function properties({ colors, scale, rest }: ChartTheme): string {
  const list = (name: string, of: readonly Fill[]) =>
    of
      .map(({ fill, textOnFill: on }, place) => `--${name}${place}:${fill};--on-${name}${place}:${on};`)
      .join('');
  return `${list('c', colors)}${list('s', scale)}--rest:${rest.fill};--on-rest:${rest.textOnFill};`;
}

/** Returns the CSS rules that define these colours for the theme of the dashboard. */
export function colorStyle(theme: 'auto' | 'light' | 'dark', accent: string | null): string {
  const [chosen] = chooseFills(LIGHT_THEME, {
    count: 1,
    isOrdered: false,
    chosen: accent === null ? [] : [accent],
  });
  const own = accent === null ? '' : `--c0:${chosen!.fill};--on-c0:${chosen!.textOnFill};`;
  const light = `:root{${properties(LIGHT_THEME)}${own}}`;
  const dark = `:root{${properties(DARK_THEME)}${own}}`;
  if (theme === 'light') return light;
  // Print always uses the light theme.
  const where = theme === 'dark' ? 'screen' : 'screen and (prefers-color-scheme:dark)';
  return `${light}@media ${where}{${dark}}`;
}
