import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import type { ColumnSpec } from '../../../../src/domain/columns/column-spec.ts';
import type { Column } from '../../../../src/domain/columns/columns.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import type { DerivedDefinition } from '../../../../src/domain/derived/derived-column.ts';
import {
  completeDefinition,
  deriveColumn,
  draftDefinition,
  resolveDefinition,
} from '../../../../src/domain/derived/derive-column.ts';
import type { Transform } from '../../../../src/domain/transforms/registry.ts';
import type { DerivedForm } from '../../../../src/domain/transforms/transform.ts';
import { question, response, surveyOf } from '../dataset/survey-fixture.ts';

// prettier-ignore
/** mtcars$mpg of R. */
export const MPG = [21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4,
  14.7, 32.4, 30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4];

// prettier-ignore
/** Their hp. */
export const HORSEPOWER = [110, 110, 93, 110, 175, 105, 245, 62, 95, 123, 123, 180, 180, 180, 205, 215, 230, 66, 52, 65, 97, 150,
  150, 245, 175, 66, 91, 113, 264, 175, 335, 109];

export function buildColumn(dataset: Dataset, definition: DerivedDefinition, form: DerivedForm): Column {
  const spec: ColumnSpec = {
    columnCode: 'X',
    label: 'X',
    questionId: null,
    source: 'derived',
    editable: false,
    retired: false,
    ...form,
  };
  const derived = { columnId: 1, version: 1, spec, definition, sources: [] };
  const origin = { kind: 'derived' as const, derived, missingSources: [] };
  const work = deriveColumn(dataset, { spec, loadCodes: [], origin });
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Computes the column as the service does, with parameters from the data first. */
export function transformed(dataset: Dataset, transform: Transform, source: string, filter?: string): Column {
  const draft = draftDefinition(transform, source, filter);
  const found = resolveDefinition(draft, dataset.catalog);
  if (!found.ok || found.resolved.kind !== 'column') throw new Error('cannot be made');
  const result = completeDefinition(dataset, transform, found.resolved);
  if (!result.ok) throw new Error(result.message);
  return buildColumn(dataset, result.definition, result.form);
}

export const all = (dataset: Dataset) => Array.from({ length: dataset.rowCount }, (_, row) => row);
export const cells = (dataset: Dataset, column: Column) => all(dataset).map((row) => column.cell(row));

export const cars = Dataset.ofRows(
  new ColumnCatalog(surveyOf(question('number', 'mpg', [], { decimals: 1 }))),
  MPG.map((mpg, index) => response(index + 1, { mpg })),
  ['mpg'],
);
