import { ChartCheck } from '../dashboards/chart-check.ts';
import type { dashboardServices } from '../dashboards/services.ts';
import type { Foundations } from '../foundations.ts';
import { ReportFromDashboardService } from './report-from-dashboard.ts';
import { ReportImageService } from './report-images.ts';
import { ReportSlideService } from './report-slides.ts';
import { ReportService } from './reports.ts';
import { SlideCheck } from './slide-check.ts';

/** What a survey's figures are told in, and sent away as. */
export function reportServices(
  { access, store }: Foundations,
  { dashboardContents }: ReturnType<typeof dashboardServices>,
) {
  return {
    reports: new ReportService(store, access),
    reportSlides: new ReportSlideService(store, new SlideCheck(store, access, new ChartCheck(store))),
    reportImages: new ReportImageService(store),
    reportsFromDashboards: new ReportFromDashboardService(store, dashboardContents),
  };
}
