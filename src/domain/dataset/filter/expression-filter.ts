import type { ErrorDetail } from '../../../lib/errors.ts';
import type { CheckedExpression } from '../../expressions/check-expression.ts';
import { evaluateExpression, readExpression } from '../../expressions/evaluate-expression.ts';
import type { ColumnCatalog } from '../columns/column-catalog.ts';
import { expressionColumns, expressionSources } from '../columns/expression-columns.ts';
import type { Narrow } from './filter-comparison.ts';

/** Compiles an expression filter. Rows for which the expression is unknown do not pass. */
export function compileExpressionFilter(
  text: string,
  catalog: ColumnCatalog,
  field: string,
):
  | { ok: true; loadCodes: string[]; codes: readonly string[]; narrow: Narrow }
  | { ok: false; problems: ErrorDetail[] } {
  const checked = readExpression(text, expressionColumns(catalog), 'boolean');
  if (!checked.ok) {
    const { message, position, length } = checked.error;
    const problem = { field, message: `${message} (position ${position})`, position, length };
    return { ok: false, problems: [problem] };
  }
  const codes = checked.value.columnNames;
  const loadCodes = new Set(codes.flatMap((code) => catalog.loadCodesOf(code) ?? []));
  return { ok: true, loadCodes: [...loadCodes], codes, narrow: narrowTo(checked.value) };
}

function narrowTo(expression: CheckedExpression): Narrow {
  return (dataset, mask) => {
    const sources = expressionSources(expression.columnNames, dataset);
    const result = evaluateExpression(expression, sources, mask.length);
    if (result.kind !== 'numbers') throw new Error('the filter expression is not boolean');
    const { values } = result;
    for (let row = 0; row < mask.length; row++) mask[row]! &= +(values[row] === 1);
  };
}
