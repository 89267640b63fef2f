import { derivedOf } from './derived-column.ts';
import { unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { runToCompletion } from '../../lib/concurrency.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/column-catalog.ts';
import { type Column, createBinary, createColumn, NOT_APPLICABLE } from '../columns/columns.ts';
import { expressionColumns, expressionSources } from '../dataset/expression-columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { type CompiledFilter, readFilter } from '../dataset/filter/filter.ts';
import { ALL_RESPONSES, selectRows } from '../dataset/filter/select-rows.ts';
import type { CheckedExpression } from '../expressions/check-expression.ts';
import { readExpression } from '../expressions/evaluate-expression.ts';
import { computedTransform } from '../transforms/computed.ts';
import { computeSpread, countOutside, type Spread } from '../transforms/numbers.ts';
import {
  type ColumnDefinition,
  type ComputedDefinition,
  isColumnDefinition,
  readsSource,
  type Transform,
  type TransformDefinition,
  transformOf,
} from '../transforms/registry.ts';
import type { DataProblem, DerivedForm, SourceData } from '../transforms/transform.ts';

/** Creates the definition without parameters from the data: enough to check whether the column can be created. */
export function draftDefinition(
  transform: Transform,
  source: string,
  filter?: TransformDefinition['filter'],
): TransformDefinition {
  return transformOf(transform).draft(transform, { source, ...(filter !== undefined && { filter }) });
}

type CompleteResult =
  { ok: true; definition: TransformDefinition; form: DerivedForm } | ({ ok: false } & DataProblem);

/** Adds what is computed from the current data once: breaks and frozen parameters. */
export function completeDefinition(
  dataset: Dataset,
  transform: Transform,
  resolved: ResolvedTransform,
): CompleteResult {
  const module = transformOf(transform);
  const { parameters } = module;
  const { spec } = resolved.source;
  const data = readSourceData(dataset, resolved);
  let { definition } = resolved;
  if (module.complete !== undefined) {
    const result = runToCompletion(module.complete(transform, definition, data));
    if (!('kind' in result)) return { ok: false, ...result };
    definition = result;
  }
  const frozen = 'frozen' in transform && transform.frozen;
  if (parameters?.follow !== undefined && frozen !== false) {
    const fixed = frozen === true ? runToCompletion(parameters.follow(data, definition)) : frozen;
    if (fixed === null) {
      const message = parameters.noDataMessage(spec, definition);
      return { ok: false, code: 'no_spread', field: 'column_code', message };
    }
    definition = Object.assign({ ...definition }, { frozen: fixed });
  }
  return { ok: true, definition, form: module.form(definition, transform, spec) };
}

/**
 * Computes a derived column for every row. Its source columns must be loaded or computed. Yields regularly so that other work can run; rows
 * must not change during the computation. A column whose sources are deleted or have another type has no values.
 */
export function* deriveColumn(dataset: Dataset, entry: CatalogColumn): Generator<void, Column> {
  const { origin, spec } = entry;
  if (origin.kind !== 'derived') throw new Error(`${spec.columnCode} is not derived`);
  const target =
    spec.type === 'binary' ? createBinary(spec, dataset.capacity) : createColumn(spec, dataset.capacity);
  const definition = derivedOf(entry)?.definition;
  if (origin.missingSources.length > 0 || definition === undefined || !isColumnDefinition(definition))
    return target;
  const result = resolveDefinition(definition, dataset.catalog);
  if (!result.ok) return target;
  const { resolved } = result;
  if (resolved.kind === 'computed') {
    const { columnNames } = resolved.expression;
    const data = {
      sources: expressionSources(columnNames, dataset),
      columns: columnNames.map((name) => dataset.column(name)),
      rowCount: dataset.rowCount,
    };
    yield* computedTransform.compute(resolved.expression, data, target);
    return target;
  }
  const { source, filter } = resolved;
  const wanted = filter?.evaluate(dataset) ?? new Uint8Array(dataset.rowCount).fill(1);
  const parameters = yield* computeParameters(dataset, resolved);
  const { definition: transform } = resolved;
  yield* transformOf(transform).compute(dataset.column(source), wanted, transform, target, parameters);
  return target;
}

/** Returns the mask of rows that parameters are computed from. Test responses, confirmed quality flags and deleted responses are excluded. */
function parameterRows(dataset: Dataset, { definition, filter }: ResolvedTransform): Uint8Array {
  const { parameters } = transformOf(definition);
  return selectRows(dataset, { status: parameters?.statuses, filter: filter ?? undefined });
}

function readSourceData(dataset: Dataset, resolved: ResolvedTransform): SourceData {
  return {
    column: dataset.column(resolved.source),
    counted: parameterRows(dataset, resolved),
    spread: () => computeSourceSpread(dataset, resolved),
  };
}

/** Computes the spread of the rows that determine the parameters, weighted if the definition has a weight. */
function* computeSourceSpread(dataset: Dataset, resolved: ResolvedTransform): Generator<void, Spread | null> {
  const { source, weight } = resolved;
  const column = weight === null ? null : dataset.column(weight);
  const weights = column?.kind === 'numeric' ? column.values : null;
  return yield* computeSpread(dataset.column(source), parameterRows(dataset, resolved), weights);
}

/** Returns the frozen parameters, or those of the current data; null if there are none. */
function* computeParameters(dataset: Dataset, resolved: ResolvedTransform): Generator<void, object | null> {
  const { definition } = resolved;
  const { parameters } = transformOf(definition);
  if (definition.frozen !== undefined) return definition.frozen;
  if (parameters?.follow === undefined) return null;
  return yield* parameters.follow(readSourceData(dataset, resolved), definition);
}

/** Whether `describeParameters` reads the source columns, which must be loaded then. */
export function readsDataForParameters(definition: ColumnDefinition): boolean {
  if (!readsSource(definition)) return false;
  const { parameters } = transformOf(definition);
  return (
    parameters?.countsOutside === true ||
    (parameters?.follow !== undefined && definition.frozen === undefined)
  );
}

/** Returns the parameters of a column with the current data, in the fields of replies; null for kinds without parameters. */
export function describeParameters(
  dataset: Dataset,
  resolved: ResolvedDefinition,
): Record<string, unknown> | null {
  if (resolved.kind !== 'column') return null;
  const { definition, source, filter } = resolved;
  const { parameters } = transformOf(definition);
  if (parameters === undefined) return null;
  const current = runToCompletion(computeParameters(dataset, resolved));
  return parameters.describe(definition, current, (range) => {
    // Includes responses that do not count for the parameters, such as test responses.
    const rows = selectRows(dataset, { ...ALL_RESPONSES, filter: filter ?? undefined });
    return countOutside(dataset.column(source), rows, range);
  });
}

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
  return {
    field,
    message: unknownObject({
      kind: 'column',
      idOrCode: code,
      scope: '',
      alternatives: { similar: catalog.similarCodes(code) },
    }),
  };
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

/** Values by response (parallel arrays); NaN is missing. Category values are codes. */
export interface FrozenValues {
  responseIds: Float64Array;
  cells: Float64Array;
}

/**
 * Creates a column from stored numbers or categories; responses without an entry are missing. A NaN category is not applicable: the text
 * was analyzed and has none.
 */
export function createFrozenColumn(
  dataset: Dataset,
  entry: CatalogColumn,
  parts: readonly FrozenValues[],
): Column {
  const column = createColumn(entry.spec, dataset.capacity);
  const valueOfCode = new Map(entry.spec.values.map(({ code, value }) => [code, value]));
  let cursor = 0;
  for (const { responseIds, cells } of parts) {
    for (let position = 0; position < responseIds.length; position++) {
      const [id, value] = [responseIds[position], cells[position]];
      if (id === undefined || value === undefined) break;
      // Entries are nearly always in row order.
      const row = dataset.responseIds[cursor] === id ? cursor : dataset.rowOf(id);
      if (row < 0) continue;
      cursor = row + 1;
      if (column.kind !== 'categorical') {
        if (!Number.isNaN(value)) column.set(row, value);
        continue;
      }
      const category = valueOfCode.get(value);
      if (category === undefined) column.setMissing(row, NOT_APPLICABLE);
      else column.set(row, category);
    }
  }
  return column;
}
