import { unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import { expressionColumns } from '../dataset/columns/expression-columns.ts';
import { type CompiledFilter, readFilter } from '../dataset/filter/filter.ts';
import type { CheckedExpression } from '../expressions/check-expression.ts';
import { readExpression } from '../expressions/evaluate-expression.ts';
import {
  type ColumnDefinition,
  type ComputedDefinition,
  readsSource,
  type TransformDefinition,
  transformOf,
} from '../transforms/registry.ts';

/** A transform of a column, resolved against the columns of a catalog. */
export interface ResolvedTransform {
  kind: 'column';
  definition: TransformDefinition;
  source: CatalogColumn;
  filter: CompiledFilter | null;
  weight: CatalogColumn | null;
}

interface ResolvedExpression {
  kind: 'computed';
  definition: ComputedDefinition;
  expression: CheckedExpression;
}

export type ResolvedDefinition = ResolvedTransform | ResolvedExpression;

/** `invalid`: a column or value does not exist; the others: it exists but does not fit. */
export interface DefinitionProblem {
  code: 'invalid' | 'wrong_column_type' | 'expression_invalid';
  details: ErrorDetail[];
}

type DefinitionResult =
  { ok: true; resolved: ResolvedDefinition; sources: string[] } | { ok: false; problem: DefinitionProblem };

function reject(code: DefinitionProblem['code'], ...details: ErrorDetail[]): DefinitionResult {
  return { ok: false, problem: { code, details } };
}

function unknownColumn(code: string, catalog: ColumnCatalog, field: string): ErrorDetail {
  return { field, message: unknownObject('column', code, '', { similar: catalog.similarCodes(code) }) };
}

/** Finds the weight column, or returns the problem. */
function findWeight(
  code: string,
  catalog: ColumnCatalog,
  field: string,
): CatalogColumn | { problem: DefinitionProblem } {
  const entry = catalog.find(code);
  if (entry === undefined)
    return { problem: { code: 'invalid', details: [unknownColumn(code, catalog, field)] } };
  const { spec } = entry;
  if (spec.type === 'number' && spec.source !== 'metadata') return entry;
  const message = `must be a number column; ${spec.columnCode} is of type ${spec.type}`;
  return { problem: { code: 'wrong_column_type', details: [{ field, message }] } };
}

/** Resolves the columns that a definition reads and checks their types. `fields`: request field names for problems. */
export function resolveDefinition(
  definition: ColumnDefinition,
  catalog: ColumnCatalog,
  fields = { source: 'column_code', filter: 'filter', expression: 'expression', weight: 'weight_column' },
): DefinitionResult {
  if (!readsSource(definition)) {
    const { expression: text, type } = definition;
    const checked = readExpression(text, expressionColumns(catalog), type);
    if (!checked.ok) {
      const { message, position, length } = checked.error;
      return reject('expression_invalid', { field: fields.expression, message, position, length });
    }
    const { value: expression } = checked;
    const resolved = { kind: 'computed' as const, definition, expression };
    return { ok: true, resolved, sources: [...expression.columnNames] };
  }
  const source = catalog.find(definition.source);
  if (source === undefined)
    return reject('invalid', unknownColumn(definition.source, catalog, fields.source));
  const reason = transformOf(definition).source.problem(source.spec);
  if (reason !== null) return reject('wrong_column_type', { field: fields.source, message: reason });
  const filter =
    definition.filter === undefined ? null : readFilter(definition.filter, catalog, fields.filter);
  if (filter?.ok === false) return reject('invalid', ...filter.problems);
  const weight =
    definition.weight === undefined ? null : findWeight(definition.weight, catalog, fields.weight);
  if (weight !== null && 'problem' in weight) return { ok: false, problem: weight.problem };
  const codes = [source, ...(weight === null ? [] : [weight])].map(({ spec }) => spec.columnCode);
  const sources = new Set([...codes, ...(filter?.filter.codes ?? [])]);
  const resolved = { kind: 'column' as const, definition, source, filter: filter?.filter ?? null, weight };
  return { ok: true, resolved, sources: [...sources] };
}
