import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/columns/column-catalog.ts';
import { similarHint } from '../../domain/dataset/columns/similar-codes.ts';
import { type CompiledFilter, readFilter } from '../../domain/dataset/filter/filter.ts';
import type { ResponseScope } from '../../domain/dataset/filter/select-rows.ts';
import type { ResponseStatus } from '../../domain/dataset/response-row.ts';
import { AppError, invalid, invalidFields, unprocessable } from '../../lib/errors.ts';
import type { OpenDataset } from './datasets.ts';

/** Which responses a request is about. */
export interface ResponseSelection extends Pick<ResponseScope, 'includeTest' | 'includeConfirmed'> {
  status: readonly ResponseStatus[];
  /** As the client sent it. */
  filter: unknown;
}

/** A filter as the client sent it, made ready; 400 with what is wrong in it. */
export function compileFilter(input: unknown, catalog: ColumnCatalog): CompiledFilter {
  const result = readFilter(input, catalog);
  if (!result.ok) throw invalidFields(result.problems);
  return result.filter;
}

/** What has to be loaded for columns and a filter. */
export function collectLoadCodes(
  columns: readonly (CatalogColumn | null)[],
  filter: CompiledFilter,
): string[] {
  return [...columns.flatMap((column) => (column === null ? [] : column.loadCodes)), ...filter.loadCodes];
}

const hintForColumn = (catalog: ColumnCatalog, columnCode: string) =>
  similarHint(catalog.similarCodes(columnCode));

/** A column that the path names; 404, naming similar ones, when there is none. */
export function findColumnOrNotFound(catalog: ColumnCatalog, columnCode: string): CatalogColumn {
  const entry = catalog.find(columnCode);
  if (entry === undefined) {
    throw new AppError(
      'not_found',
      'not_found',
      `No column "${columnCode.slice(0, 60)}"${hintForColumn(catalog, columnCode)}`,
    );
  }
  return entry;
}

/** A column that a field of the input names; 400 when there is none. */
export function requireColumn(catalog: ColumnCatalog, columnCode: string, field: string): CatalogColumn {
  const entry = catalog.find(columnCode);
  if (entry === undefined)
    throw invalid(field, `no column "${columnCode.slice(0, 60)}"${hintForColumn(catalog, columnCode)}`);
  return entry;
}

/** A column to weight by; 422 when it cannot. */
export function requireWeightColumn(
  catalog: ColumnCatalog,
  columnCode: string,
  field = 'weight',
): CatalogColumn {
  const entry = requireColumn(catalog, columnCode, field);
  if (entry.spec.type !== 'number' || entry.spec.source === 'metadata') {
    const message = `${entry.spec.columnCode} is of type ${entry.spec.type}, a weight is a number`;
    throw unprocessable('not_a_weight', `${field}: ${message}`, [{ field, message }]);
  }
  return entry;
}

/** By row; null without a weight. */
export function readWeights(open: OpenDataset, weight: CatalogColumn | null): Float64Array | null {
  if (weight === null) return null;
  const column = open.dataset.column(weight);
  return column.kind === 'numeric' ? column.values : null;
}
