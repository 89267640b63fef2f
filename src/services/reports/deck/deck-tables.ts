import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { PublishedLabels } from '../../../domain/dataset/columns/published-labels.ts';
import { formatBase } from '../../../domain/reports/format-base.ts';
import type { DeckProblem, DeckTable } from '../../../domain/reports/deck.ts';
import { withPublishedLabels } from '../../../domain/reports/published-tables.ts';
import type { SlideTable } from '../../../domain/reports/slide-content.ts';
import { questionLine, selectionLines } from '../../../domain/reports/source-lines.ts';
import { crosstabNotes, crosstabDeckTable } from '../../../domain/reports/crosstab-deck-table.ts';
import type { CrosstabTable } from '../../../domain/statistics/crosstab/table.ts';
import type { CrosstabService } from '../../figures/crosstabs.ts';
import { toCrosstabRequest } from '../crosstab-request.ts';
import type { DeckAccess } from './deck-access.ts';
import { catchProblem } from './deck-problem.ts';

const MEASURE_LABELS = {
  column_percent: 'percent of each column',
  row_percent: 'percent of each row',
  count: 'number of respondents',
} as const;
const BASE_LABELS = {
  answering: 'respondents who answered',
  shown: 'respondents who were shown the question',
  all: 'all respondents',
} as const;

/** The columns of a survey with the labels that readers of a report see. */
export interface DeckColumns {
  catalog: ColumnCatalog;
  /** null: the survey is not published, labels are those of the draft. */
  labels: PublishedLabels | null;
}

/** Computes the crosstab of a slide. */
export function buildDeckTable(
  table: SlideTable,
  surveys: DeckAccess,
  crosstabs: CrosstabService,
  columnsOf: (surveyId: number) => Promise<DeckColumns>,
): Promise<DeckTable | DeckProblem> {
  return catchProblem(async () => {
    const scope = await surveys.surveyScope(table.survey_id);
    if (scope === null) return surveys.missingProblem(table.survey_id);
    const request = toCrosstabRequest(table);
    const crosstab = await crosstabs.compute(scope, request);
    const { catalog, labels } = await columnsOf(table.survey_id);
    const withLabels = (tables: CrosstabTable[]) =>
      labels === null ? tables : withPublishedLabels(tables, labels);
    const tables = withLabels(crosstab.tables);
    const totals =
      table.columns.length > 1
        ? withLabels((await crosstabs.compute(scope, { ...request, columns: [] })).tables)
        : null;
    const read = crosstabDeckTable(tables, {
      show: table.show,
      isWeighted: crosstab.weightColumn !== null,
      columnVariables: table.columns.length,
      totals,
    });
    const [first] = totals ?? tables;
    const columns = [...new Set(table.rows.flat())].flatMap((code) => catalog.find(code) ?? []);
    const by = [...new Set(table.columns.flat())].flatMap((code) => catalog.find(code)?.spec.label ?? []);
    const source = [
      ...(columns.length === 1 ? [questionLine(columns[0]!)] : []),
      ...(by.length > 0 ? [`By: ${by.join(', ')}`] : []),
      `Shown: ${MEASURE_LABELS[table.columns.length === 0 && table.show === 'row_percent' ? 'column_percent' : table.show]}, of ${BASE_LABELS[request.base]}`,
      ...(tables.length === 1 && first !== undefined ? [formatBase(first.base)] : []),
      ...selectionLines(table, catalog),
      ...crosstabNotes(tables, crosstab),
    ];
    return { ...read, source };
  });
}
