import { ChartConfigValidator } from '../dashboards/chart-source.ts';
import type { dashboardServices } from '../dashboards/services.ts';
import type { figureServices } from '../figures/services.ts';
import type { SharedServices } from '../shared-services.ts';
import { DeckBuilder } from './deck/deck-builder.ts';
import { ReportFileService } from './report-files.ts';
import { ReportFromDashboardService } from './report-from-dashboard.ts';
import { ReportImageService, ReportService } from './reports.ts';
import { ReportSlideService, SlideValidator } from './report-slides.ts';
import { WriterThreads } from './report-writer.ts';

/** Reports, their slides and pictures, and their files. */
export function reportServices(
  { access, store, datasets, clock, jobs, wordings }: SharedServices,
  { dashboardContents, chartFigures: figures }: ReturnType<typeof dashboardServices>,
  { crosstabs }: ReturnType<typeof figureServices>,
) {
  const decks = new DeckBuilder({ store, access, datasets, figures, crosstabs, clock, wordings });
  return {
    reports: new ReportService(store, access),
    reportSlides: new ReportSlideService(
      store,
      new SlideValidator(store, access, new ChartConfigValidator(store)),
    ),
    reportImages: new ReportImageService(store),
    reportFiles: new ReportFileService({ store, decks, threads: new WriterThreads(), jobs }),
    reportsFromDashboards: new ReportFromDashboardService(store, dashboardContents),
  };
}
