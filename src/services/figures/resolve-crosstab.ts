import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/columns/column-catalog.ts';
import type { Net } from '../../domain/statistics/crosstab/axis.ts';
import type { CrosstabPlan, Nesting } from '../../domain/statistics/crosstab/crosstab.ts';
import { unknownValue } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import {
  requireColumn,
  compileFilter,
  collectLoadCodes,
  type ResponseSelection,
  requireWeightColumn,
} from '../datasets/requested-columns.ts';

interface NetRequest {
  columnCode: string;
  label: string;
  values: readonly string[];
}

export interface CrosstabRequest extends ResponseSelection, Omit<CrosstabPlan, 'rows' | 'columns' | 'nets'> {
  /** Column codes; several are nested. */
  rows: readonly (readonly string[])[];
  columns: readonly (readonly string[])[];
  nets: readonly NetRequest[];
  weightColumn: string | null;
}

interface ResolvedCrosstab {
  plan: CrosstabPlan;
  weight: CatalogColumn | null;
  filter: ReturnType<typeof compileFilter>;
  loadCodes: string[];
}

/**
 * Resolves the codes of a request. Throws 400 for an unknown code, 422 for a column that is not a weight. `weightField` is the name of the
 * weight in the request.
 */
export function resolveCrosstab(
  request: CrosstabRequest,
  catalog: ColumnCatalog,
  weightField = 'weight',
): ResolvedCrosstab {
  const nestings = (codes: CrosstabRequest['rows'], field: string) =>
    codes.map((nesting, index): Nesting =>
      nesting.map((code, level) =>
        requireColumn(catalog, code, `${field}[${index}]${nesting.length > 1 ? `[${level}]` : ''}`),
      ),
    );
  const rows = nestings(request.rows, 'rows');
  const columns = nestings(request.columns, 'columns');
  const used = new Set([...rows.flat(), ...columns.flat()].map(({ spec }) => spec.columnCode));
  const nets = request.nets.map((net, index): Net => {
    const field = `nets[${index}]`;
    const { columnCode } = requireColumn(catalog, net.columnCode, `${field}.column_code`).spec;
    if (!used.has(columnCode)) {
      throw invalid(`${field}.column_code`, unknownValue(columnCode, 'a row or a column of the table'));
    }
    return { ...net, columnCode, field: `${field}.values` };
  });
  const { base, statistics, minBase, correction } = request;
  const weight =
    request.weightColumn === null ? null : requireWeightColumn(catalog, request.weightColumn, weightField);
  const filter = compileFilter(request.filter, catalog);
  return {
    plan: { rows, columns, nets, base, statistics, minBase, correction },
    weight,
    filter,
    loadCodes: collectLoadCodes([...rows.flat(), ...columns.flat(), weight], filter),
  };
}
