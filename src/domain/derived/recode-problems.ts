import type { ErrorDetail } from '../../lib/errors.ts';
import { quote } from '../../lib/quote.ts';
import type { ColumnSpec } from '../dataset/columns/column-spec.ts';
import { valueNotFound } from '../dataset/edits/edit-cells.ts';
import type { RecodeRule } from './definition.ts';
import { isRange } from './recode-column.ts';

const isNumber = (value: string | number) => String(value).trim() !== '' && Number.isFinite(Number(value));

function listProblem(value: string | number, spec: ColumnSpec): string | null {
  switch (spec.type) {
    case 'categorical':
    case 'binary':
      return spec.values.some((known) => known.value === String(value)) ? null : valueNotFound(spec, value);
    case 'number':
    case 'rank':
      return isNumber(value) ? null : `${spec.columnCode} holds numbers, not ${quote(value)}`;
    default:
      return null;
  }
}

function rangeProblem(
  { min, max }: { min?: number | undefined; max?: number | undefined },
  spec: ColumnSpec,
): string | null {
  if (min === undefined && max === undefined) return 'needs min, max or both';
  if (min !== undefined && max !== undefined && min > max) return `min ${min} is above max ${max}`;
  const hasNumbers =
    spec.type === 'number' ||
    spec.type === 'rank' ||
    spec.type === 'binary' ||
    (spec.type === 'categorical' && spec.values.some(({ value }) => isNumber(value)));
  return hasNumbers ? null : `${spec.columnCode} holds no numbers; list its values`;
}

/** Returns problems of recode rules for a column; `place` gives the path of a rule in the request. */
export function recodeProblems(
  rules: readonly RecodeRule[],
  spec: ColumnSpec,
  fieldOfRule: (rule: number) => string,
): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  let after = -1;
  rules.forEach(({ from }, index) => {
    const addProblem = (message: string | null) => {
      if (message !== null) problems.push({ field: fieldOfRule(index), message });
    };
    if (after >= 0 && from !== 'missing') addProblem('must come before "else", which matches every value');
    if (from === 'else') after = index;
    else if (from === 'missing') return;
    else if (isRange(from)) addProblem(rangeProblem(from, spec));
    else for (const value of from) addProblem(listProblem(value, spec));
  });
  return problems;
}

/** Returns problems of rule results that are to overwrite the column itself. */
export function overwriteProblems(
  rules: readonly RecodeRule[],
  spec: ColumnSpec,
  fieldOfRule: (rule: number) => string,
): ErrorDetail[] {
  return rules.flatMap(({ to }, index) => {
    const message = to === null ? null : listProblem(to, spec);
    return message === null ? [] : [{ field: fieldOfRule(index), message }];
  });
}
