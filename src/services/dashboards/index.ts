import type { authServices } from '../auth/index.ts';
import type { SharedServices } from '../shared-services.ts';
import { ChartFigureService } from './chart-figures.ts';
import { ChartConfigValidator } from './chart-source.ts';
import { DashboardChartService } from './dashboard-charts.ts';
import { DashboardContentReader } from './dashboard-content.ts';
import { DashboardShareService } from './dashboard-shares.ts';
import { DashboardTrash } from './dashboard-trash.ts';
import { DashboardFigureService, DashboardViewService } from './dashboard-views.ts';
import { DashboardPageService, DashboardService } from './dashboards.ts';
import { PublicDashboardService, UnlockTokens } from './public-dashboards.ts';

/** Dashboards, their figures and their shares. */
export function dashboardServices(
  { access, store, config, datasets, clock, jwtSecret, retention, wordings }: SharedServices,
  { passwords, guessLimits }: ReturnType<typeof authServices>,
) {
  const contents = new DashboardContentReader(store, datasets);
  const shares = new DashboardShareService(store, passwords, config.adminsPublishDashboards);
  const figures = new ChartFigureService(datasets, wordings);
  const tokens = new UnlockTokens(jwtSecret, clock);
  const memberFigures = new DashboardFigureService(store, access, contents, figures);
  return {
    dashboards: new DashboardService(store, access, config.mailLinkUrl, retention),
    dashboardTrash: new DashboardTrash(store, shares, retention),
    dashboardContents: contents,
    dashboardPages: new DashboardPageService(store),
    dashboardCharts: new DashboardChartService(store, access, new ChartConfigValidator(store)),
    dashboardShares: shares,
    chartFigures: figures,
    dashboardFigures: memberFigures,
    dashboardViews: new DashboardViewService({ store, contents, figures, memberFigures, clock }),
    publicDashboards: new PublicDashboardService({
      store,
      passwords,
      tokens,
      guessLimits,
      contents,
      figures,
      clock,
    }),
  };
}
