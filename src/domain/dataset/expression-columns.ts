import type { ColumnSource, ExpressionColumn, ExpressionColumns } from '../expressions/check-expression.ts';
import type { CatalogColumn, ColumnCatalog } from './column-catalog.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';
import type { Dataset } from './dataset.ts';
import { spanOfWritten } from '../columns/dates.ts';
import { createNumberReader } from './read-numbers.ts';
import { UTC } from '../../lib/time-zone.ts';
import { unknownValue } from '../../lib/error-messages.ts';

const LISTED_COLUMNS = 3;

function listCodes(codes: readonly string[]): string {
  const shown = codes.slice(0, LISTED_COLUMNS).join(', ');
  return codes.length > LISTED_COLUMNS ? `${shown}, …` : shown;
}

function labelsAndOptions(values: ColumnSpec['values']): Pick<ExpressionColumn, 'labels' | 'options'> {
  return values.length === 0
    ? {}
    : { labels: new Map(values.map(({ number, label }) => [number, label])), options: values };
}

function expressionColumn(entry: CatalogColumn): ExpressionColumn {
  return { ...typedColumn(entry), isMetadata: entry.spec.source === 'metadata' };
}

function typedColumn({ spec, origin }: CatalogColumn): ExpressionColumn {
  const name = spec.columnCode;
  switch (spec.type) {
    case 'categorical':
    case 'number':
    case 'rank':
      return { name, type: 'number', ...labelsAndOptions(spec.values) };
    case 'binary':
      return { name, type: 'number', isFlag: true, ...labelsAndOptions(spec.values) };
    case 'date': {
      if (spec.precision === 'time') return { name, type: 'number' };
      const zone = spec.source === 'metadata' ? { timeZone: spec.timeZone ?? UTC } : {};
      return { name, type: 'date', spanOf: (written) => spanOfWritten(spec, written), ...zone };
    }
    case 'text':
    case 'file':
      return { name, type: 'text' };
    case 'multiple': {
      const columns = origin.kind === 'question' ? origin.questionColumns.columns : [];
      const flags = columns.filter(({ type }) => type === 'binary').map(({ columnCode }) => columnCode);
      return {
        type: 'number',
        problem: `${name} contains several answers; use its 0/1 columns ${listCodes(flags)}`,
      };
    }
  }
}

/**
 * Provides a catalog's columns to expressions, ignoring case. Categories are the numbers of their options; ranks and 0/1 columns are numbers, and 0/1
 * columns also work as booleans; a time of day is its minutes. Rejects sets, and questions that have several columns.
 */
export function expressionColumns(catalog: ColumnCatalog): ExpressionColumns {
  return {
    get(name) {
      const entry = catalog.find(name);
      if (entry !== undefined) return expressionColumn(entry);
      const questionColumns = catalog.question(name);
      if (questionColumns === undefined) return undefined;
      const codes = questionColumns.columns.map(({ columnCode }) => columnCode);
      return {
        type: 'number',
        problem: unknownValue(questionColumns.question.code, 'a column', { accepted: listCodes(codes) }),
      };
    },
    keys: () => catalog.columns.map(({ spec }) => spec.columnCode).values(),
  };
}

/** Returns the values of the columns an expression names. They must be loaded, and rows must not change during the evaluation. */
export function expressionSources(names: readonly string[], dataset: Dataset): Map<string, ColumnSource> {
  return new Map(
    names.map((name): [string, ColumnSource] => {
      const column = dataset.column(name);
      if (column.kind === 'text') return [name, { kind: 'texts', texts: column.texts }];
      const hasFlagged = column.spec.values.some(({ missing }) => missing);
      if (!hasFlagged && (column.kind === 'numeric' || column.kind === 'date'))
        return [name, { kind: 'numbers', values: column.values }];
      const readerOf = (named: readonly number[]) => createNumberReader(column, named);
      return [name, { kind: 'read', read: readerOf([]), readerOf }];
    }),
  );
}
