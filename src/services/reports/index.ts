import { ChartConfigValidator } from '../dashboards/chart-source.ts';
import type { dashboardServices } from '../dashboards/index.ts';
import type { figureServices } from '../figures/index.ts';
import type { SharedServices } from '../shared-services.ts';
import { DeckBuilder } from './deck/deck-builder.ts';
import { ReportFromDashboardService } from './report-from-dashboard.ts';
import { ReportFileService } from './report-files.ts';
import { ReportPreviewService } from './report-preview.ts';
import { ReportSlideService, SlideValidator } from './report-slides.ts';
import { ReportTrash } from './report-trash.ts';
import { WriterThreads } from './report-writer.ts';
import { ReportImageService, ReportService } from './reports.ts';

/** Reports, their slides and pictures, and their files. */
export function reportServices(
  { access, store, datasets, clock, jobs, retention, wordings }: SharedServices,
  { dashboardContents, chartFigures: figures }: ReturnType<typeof dashboardServices>,
  { crosstabs }: ReturnType<typeof figureServices>,
) {
  const decks = new DeckBuilder({ store, access, datasets, figures, crosstabs, clock, wordings });
  return {
    reports: new ReportService(store, access, retention),
    reportTrash: new ReportTrash(store, retention),
    reportSlides: new ReportSlideService(
      store,
      new SlideValidator(store, access, new ChartConfigValidator(store)),
    ),
    reportImages: new ReportImageService(store),
    reportFiles: new ReportFileService({ store, decks, threads: new WriterThreads(), jobs }),
    reportPreviews: new ReportPreviewService(store, decks),
    reportsFromDashboards: new ReportFromDashboardService(store, dashboardContents),
  };
}
