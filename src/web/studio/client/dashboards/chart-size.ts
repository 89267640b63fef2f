import type { Schema } from '../data/api.ts';
import { type ElementType, shapeOf } from '../results/chart-types.ts';

type Position = Schema<'ChartPosition'>;

export const GRID_COLUMNS = 12;

/** Cells of the grid of a dashboard. */
export type CellSize = Pick<Position, 'w' | 'h'>;

export const CHART_SIZES = ['small', 'medium', 'large', 'full'] as const;
export type ChartSize = (typeof CHART_SIZES)[number];

const SIZES: Readonly<Record<ReturnType<typeof shapeOf>, Readonly<Record<ChartSize, CellSize>>>> = {
  chart: {
    small: { w: 4, h: 5 },
    medium: { w: 6, h: 6 },
    large: { w: 8, h: 7 },
    full: { w: 12, h: 7 },
  },
  number: {
    small: { w: 3, h: 3 },
    medium: { w: 6, h: 3 },
    large: { w: 8, h: 4 },
    full: { w: 12, h: 4 },
  },
  text: {
    small: { w: 4, h: 4 },
    medium: { w: 6, h: 3 },
    large: { w: 8, h: 2 },
    full: { w: 12, h: 2 },
  },
};

/** As the server lays out an element without a position. */
const DEFAULT_SIZES = { chart: 'medium', number: 'small', text: 'full' } as const;

export const cellsOf = (type: ElementType, size: ChartSize): CellSize => SIZES[shapeOf(type)][size];

/** The cells that an element takes. */
export const currentCells = ({
  chart_type: type,
  position,
}: {
  chart_type: ElementType;
  position: Position | null;
}): CellSize => position ?? cellsOf(type, DEFAULT_SIZES[shapeOf(type)]);

/** The name of the size that comes nearest in width; authors who use the API can choose any other size. */
export function sizeName(chart: { chart_type: ElementType; position: Position | null }): ChartSize {
  const { w } = currentCells(chart);
  if (w < 5) return 'small';
  if (w < 7) return 'medium';
  return w < 11 ? 'large' : 'full';
}
