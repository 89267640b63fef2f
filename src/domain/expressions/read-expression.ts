import { checkExpression, type CheckedExpression } from './check-expression.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { type ExpressionResult, spanOf } from './expression-error.ts';
import type { ExpressionColumns, ExpressionType, TypedNode } from './typed-expression.ts';

/** Checks an expression like checkExpression, and rejects parts that can have no value, such as `1 / 0` or `9 ^ 9 ^ 9`. */
export function readExpression(
  source: string,
  columns: ExpressionColumns,
  wanted?: ExpressionType,
): ExpressionResult<CheckedExpression> {
  const checked = checkExpression(source, columns, wanted);
  if (!checked.ok) return checked;
  const invalidPart = partWithoutValue(checked.value.root);
  if (invalidPart === null) return checked;
  return { ok: false, error: { message: 'this has no finite value', ...spanOf(invalidPart, invalidPart) } };
}

/** The smallest part that is computed from constants only and has no numeric value. */
function partWithoutValue(node: TypedNode): TypedNode | null {
  if (node.kind !== 'call') return null;
  for (const arg of node.args) {
    const found = partWithoutValue(arg);
    if (found !== null) return found;
  }
  if (node.type !== 'number' || !isCalculated(node)) return null;
  const values = evaluateExpression({ type: 'number', columnNames: [], root: node }, new Map(), 1);
  return values.kind === 'numbers' && Number.isNaN(values.values[0]) ? node : null;
}

/** Whether the node is computed from constants only. Expressions with a null are excluded, because their missing value is intended. */
function isCalculated(node: TypedNode): boolean {
  if (node.kind === 'column' || node.type !== 'number') return false;
  return node.kind === 'constant' ? !Number.isNaN(node.value) : node.args.every(isCalculated);
}
