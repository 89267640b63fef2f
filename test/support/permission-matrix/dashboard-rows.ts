import type { CreateTarget, Row, Rows } from './row.ts';
import { createPublicDashboard } from './fixtures.ts';

const plain: Row = {};

const freshDashboard: CreateTarget = async ({ home, callers: { owner } }, { workspaceId, surveyId }) =>
  createPublicDashboard(home, owner.key, { surveyId }, workspaceId);
const onFreshDashboard: Row = { fresh: freshDashboard, isIndependent: true };

const freshColleague: CreateTarget = async ({ home }) => ({ userId: (await home.addUser('client')).userId });
const onPage: Row = { path: ({ dashboardPageId }) => ({ pageId: dashboardPageId }) };
const element = ({ chartId }: { chartId: number }) => ({ chart_id: chartId });

export const dashboardRows: Rows = {
  listDashboards: plain,
  checkDashboardSlug: { query: { slug: 'free' } },
  createDashboard: { body: () => ({ dashboard_name: 'New' }) },
  getDashboard: plain,
  updateDashboard: { body: () => ({ dashboard_name: 'Named' }) },
  deleteDashboard: onFreshDashboard,
  restoreDashboard: {
    fresh: async (fixtures, ids, caller) => {
      const created = await freshDashboard(fixtures, ids, caller);
      await fixtures.callers.owner.key.delete(`/api/dashboards/${created.dashboardId!}`).expect(204);
      return created;
    },
  },
  duplicateDashboard: { body: () => ({}) },
  createDashboardPage: { body: () => ({ page_title: 'Added' }) },
  reorderDashboardPages: {
    ...onFreshDashboard,
    body: ({ dashboardPageId }) => ({ page_ids: [dashboardPageId] }),
  },
  updateDashboardPage: { ...onPage, body: () => ({ page_title: 'Named' }) },
  deleteDashboardPage: { ...onPage, ...onFreshDashboard },
  createDashboardChart: {
    body: ({ dashboardPageId, surveyId }) => ({
      page_id: dashboardPageId,
      chart_type: 'bar',
      chart_config: { survey_id: surveyId, dimension: 'Q1' },
    }),
  },
  reorderDashboardCharts: { ...onFreshDashboard, body: ({ chartId }) => ({ chart_ids: [chartId] }) },
  updateDashboardChart: { body: () => ({ chart_title: 'Named' }) },
  deleteDashboardChart: onFreshDashboard,
  getChartData: { body: element },
  getChartDataBatch: { body: (ids) => ({ charts: [element(ids)] }) },
  listDashboardShares: plain,
  createDashboardShare: {
    fresh: freshColleague,
    body: ({ userId }) => ({ share_type: 'user', user_id: userId }),
  },
  deleteDashboardShare: onFreshDashboard,
  getPublicDashboard: plain,
  unlockPublicDashboard: { body: () => ({ password: 'none is needed' }) },
  getPublicChartData: { body: element },
  getPublicChartDataBatch: { body: (ids) => ({ charts: [element(ids)] }) },
};
