import type { ChartLook, Fill } from '../../domain/charts/drawing/chart-look.ts';
import { DARK_LOOK, LIGHT_LOOK } from '../../domain/charts/drawing/chart-look.ts';

const fills = (name: string, of: readonly Fill[]): Fill[] =>
  of.map((_, place) => ({ fill: `var(--${name}${place})`, on: `var(--on-${name}${place})` }));

/** Charts of a page take their colours from its style, so that they follow it from light to dark. */
export const PAGE_LOOK: ChartLook = {
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  line: 'var(--line)',
  ground: 'var(--surface)',
  colors: fills('c', LIGHT_LOOK.colors),
  scale: fills('s', LIGHT_LOOK.scale),
  rest: { fill: 'var(--rest)', on: 'var(--on-rest)' },
};

function properties({ colors, scale, rest }: ChartLook): string {
  const list = (name: string, of: readonly Fill[]) =>
    of.map(({ fill, on }, place) => `--${name}${place}:${fill};--on-${name}${place}:${on};`).join('');
  return `${list('c', colors)}${list('s', scale)}--rest:${rest.fill};--on-rest:${rest.on};`;
}

/** What the colours above are, in the surroundings that the dashboard's author chose. */
export function lookStyle(theme: 'auto' | 'light' | 'dark', accent: string | null): string {
  const own = accent === null ? '' : `--c0:${accent};--accent:${accent};`;
  const light = `${properties(LIGHT_LOOK)}${own}`;
  const dark = `${properties(DARK_LOOK)}${own}`;
  if (theme !== 'auto') return `:root{${theme === 'light' ? light : dark}}`;
  return `:root{${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`;
}
