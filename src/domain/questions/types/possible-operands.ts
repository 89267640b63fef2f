import { compareOperands, type Comparison, type Operand, type Operator } from '../condition.ts';
import type { AnyQuestion } from '../question.ts';
import type { NumberRange } from './numeric-answers.ts';

/** Comparisons within a text, whose matches cannot be enumerated. */
const IN_TEXT: ReadonlySet<Operator> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with']);
/** Comparisons satisfied only by the values on their right side. */
const NAMES_VALUES: ReadonlySet<Operator> = new Set(['equals', 'in', 'includes_any']);
/** Domains up to this size are tried value by value. */
const MAX_TRIED = 2_000;

/** The values on the right side. */
export const comparedValues = ({ right }: Comparison) => (right === undefined ? [] : [right].flat());

/** Whether one of the operands satisfies all comparisons. */
function isAnySatisfying(operands: Iterable<Operand>, comparisons: readonly Comparison[]): boolean {
  for (const operand of operands) {
    if (comparisons.every(({ operator, right }) => compareOperands(operand, operator, right))) return true;
  }
  return false;
}

const activeOptions = ({ options }: AnyQuestion) => options.filter(({ retired }) => !retired);

const singleChoices = (question: AnyQuestion): Operand[] =>
  activeOptions(question).map(({ value }) => ({ kind: 'choice', values: [value] }));

/** Whether the choice of one option can satisfy all comparisons. */
export function isSatisfiableByChoice(question: AnyQuestion, comparisons: readonly Comparison[]): boolean {
  return isAnySatisfying(singleChoices(question), comparisons);
}

/**
 * Whether a selection of options can satisfy all comparisons. Tries selections that suffice for the check: none (if `takesNone`), each
 * option alone, and all options that no comparison forbids. If several selections satisfy the comparisons that require options, the
 * largest allowed one does too.
 */
export function isSatisfiableBySelection(
  question: AnyQuestion,
  comparisons: readonly Comparison[],
  { takesNone }: { takesNone: boolean },
): boolean {
  const forbidding = comparisons.filter(({ operator }) =>
    ['not_in', 'includes_none', 'not_contains'].includes(operator),
  );
  const most = activeOptions(question).filter(
    ({ value, exclusive }) =>
      !exclusive &&
      forbidding.every(({ operator, right }) =>
        compareOperands({ kind: 'choice', values: [value] }, operator, right),
      ),
  );
  const together: Operand = { kind: 'choice', values: most.map(({ value }) => value) };
  const none: Operand[] = takesNone ? [{ kind: 'choice', values: [] }] : [];
  const tried = [...none, ...singleChoices(question), ...(most.length < 2 ? [] : [together])];
  return isAnySatisfying(tried, comparisons);
}

/** Whether a number of the range can satisfy all comparisons. */
export function isSatisfiableByNumber(range: NumberRange, comparisons: readonly Comparison[]): boolean {
  return (
    comparisons.some(({ operator }) => IN_TEXT.has(operator)) ||
    isAnySatisfying(listNumbers(range, comparisons), comparisons)
  );
}

/** Yields every number of the range, or, if there are many, those around the compared values. */
function* listNumbers(
  { min, max, step, decimals }: NumberRange,
  comparisons: readonly Comparison[],
): Generator<Operand> {
  const unit = decimals === null ? (step ?? 1) : 10 ** -decimals;
  const operand = (value: number): Operand => ({ kind: 'number', value });
  if (min !== null && max !== null && (max - min) / unit <= MAX_TRIED) {
    for (let index = 0; min + index * unit <= max + unit / 1e6; index++)
      yield operand(roundStep(min + index * unit));
    return;
  }
  const named = comparisons.flatMap(comparedValues).map(Number).filter(Number.isFinite);
  for (const center of [...named, min, max, 0]) {
    if (center === null) continue;
    const below = Math.floor(center / unit + 1e-9) * unit;
    for (const value of [center, below - unit, below, below + unit].map(roundStep)) {
      if ((min === null || value >= min) && (max === null || value <= max)) yield operand(value);
    }
  }
}

/** Removes floating-point error from accumulated steps. */
const roundStep = (value: number): number => Number(value.toPrecision(12));

/** Whether a text can satisfy all comparisons; `true` if none names whole texts. */
export function isSatisfiableByText(comparisons: readonly Comparison[]): boolean {
  const named = comparisons.find(({ operator }) => NAMES_VALUES.has(operator));
  if (named === undefined) return true;
  const texts = comparedValues(named).map((value): Operand => ({ kind: 'text', text: String(value) }));
  return isAnySatisfying(texts, comparisons);
}
