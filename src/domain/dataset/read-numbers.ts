import { allowsMeans } from '../columns/column-spec.ts';
import {
  type BinaryColumn,
  type CategoricalColumn,
  type Column,
  MISSING_SLOTS,
  PRESENT,
} from '../columns/columns.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';

/** Fills `into` with a column's numbers starting at row `first`. NaN: missing, or an option flagged as missing. */
export type NumberReader = (first: number, into: Float64Array) => void;

/**
 * Returns a reader for a column's numbers. Categories are read as the numbers of their options; of those flagged as missing, only the
 * `named` numbers are. Throws for texts and sets.
 */
export function createNumberReader(column: Column, named: readonly number[] = []): NumberReader {
  switch (column.kind) {
    case 'categorical':
      return categoryReader(column, named);
    case 'binary':
      return flagReader(column);
    case 'numeric':
    case 'date': {
      const { values, spec } = column;
      const flagged = spec.values.filter(({ number, missing }) => missing && !named.includes(number));
      const excluded = new Set(flagged.map(({ number }) => number));
      return (first, into) => {
        into.set(values.subarray(first, first + into.length));
        if (excluded.size === 0) return;
        for (let row = 0; row < into.length; row++) if (excluded.has(into[row]!)) into[row] = NaN;
      };
    }
    case 'text':
    case 'multiple':
      throw new Error(`${column.spec.columnCode} holds no numbers`);
  }
}

function categoryReader({ spec, indices }: CategoricalColumn, named: readonly number[]): NumberReader {
  const offset = MISSING_SLOTS;
  const numbers = new Float64Array(offset + spec.values.length).fill(NaN);
  spec.values.forEach(({ number, missing }, index) => {
    if (!missing || named.includes(number)) numbers[offset + index] = number;
  });
  return (first, into) => {
    for (let row = 0; row < into.length; row++) into[row] = numbers[indices[first + row]! + offset]!;
  };
}

function flagReader({ source, option, states }: BinaryColumn): NumberReader {
  const { words, wordsPerRow } = source;
  const present = PRESENT;
  const shift = option & 31;
  const wordIndex = option >>> 5;
  return (first, into) => {
    let word = first * wordsPerRow + wordIndex;
    for (let row = 0; row < into.length; row++) {
      into[row] = states[first + row] === present ? (words[word]! >>> shift) & 1 : NaN;
      word += wordsPerRow;
    }
  };
}

/** Returns why the column has no numbers to compute with, or null if it has. Categories are read as the numbers of their options. */
export function nonNumericReason(spec: ColumnSpec): string | null {
  switch (spec.type) {
    case 'number':
    case 'rank':
    case 'binary':
    case 'categorical':
      return null;
    case 'multiple':
      return `${spec.columnCode} holds several answers; use its 0/1 columns`;
    default:
      return `${spec.columnCode} is of type ${spec.type}, not a number`;
  }
}

/** Returns why the column has no mean, standard deviation or quantile, or null if it has. */
export function noMeanReason(spec: ColumnSpec): string | null {
  const reason = nonNumericReason(spec);
  if (reason !== null || allowsMeans(spec)) return reason;
  const { columnCode, source, questionId } = spec;
  if (source === 'metadata')
    return `${columnCode} is nominal: its values have no order, so they have no mean`;
  const remedy =
    source === 'question'
      ? `set question_settings.measure of question ${questionId} to ordinal or scale`
      : 'recode it again with measure ordinal or scale';
  return `${columnCode} is nominal: its codes have no order, so they have no mean and no quantiles; ${remedy}`;
}
