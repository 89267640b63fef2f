import type { Schema } from '../data/api.ts';
import { isOnGrid } from '../results/chart-types.ts';
import { type CellSize, currentCells, GRID_COLUMNS } from './chart-size.ts';

type PlacedChart = Pick<Schema<'DashboardChart'>, 'chart_id' | 'page_id' | 'chart_type' | 'position'>;
type Position = Schema<'ChartPosition'>;

/** Where a chart is, in the form of `PUT /api/dashboards/:id/charts/reorder`. */
interface Placement {
  chart_id: number;
  page_id: number;
  position: Position | null;
}

/** Whether the author chose the place of each chart. Otherwise charts follow each other in their order. */
function hasFixedPlaces(charts: readonly PlacedChart[]): boolean {
  const onGrid = charts.filter(({ chart_type: type }) => isOnGrid(type));
  return onGrid.length > 0 && onGrid.every(({ position }) => position !== null);
}

/** Returns the charts of a page in the order in which a viewer reads them. */
export function listPageCharts<C extends PlacedChart>(charts: readonly C[], pageId: number): C[] {
  const onPage = charts.filter(({ page_id: id }) => id === pageId);
  if (!hasFixedPlaces(onPage)) return onPage;
  const row = ({ position }: C) => position?.y ?? -1;
  const column = ({ position }: C) => position?.x ?? -1;
  return onPage.sort((a, b) => row(a) - row(b) || column(a) - column(b));
}

/**
 * Returns the placements of all charts after one has moved to an index of a page, for `PUT /api/dashboards/:id/charts/reorder`. Charts
 * with places that the author chose keep their size and are arranged in rows; where only some have one, the moved chart loses its own.
 */
export function moveChart(
  charts: readonly PlacedChart[],
  pageIds: readonly number[],
  moved: { chartId: number; pageId: number; index: number },
): Placement[] {
  const chart = charts.find(({ chart_id: id }) => id === moved.chartId);
  const others = charts.filter((each) => each !== chart);
  return pageIds.flatMap((pageId) => {
    const onPage = listPageCharts(others, pageId);
    const isTarget = pageId === moved.pageId && chart !== undefined;
    if (isTarget) onPage.splice(moved.index, 0, chart);
    const positions = isTarget && hasFixedPlaces(onPage) ? arrangeInRows(onPage) : null;
    return onPage.map(({ chart_id: id, position }) => ({
      chart_id: id,
      page_id: pageId,
      position: positions?.get(id) ?? (id === moved.chartId && positions === null ? null : position),
    }));
  });
}

/**
 * Returns the placements of all charts after one has another size. The charts of its page are arranged in rows and keep their size; those
 * that had no place get one, because a chart with a place beside others without one would be moved over them.
 */
export function resizeChart(
  charts: readonly PlacedChart[],
  pageIds: readonly number[],
  resized: { chartId: number; size: CellSize },
): Placement[] {
  const isResized = ({ chart_id: id }: PlacedChart) => id === resized.chartId;
  return pageIds.flatMap((pageId) => {
    const onPage = listPageCharts(charts, pageId);
    const isTarget = onPage.some(isResized);
    const positions = isTarget
      ? arrangeInRows(
          onPage.map((chart) => {
            const { w, h } = isResized(chart) ? resized.size : currentCells(chart);
            return { ...chart, position: { x: 0, y: 0, w, h } };
          }),
        )
      : null;
    return onPage.map(({ chart_id: id, position }) => ({
      chart_id: id,
      page_id: pageId,
      position: positions?.get(id) ?? position,
    }));
  });
}

function arrangeInRows(charts: readonly PlacedChart[]): Map<number, Position> {
  const positions = new Map<number, Position>();
  let [x, y, bottom] = [0, 0, 0];
  for (const { chart_id: id, chart_type: type, position } of charts) {
    if (position === null || !isOnGrid(type)) continue;
    const { w, h } = position;
    if (x + w > GRID_COLUMNS) [x, y] = [0, bottom];
    positions.set(id, { x, y, w, h });
    x += w;
    bottom = Math.max(bottom, y + h);
  }
  return positions;
}
