import {
  type ChartTheme,
  DARK_THEME,
  chooseFills,
  type Fill,
  LIGHT_THEME,
} from '../../../domain/charts/drawing/chart-theme.ts';
import { BRAND_ICON, BRAND_MARK } from '../../shared/client/brand.ts';
import { contentPolicy, renderDocument, sourceOfStyle } from '../../shared/document.ts';
import { type Html, trustedHtml } from '../../shared/html.ts';
import type { PageAssets } from '../../shared/page-assets.ts';

const ASSETS_PATH = '/dashboards/assets';

interface PageParts {
  title: string;
  theme?: 'auto' | 'light' | 'dark';
  /** The author's color of the first series. */
  color?: string | null;
  /** CSS rules of the layout: the content security policy forbids style attributes. */
  layout?: string;
  body: Html;
  /** data-* attributes for the script. */
  data?: Record<string, string>;
}

/** A complete page with its content security policy. */
export interface RenderedPage {
  text: string;
  policy: string;
}

export const MARK = trustedHtml(BRAND_MARK);

export function renderPage(
  { title, theme = 'auto', color = null, layout = '', body, data = {} }: PageParts,
  assets: PageAssets,
): RenderedPage {
  const style = colorStyle(color) + layout;
  const policy = contentPolicy({
    'frame-ancestors': "'self'",
    'style-src': `'self' ${sourceOfStyle(style)}`,
  });
  const files = { path: ASSETS_PATH, assets };
  return { text: renderDocument({ title, theme, icon: BRAND_ICON, files, style, data, body }), policy };
}

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
  sequence: cssFills('q', LIGHT_THEME.sequence),
  rest: { fill: 'var(--rest)', textOnFill: 'var(--on-rest)' },
};

/** Fills of a theme, by the name of their variable. */
const namedFills = ({ colors, scale, sequence, rest }: ChartTheme): [name: string, fill: Fill][] => [
  ...colors.map((fill, index): [string, Fill] => [`c${index}`, fill]),
  ...scale.map((fill, index): [string, Fill] => [`s${index}`, fill]),
  ...sequence.map((fill, index): [string, Fill] => [`q${index}`, fill]),
  ['rest', rest],
];

/** Returns the CSS rule that defines the chart colors, with the light and the dark value of each as in tokens.css. */
function colorStyle(accent: string | null): string {
  const dark = new Map(namedFills(DARK_THEME));
  const both = (light: string, inDark: string) =>
    light === inDark ? light : `var(--light,${light}) var(--dark,${inDark})`;
  const properties = namedFills(LIGHT_THEME).map(([name, light]) => {
    const inDark = dark.get(name) ?? light;
    return `--${name}:${both(light.fill, inDark.fill)};--on-${name}:${both(light.textOnFill, inDark.textOnFill)};`;
  });
  const chosen = accent === null ? [] : [accent];
  const [first] = chooseFills(LIGHT_THEME, { count: 1, palette: 'categorical', chosen });
  const own = accent === null || first === undefined ? '' : `--c0:${first.fill};--on-c0:${first.textOnFill};`;
  return `:root{${properties.join('')}${own}}`;
}
