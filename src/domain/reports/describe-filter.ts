import type { ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import { readFilter } from '../dataset/filter/filter.ts';
import { typeOf } from '../questions/registry.ts';
import { comparisonsIn, type Comparison } from '../survey/logic/condition.ts';
import { describeCondition, type OperandLabels } from '../survey/logic/describe-condition.ts';

/** Returns `Filter: “Gender?” is “Female”`, or an expression as its author wrote it; null without a filter. */
export function describeFilter(filter: unknown, catalog: ColumnCatalog): string | null {
  const read = readFilter(filter, catalog);
  if (!read.ok) return null;
  const { condition } = read.filter;
  if (typeof condition === 'string') return `Filter: ${condition}`;
  if (comparisonsIn(condition).length === 0) return null;
  return `Filter: ${describeCondition(condition, labelsFromCatalog(catalog))}`;
}

/** Returns the labels of columns in a filter. */
const labelsFromCatalog =
  (catalog: ColumnCatalog) =>
  ({ code, row_code: rowCode }: Comparison['left']): OperandLabels | undefined => {
    const question = catalog.question(code)?.question;
    const parts = question && typeOf(question).comparison.parts;
    if (rowCode !== undefined && parts) {
      const row = parts.list(question).find((part) => part.code === rowCode)?.label;
      return { text: question.text, row, values: question.options, retired: question.retired };
    }
    const spec = catalog.find(code)?.spec;
    if (spec !== undefined) return { text: spec.label, values: spec.values, retired: spec.retired };
    return question && { text: question.text, values: question.options, retired: question.retired };
  };
