import type { ChartLook, Fill } from '../../domain/charts/drawing/chart-look.ts';
import { fillsFor, LIGHT_LOOK } from '../../domain/charts/drawing/chart-look.ts';
import type { DeckStyle } from '../../domain/reports/deck.ts';

export interface ReportLook extends ChartLook {
  /** Of what catches the eye; charts begin with it unless the report has colours for them. */
  accent: Fill;
}

/** The look of a page in light surroundings, with the colours that the report's author chose before ours. */
export function reportLook({ color, colors }: Pick<DeckStyle, 'color' | 'colors'>): ReportLook {
  const chosen = colors.length > 0 ? colors : color === null ? [] : [color];
  const count = Math.max(chosen.length, LIGHT_LOOK.colors.length);
  const fills = fillsFor(LIGHT_LOOK, { count, isOrdered: false, chosen });
  const accent =
    color === null
      ? LIGHT_LOOK.colors[0]!
      : fillsFor(LIGHT_LOOK, { count: 1, isOrdered: false, chosen: [color] })[0]!;
  return { ...LIGHT_LOOK, colors: fills, accent };
}
