import type { ChartTheme, Fill } from '../../domain/charts/chart-theme.ts';
import { chooseFills, LIGHT_THEME } from '../../domain/charts/chart-theme.ts';
import type { DeckStyle } from '../../domain/reports/deck.ts';

export interface ReportStyle extends ChartTheme {
  /** The accent colour; the first chart colour unless the report sets chart colours. */
  accent: Fill;
}

/** The light theme with the colours of the report before the default colours. */
export function reportStyle({ color, colors }: Pick<DeckStyle, 'color' | 'colors'>): ReportStyle {
  const chosen = colors.length > 0 ? colors : color === null ? [] : [color];
  const count = Math.max(chosen.length, LIGHT_THEME.colors.length);
  const fills = chooseFills(LIGHT_THEME, { count, isOrdered: false, chosen });
  const accent =
    color === null
      ? LIGHT_THEME.colors[0]!
      : chooseFills(LIGHT_THEME, { count: 1, isOrdered: false, chosen: [color] })[0]!;
  return { ...LIGHT_THEME, colors: fills, accent };
}
