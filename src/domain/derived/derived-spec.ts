import { FLAG_VALUES } from '../answers/question-columns.ts';
import type { ColumnSpec, ColumnValue, LevelOfMeasurement } from '../dataset/columns/column-spec.ts';
import type { ComputedType, RecodeRule } from './definition.ts';

/** The part of a column spec determined by its definition; the rest is naming. */
export type DerivedForm = Pick<ColumnSpec, 'type' | 'measure' | 'values' | 'precision'>;

const form = (
  type: ColumnSpec['type'],
  measure: ColumnSpec['measure'],
  extras: Partial<DerivedForm> = {},
): DerivedForm => ({ type, measure, values: [], precision: null, ...extras });

/** Numbers with a mean. */
export const NUMBER_FORM = form('number', 'scale');
/** Texts. */
export const TEXT_FORM = form('text', 'nominal');

/** Ordered categories of bins. */
export function binForm(values: ColumnValue[]): DerivedForm {
  return form('categorical', 'ordinal', { values });
}

const INTEGER = /^-?\d{1,9}$/;

/**
 * Returns the categories in rule order: integers are their own codes in ascending order, texts are numbered. Non-integer numbers give a
 * numeric column.
 */
export function recodeForm(
  rules: readonly RecodeRule[],
  source: Pick<ColumnSpec, 'measure'>,
  measure: LevelOfMeasurement = source.measure === 'nominal' ? 'nominal' : 'ordinal',
): DerivedForm {
  const labels = new Map<string, string>();
  for (const { to, label } of rules) {
    if (to === null) continue;
    const value = String(to);
    if (!labels.has(value) || (label !== undefined && labels.get(value) === value))
      labels.set(value, label ?? value);
  }
  const values = [...labels.keys()];
  const numbers = rules.flatMap(({ to }) => (typeof to === 'number' ? [to] : []));
  if (
    numbers.some((number) => !INTEGER.test(String(number))) &&
    numbers.length === rules.filter(({ to }) => to !== null).length
  )
    return NUMBER_FORM;
  const coded = values.every((value) => INTEGER.test(value));
  const categories = values.map((value, index) => {
    return { code: coded ? Number(value) : index + 1, value, label: labels.get(value)!, missing: false };
  });
  if (coded) categories.sort((a, b) => a.code - b.code);
  return form('categorical', measure, { values: categories });
}

/** Returns the form of an expression's result; `withTime`: its dates can have a time. */
export function computedForm(type: ComputedType, withTime: boolean): DerivedForm {
  switch (type) {
    case 'number':
      return NUMBER_FORM;
    case 'text':
      return TEXT_FORM;
    case 'boolean':
      return form('binary', 'nominal', { values: [...FLAG_VALUES] });
    case 'date':
      return form('date', 'scale', { precision: withTime ? 'datetime' : 'date' });
  }
}
