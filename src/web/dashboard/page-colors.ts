import type { ChartLook, Fill } from '../../domain/charts/drawing/chart-look.ts';
import { DARK_LOOK, fillsFor, LIGHT_LOOK } from '../../domain/charts/drawing/chart-look.ts';

const fills = (name: string, of: readonly Fill[]): Fill[] =>
  of.map((_, place) => ({ fill: `var(--${name}${place})`, on: `var(--on-${name}${place})` }));

/** Charts of a page take their colours from its style, so that they follow it from light to dark. */
export const PAGE_CHART_LOOK: ChartLook = {
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
export function colorStyle(theme: 'auto' | 'light' | 'dark', accent: string | null): string {
  const [chosen] = fillsFor(LIGHT_LOOK, {
    count: 1,
    isOrdered: false,
    chosen: accent === null ? [] : [accent],
  });
  const own = accent === null ? '' : `--c0:${chosen!.fill};--on-c0:${chosen!.on};`;
  const light = `:root{${properties(LIGHT_LOOK)}${own}}`;
  const dark = `:root{${properties(DARK_LOOK)}${own}}`;
  if (theme === 'light') return light;
  // Paper is white for everybody.
  const where = theme === 'dark' ? 'screen' : 'screen and (prefers-color-scheme:dark)';
  return `${light}@media ${where}{${dark}}`;
}
