import type { ChartTheme, Fill } from '../../domain/charts/chart-theme.ts';
import { DARK_THEME, chooseFills, LIGHT_THEME } from '../../domain/charts/chart-theme.ts';

const cssFills = (name: string, themeFills: readonly Fill[]): Fill[] =>
  themeFills.map((_, index) => ({ fill: `var(--${name}${index})`, textOnFill: `var(--on-${name}${index})` }));

/** Chart colors as CSS variables, so that charts follow the light and dark theme of the page. */
export const PAGE_CHART_THEME: ChartTheme = {
  text: 'var(--text)',
  mutedText: 'var(--text-muted)',
  line: 'var(--border)',
  background: 'var(--surface)',
  colors: cssFills('c', LIGHT_THEME.colors),
  scale: cssFills('s', LIGHT_THEME.scale),
  rest: { fill: 'var(--rest)', textOnFill: 'var(--on-rest)' },
};

function cssProperties({ colors, scale, rest }: ChartTheme): string {
  const list = (name: string, themeFills: readonly Fill[]) =>
    themeFills
      .map(({ fill, textOnFill: on }, index) => `--${name}${index}:${fill};--on-${name}${index}:${on};`)
      .join('');
  return `${list('c', colors)}${list('s', scale)}--rest:${rest.fill};--on-rest:${rest.textOnFill};`;
}

/** Returns the CSS rules that define these colors for the theme of the dashboard. */
export function colorStyle(theme: 'auto' | 'light' | 'dark', accent: string | null): string {
  const [accentFill] = chooseFills(LIGHT_THEME, {
    count: 1,
    isOrdered: false,
    chosen: accent === null ? [] : [accent],
  });
  const accentProperties =
    accent === null ? '' : `--c0:${accentFill!.fill};--on-c0:${accentFill!.textOnFill};`;
  const light = `:root{${cssProperties(LIGHT_THEME)}${accentProperties}}`;
  const dark = `:root{${cssProperties(DARK_THEME)}${accentProperties}}`;
  if (theme === 'light') return light;
  // Print always uses the light theme.
  const media = theme === 'dark' ? 'screen' : 'screen and (prefers-color-scheme:dark)';
  return `${light}@media ${media}{${dark}}`;
}
