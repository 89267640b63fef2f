import type { DeckSlide } from '../../src/domain/reports/deck.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ReportRow, ReportSlideRow } from '../../src/repositories/reports.ts';
import { Store } from '../../src/repositories/store.ts';
import { ChartFigureService } from '../../src/services/dashboards/chart-figures.ts';
import { DatasetService } from '../../src/services/datasets/datasets.ts';
import { CrosstabService } from '../../src/services/figures/crosstabs.ts';
import { DeckBuilder } from '../../src/services/reports/deck/deck-builder.ts';
import { PreparedDefinitionCache, PublishedWordings } from '../../src/services/surveys/survey-definitions.ts';
import type { Organization } from './actors.ts';
import type { TestApp } from './app.ts';

/** The slides of a report as its admin gets them. */
export async function deckOf(app: TestApp, home: Organization, slideRows: object[]): Promise<DeckSlide[]> {
  const store = new Store(app.database.db);
  const datasets = new DatasetService(store, 1e9);
  const wordings = new PublishedWordings(store, new PreparedDefinitionCache(store));
  const decks = new DeckBuilder({
    store,
    access: app.container.services.access,
    datasets,
    figures: new ChartFigureService(datasets, wordings),
    wordings,
    crosstabs: new CrosstabService(datasets),
    clock: systemClock,
  });
  const report: ReportRow = {
    report_id: 0,
    organization_id: home.organizationId,
    workspace_id: home.workspaceId,
    report_name: 'A report',
    report_description: null,
    report_settings: {},
    revision: 1,
    created_at: new Date(),
    updated_at: new Date(),
    deleted_at: null,
    slide_count: slideRows.length,
  };
  const rows = slideRows.map(
    (slide, index) =>
      ({ slide_id: index + 1, slide_order: index + 1, slide_title: null, ...slide }) as ReportSlideRow,
  );
  const caller = { userId: home.admin.userId, organizationId: home.organizationId, role: 'admin' as const };
  const { slides } = await decks.open(caller, report, rows);
  const all: DeckSlide[] = [];
  for await (const slide of slides) all.push(slide);
  return all;
}
