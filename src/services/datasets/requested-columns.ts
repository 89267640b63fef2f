import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { type CompiledFilter, readFilter } from '../../domain/dataset/filter/filter.ts';
import type { ResponseScope } from '../../domain/dataset/filter/select-rows.ts';
import type { ResponseStatus } from '../../domain/responses/response-row.ts';
import { findSimilar, noSuchObject, unknownObject } from '../../lib/error-messages.ts';
import { AppError, invalidFields, invalidReference, unprocessableField } from '../../lib/errors.ts';
import type { OpenDataset } from './datasets.ts';

/** The responses that a request selects. */
export interface ResponseSelection extends Pick<ResponseScope, 'includeTest' | 'includeConfirmed'> {
  status: readonly ResponseStatus[];
  /** As sent by the client. */
  filter: unknown;
}

/** Compiles a filter sent by the client. Throws 400 for an invalid filter. */
export function compileFilter(input: unknown, catalog: ColumnCatalog): CompiledFilter {
  const result = readFilter(input, catalog);
  if (!result.ok) throw invalidFields(result.problems);
  return result.filter;
}

/** Load codes of columns and a filter. */
export function collectLoadCodes(
  columns: readonly (CatalogColumn | null)[],
  filter: CompiledFilter,
): string[] {
  return [...columns.flatMap((column) => (column === null ? [] : column.loadCodes)), ...filter.loadCodes];
}

/** Finds a column named in the path. Throws 404 that suggests similar codes. */
export function findColumnOrNotFound(catalog: ColumnCatalog, columnCode: string): CatalogColumn {
  const entry = catalog.find(columnCode);
  if (entry === undefined) {
    throw noSuchObject('column', columnCode, catalog.similarCodes(columnCode));
  }
  return entry;
}

/** Finds a column named in a field of the request. Throws 400 if it does not exist. */
export function requireColumn(catalog: ColumnCatalog, columnCode: string, field: string): CatalogColumn {
  const entry = catalog.find(columnCode);
  if (entry === undefined)
    throw invalidReference(
      field,
      unknownObject({
        kind: 'column',
        idOrCode: columnCode,
        scope: '',
        alternatives: { similar: catalog.similarCodes(columnCode) },
      }),
    );
  return entry;
}

/** Finds a weight column. Throws 422 if the column is not a number. */
export function requireWeightColumn(
  catalog: ColumnCatalog,
  columnCode: string,
  field = 'weight',
): CatalogColumn {
  const entry = requireColumn(catalog, columnCode, field);
  if (entry.spec.type !== 'number' || entry.spec.source === 'metadata') {
    throw unprocessableField(
      'not_a_weight',
      field,
      `must be a number column; ${entry.spec.columnCode} is of type ${entry.spec.type}`,
    );
  }
  return entry;
}

/** Weights by row; null without a weight column. */
export function readWeights(open: OpenDataset, weight: CatalogColumn | null): Float64Array | null {
  if (weight === null) return null;
  const column = open.dataset.column(weight);
  return column.kind === 'numeric' ? column.values : null;
}

/** A 404 error for a code in a path that suggests similar codes of `codes`. */
export function codeNotFound(kind: string, code: string, codes: readonly string[]): AppError {
  return noSuchObject(kind, code, findSimilar(code, codes));
}
