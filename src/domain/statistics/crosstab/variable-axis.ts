import { unprocessable, unprocessableField } from '../../../lib/errors.ts';
import {
  type Axis,
  type AxisCategory,
  type AxisValue,
  columnCodesOf,
  createMultipleChoiceAxis,
  createSingleChoiceAxis,
  type Net,
} from './axis.ts';
import { type Coding, combineCodings, MAX_CODING_SIZE, type Region } from './coding.ts';
import { MAX_CELLS } from './limits.ts';
import type { CatalogColumn } from '../../dataset/columns/column-catalog.ts';
import type { Column } from '../../dataset/columns/columns.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { PRESENT } from '../../dataset/columns/missing.ts';
import type { BinaryColumn } from '../../dataset/columns/multiple-column.ts';
import type { NumericColumn } from '../../dataset/columns/numeric-column.ts';
import type { Base } from '../base.ts';
import { type IndexedValues, observeNumbers, observeTexts } from './observed-values.ts';

/** Every coding is an Int16 per response. */
const MAX_CODINGS = 60;

/** Nests every category of `inner` within every category of `outer`. The base are the respondents in both bases. */
export function nestAxes(outer: Axis, inner: Axis, rowCount: number): Axis {
  const names = [...columnCodesOf(outer), ...columnCodesOf(inner)].join(' > ');
  const categories = outer.categories.length * inner.categories.length;
  if (categories > MAX_CELLS) {
    throw tooLarge(`${names} nested has ${categories} categories, a table at most ${MAX_CELLS} cells`);
  }
  const codings: Coding[] = [];
  const combined = new Map<string, number>();
  const regionOf = (out: Region, within: Region): Region => {
    const key = `${out.coding} ${within.coding}`;
    const [first, second] = [outer.codings[out.coding]!, inner.codings[within.coding]!];
    let coding = combined.get(key);
    if (coding === undefined) {
      if (codings.length >= MAX_CODINGS || first.size * second.size > MAX_CODING_SIZE) {
        throw tooLarge(`${names} cannot be nested: together they have too many categories`);
      }
      coding = codings.push(combineCodings(first, second, rowCount)) - 1;
      combined.set(key, coding);
    }
    const slots = out.slots.flatMap((slot) => within.slots.map((inside) => slot * second.size + inside));
    return { coding, slots };
  };
  const base = regionOf(outer.base, inner.base);
  return {
    specs: [...outer.specs, ...inner.specs],
    base,
    categories: outer.categories.flatMap((out, index) =>
      inner.categories.map((within): AxisCategory => ({
        steps: [...out.steps, ...within.steps],
        region: regionOf(out.region, within.region),
        missing: out.missing || within.missing,
        isNet: out.isNet || within.isNet,
        // Compares the categories of the innermost variable within the same outer category.
        family: within.family === null ? null : index,
      })),
    ),
    codings,
    overlaps: outer.overlaps || inner.overlaps,
    hasMean: false,
  };
}

function tooLarge(message: string) {
  return unprocessable('crosstab_too_large', message);
}

interface AxisSettings {
  base: Base;
  nets: readonly Net[];
  /** 1 for every counted row. Columns without a value list use the values found there. */
  mask: Uint8Array;
  /** The path of the variable in the request. */
  field: string;
}

/**
 * Whether the column is a number with amounts instead of categories, so that it has means. Labels of missing codes alone do not make
 * categories.
 */
export function isMeasure({ spec }: CatalogColumn): boolean {
  return spec.type === 'number' && spec.measure !== 'nominal' && spec.values.every(({ missing }) => missing);
}

function notCategorical({ spec }: CatalogColumn, field: string, reason: string) {
  const message = `${spec.columnCode} is of type ${spec.type}: ${reason}, so it cannot make rows or columns of a table`;
  return unprocessableField('no_categories', field, message);
}

/** 0 and 1 of one option of a multiple choice. */
function binaryIndices({ source, option }: BinaryColumn, rowCount: number): Int16Array {
  const { words, states, wordsPerRow } = source;
  const present = PRESENT;
  const indices = new Int16Array(rowCount);
  const shift = option & 31;
  let word = option >>> 5;
  for (let row = 0; row < rowCount; row++, word += wordsPerRow) {
    const state = states[row]!;
    indices[row] = state === present ? (words[word]! >>> shift) & 1 : -state;
  }
  return indices;
}

/** The labeled values of a number. The ranks of a ranking are as many as its options. */
function knownValues({ spec, origin }: CatalogColumn): AxisValue[] {
  if (spec.type !== 'rank' || origin.kind !== 'question') return [...spec.values];
  return origin.questionColumns.question.options.map((_, index) => {
    const rank = String(index + 1);
    return { code: index + 1, value: rank, label: rank, missing: false };
  });
}

function numberValues(
  entry: CatalogColumn,
  column: NumericColumn,
  { mask, field }: AxisSettings,
): IndexedValues {
  if (isMeasure(entry)) throw notCategorical(entry, field, 'bin it first (transform/bin)');
  const observed = observeNumbers(column, knownValues(entry), mask);
  if (observed === null) throw notCategorical(entry, field, 'it has too many different values; bin it first');
  return observed;
}

/** Creates the axis of a variable. Throws 422 for a variable without categories. `isNested`: the axis will be nested with another one. */
export function createVariableAxis(
  dataset: Dataset,
  entry: CatalogColumn,
  isNested: boolean,
  settings: AxisSettings,
): Axis {
  const column: Column = dataset.column(entry);
  const { spec } = column;
  const { base, mask, field } = settings;
  const nets = settings.nets.filter(({ columnCode }) => columnCode === spec.columnCode);
  switch (column.kind) {
    case 'categorical': {
      const { indices } = column;
      if (!(indices instanceof Int16Array)) throw notCategorical(entry, field, 'it has too many categories');
      return createSingleChoiceAxis(spec, spec.values, { indices }, { nets, base });
    }
    case 'binary':
      return createSingleChoiceAxis(
        spec,
        spec.values,
        { indices: binaryIndices(column, mask.length) },
        { nets, base },
      );
    case 'multiple':
      return createMultipleChoiceAxis(column, mask.length, { nets, base, apart: isNested });
    case 'numeric': {
      const observed = numberValues(entry, column, settings);
      return createSingleChoiceAxis(spec, observed.values, observed, { nets, base });
    }
    case 'text': {
      // System values such as a language are categories; texts written by respondents are not.
      const observed = spec.source === 'metadata' ? observeTexts(column, mask) : null;
      if (observed === null) {
        const reason =
          spec.source === 'metadata' ? 'it has too many different values' : 'it has no categories';
        throw notCategorical(entry, field, reason);
      }
      return createSingleChoiceAxis(spec, observed.values, observed, { nets, base });
    }
    case 'date':
      throw notCategorical(
        entry,
        field,
        'it has no categories; make periods of it first (a computed column)',
      );
  }
}
