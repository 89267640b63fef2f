import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { type DropPlace, useDrag } from '../editor/use-drag.ts';
import { listPageCharts, moveChart } from './arrange-charts.ts';

const t = texts.dashboards.arrange;

/** What moves pages and charts, by pointer, keyboard and menu. */
export interface ArrangementActions {
  /** Moves a chart to an index of a page. */
  place: (chartId: number, pageId: number, index: number) => void;
  /** Moves a chart by one, also to the next or previous page. */
  step: (chartId: number, by: 1 | -1) => void;
  /** Moves a page by one. */
  stepPage: (pageId: number, by: 1 | -1) => void;
  startChartDrag: (event: PointerEvent, id: string) => void;
  startPageDrag: (event: PointerEvent, id: string) => void;
}

/** The title of a page, or its number as the tabs of the dashboard have it. */
export const pageName = ({ page_title: title }: { page_title: string | null }, index: number): string =>
  title ?? t.pageNumber(index + 1);

const numberOf = (id: string): number => Number(id.split('-')[1]);

export function useArrangement(
  { dashboard_id: id, pages, charts }: Schema<'DashboardWithPages'>,
  runAction: (action: () => Promise<unknown>) => Promise<void>,
): ArrangementActions {
  const pageIds = pages.map(({ page_id: pageId }) => pageId);
  const path = { id };

  const place = (chartId: number, pageId: number, index: number) =>
    void runAction(async () => {
      const placements = moveChart(charts, pageIds, { chartId, pageId, index });
      await changeApi('put', '/api/dashboards/{id}/charts/reorder', { path, body: { charts: placements } });
      await reloadQueries('/api/dashboards');
      const onPage = placements.filter(({ page_id: each }) => each === pageId);
      const page = pages.findIndex(({ page_id: each }) => each === pageId);
      const title = charts.find(({ chart_id: each }) => each === chartId)?.chart_title ?? t.untitled;
      const position = onPage.findIndex(({ chart_id: each }) => each === chartId) + 1;
      announce(t.moved(title, position, onPage.length, pageName(pages[page] ?? { page_title: null }, page)));
      // A chart on another page is another element.
      setTimeout(() => document.getElementById(`chart-${chartId}`)?.focus());
    });

  const step = (chartId: number, by: 1 | -1) => {
    const pageId = charts.find((chart) => chart.chart_id === chartId)?.page_id;
    if (pageId === undefined) return;
    const onPage = listPageCharts(charts, pageId);
    const index = onPage.findIndex((chart) => chart.chart_id === chartId) + by;
    const nextPage = pageIds[pageIds.indexOf(pageId) + by];
    if (index >= 0 && index < onPage.length) place(chartId, pageId, index);
    else if (nextPage !== undefined)
      place(chartId, nextPage, by > 0 ? 0 : listPageCharts(charts, nextPage).length);
  };

  const placePage = (pageId: number, index: number) =>
    void runAction(async () => {
      const ordered = pageIds.filter((each) => each !== pageId);
      ordered.splice(index, 0, pageId);
      await changeApi('put', '/api/dashboards/{id}/pages/reorder', { path, body: { page_ids: ordered } });
      await reloadQueries('/api/dashboards');
      const before = pageIds.indexOf(pageId);
      const name = pageName(pages[before] ?? { page_title: null }, before);
      announce(t.pageMoved(name, ordered.indexOf(pageId) + 1, ordered.length));
      setTimeout(() => document.getElementById(`page-${pageId}`)?.focus());
    });

  const dropChart = (key: string, { id: targetKey, edge }: DropPlace) => {
    const target = numberOf(targetKey);
    if (targetKey.startsWith('page')) {
      place(numberOf(key), target, 0);
      return;
    }
    const pageId = charts.find((chart) => chart.chart_id === target)?.page_id;
    if (pageId === undefined) return;
    const others = listPageCharts(charts, pageId).filter((chart) => chart.chart_id !== numberOf(key));
    const index = others.findIndex((chart) => chart.chart_id === target);
    place(numberOf(key), pageId, index + (edge === 'after' ? 1 : 0));
  };
  const dropPage = (key: string, { id: targetKey, edge }: DropPlace) => {
    const others = pageIds.filter((pageId) => pageId !== numberOf(key));
    placePage(numberOf(key), others.indexOf(numberOf(targetKey)) + (edge === 'after' ? 1 : 0));
  };

  return {
    place,
    step,
    stepPage: (pageId, by) => {
      const index = pageIds.indexOf(pageId) + by;
      if (index >= 0 && index < pageIds.length) placePage(pageId, index);
    },
    startChartDrag: useDrag('dashboard-chart', dropChart),
    startPageDrag: useDrag('dashboard-page', dropPage),
  };
}
