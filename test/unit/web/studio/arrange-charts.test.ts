import { describe, expect, it } from 'vitest';
import { listPageCharts, moveChart } from '../../../../src/web/studio/client/dashboards/arrange-charts.ts';

type Position = { x: number; y: number; w: number; h: number };

const chart = (chart_id: number, page_id: number, position: Position | null = null) => ({
  chart_id,
  page_id,
  chart_type: 'bar' as const,
  position,
});
const at = (x: number, y: number, w: number, h: number): Position => ({ x, y, w, h });
const ids = (charts: readonly { chart_id: number }[]) => charts.map(({ chart_id: id }) => id);

describe('charts without a place', () => {
  const charts = [chart(1, 10), chart(2, 10), chart(3, 20)];

  it('are in the order of the dashboard', () => {
    expect(ids(listPageCharts(charts, 10))).toEqual([1, 2]);
  });

  it('change their order and page only', () => {
    expect(moveChart(charts, [10, 20], { chartId: 1, pageId: 20, index: 1 })).toEqual([
      { chart_id: 2, page_id: 10, position: null },
      { chart_id: 3, page_id: 20, position: null },
      { chart_id: 1, page_id: 20, position: null },
    ]);
  });
});

describe('charts with places that the author chose', () => {
  const charts = [
    chart(1, 10, at(6, 0, 6, 4)),
    chart(2, 10, at(0, 0, 6, 6)),
    chart(3, 10, at(0, 6, 12, 3)),
    { chart_id: 4, page_id: 10, chart_type: 'filter' as const, position: null },
    chart(5, 20, at(0, 0, 3, 3)),
  ];

  it('are in reading order, after the filters', () => {
    expect(ids(listPageCharts(charts, 10))).toEqual([4, 2, 1, 3]);
  });

  it('keep their sizes and are arranged in rows in the new order', () => {
    expect(moveChart(charts, [10, 20], { chartId: 3, pageId: 10, index: 1 })).toEqual([
      { chart_id: 4, page_id: 10, position: null },
      { chart_id: 3, page_id: 10, position: at(0, 0, 12, 3) },
      { chart_id: 2, page_id: 10, position: at(0, 3, 6, 6) },
      { chart_id: 1, page_id: 10, position: at(6, 3, 6, 4) },
      { chart_id: 5, page_id: 20, position: at(0, 0, 3, 3) },
    ]);
  });

  it('stay where they are when a chart without a place joins them', () => {
    const mixed = [...charts, chart(6, 20)];
    expect(moveChart(mixed, [10, 20], { chartId: 6, pageId: 10, index: 0 }).slice(0, 2)).toEqual([
      { chart_id: 6, page_id: 10, position: null },
      { chart_id: 4, page_id: 10, position: null },
    ]);
    expect(
      moveChart(mixed, [10, 20], { chartId: 5, pageId: 20, index: 1 }).filter(
        ({ page_id: page }) => page === 20,
      ),
    ).toEqual([
      { chart_id: 6, page_id: 20, position: null },
      { chart_id: 5, page_id: 20, position: null },
    ]);
  });
});
