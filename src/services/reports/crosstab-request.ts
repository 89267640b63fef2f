import type { SlideTable } from '../../domain/reports/slide-content.ts';
import type { CrosstabRequest } from '../figures/resolve-crosstab.ts';

/** Columns with fewer respondents are not compared. */
const MIN_COMPARED_BASE = 30;

/** The crosstab request of a slide's table: complete responses, with the same defaults for test and flagged responses as other figures. */
export function toCrosstabRequest(table: SlideTable): CrosstabRequest {
  return {
    rows: table.rows,
    columns: table.columns,
    nets: table.nets.map(({ column_code, label, values }) => ({ columnCode: column_code, label, values })),
    weightColumn: table.weight_column ?? null,
    filter: table.filter,
    status: ['complete'],
    includeTest: table.include_test,
    includeConfirmed: table.quality === 'include_all',
    base: table.base ?? 'answering',
    statistics: new Set([
      'column_percent',
      'row_percent',
      ...(table.means === false ? [] : (['means'] as const)),
      ...(table.letters ? (['letters'] as const) : []),
    ]),
    minBase: MIN_COMPARED_BASE,
    correction: 'none',
  };
}
