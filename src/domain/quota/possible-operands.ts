import { compare, type Operand } from '../survey/logic/compare.ts';
import type { Comparison, Operator } from '../survey/logic/condition.ts';
import type { Question, QuestionWithType } from '../survey/definition.ts';

/** Comparisons within a text, whose matches cannot be enumerated. */
const IN_TEXT: ReadonlySet<Operator> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with']);
/** Comparisons satisfied only by the values on their right side. */
const NAMES_VALUES: ReadonlySet<Operator> = new Set(['equals', 'in', 'includes_any']);
/** Domains up to this size are tried value by value. */
const MAX_TRIED = 2_000;
const DATE_CHARACTERS = { date: 10, datetime: 16, time: 5, month: 7, year: 4 } as const;

const values = ({ right }: Comparison) => (right === undefined ? [] : [right].flat());

/** Whether one answer can satisfy all comparisons; `true` if unknown. */
export function hasSatisfyingOperand(
  comparisons: readonly Comparison[],
  question: Question | undefined,
): boolean {
  const some = (operands: Iterable<Operand>) => {
    for (const operand of operands) {
      if (comparisons.every(({ operator, right }) => compare(operand, operator, right))) return true;
    }
    return false;
  };
  switch (question?.type) {
    case 'single_choice':
    case 'dropdown':
      return some(singleChoices(question));
    case 'multiple_choice':
    case 'ranking':
      return some(selections(question, comparisons));
    case 'matrix': {
      const { matrix_type: type } = question.settings;
      // Without a row_code, the choices of all rows count, so there can be several.
      const isSingle = type === 'single' && comparisons[0]!.left.row_code !== undefined;
      return some(isSingle ? singleChoices(question) : selections(question, comparisons));
    }
    case 'number':
    case 'scale':
    case 'slider':
    case 'nps':
      return (
        comparisons.some(({ operator }) => IN_TEXT.has(operator)) || some(numbers(question, comparisons))
      );
    case 'date':
      return hasSatisfyingDate(comparisons, DATE_CHARACTERS[question.settings.precision]);
    case 'file_upload':
      return true;
    case 'text':
    case undefined: {
      const named = comparisons.find(({ operator }) => NAMES_VALUES.has(operator));
      return named === undefined || some(texts(named));
    }
  }
}

const activeOptions = ({ options }: Question) => options.filter(({ retired }) => !retired);

const singleChoices = (question: Question): Operand[] =>
  activeOptions(question).map(({ value }) => ({ kind: 'choice', values: [value] }));

/**
 * Returns selections that suffice for the check: none, each option alone, and all options that no comparison forbids. If several selections
 * satisfy the comparisons that require options, the largest allowed one does too.
 */
function selections(question: Question, comparisons: readonly Comparison[]): Operand[] {
  const forbidding = comparisons.filter(({ operator }) =>
    ['not_in', 'includes_none', 'not_contains'].includes(operator),
  );
  const most = activeOptions(question).filter(
    ({ value, exclusive }) =>
      !exclusive &&
      forbidding.every(({ operator, right }) =>
        compare({ kind: 'choice', values: [value] }, operator, right),
      ),
  );
  const together: Operand = { kind: 'choice', values: most.map(({ value }) => value) };
  // A ranking answer has at least one option.
  const none: Operand[] = question.type === 'ranking' ? [] : [{ kind: 'choice', values: [] }];
  return [...none, ...singleChoices(question), ...(most.length < 2 ? [] : [together])];
}

type NumberQuestion = QuestionWithType<'number' | 'scale' | 'slider' | 'nps'>;

/** Yields every number the question accepts, or, if there are many, those around the compared values. */
function* numbers(question: NumberQuestion, comparisons: readonly Comparison[]): Generator<Operand> {
  const { min, max, unit } = rangeOf(question);
  const operand = (value: number): Operand => ({ kind: 'number', value });
  if (min !== null && max !== null && (max - min) / unit <= MAX_TRIED) {
    for (let step = 0; min + step * unit <= max + unit / 1e6; step++)
      yield operand(roundStep(min + step * unit));
    return;
  }
  const named = comparisons.flatMap(values).map(Number).filter(Number.isFinite);
  for (const center of [...named, min, max, 0]) {
    if (center === null) continue;
    const below = Math.floor(center / unit + 1e-9) * unit;
    for (const value of [center, below - unit, below, below + unit].map(roundStep)) {
      if ((min === null || value >= min) && (max === null || value <= max)) yield operand(value);
    }
  }
}

function rangeOf(question: NumberQuestion): { min: number | null; max: number | null; unit: number } {
  switch (question.type) {
    case 'nps':
      return { min: 0, max: 10, unit: 1 };
    case 'number': {
      const { min, max, decimals } = question.settings;
      return { min, max, unit: 10 ** -decimals };
    }
    case 'scale':
    case 'slider':
      return { min: question.settings.min, max: question.settings.max, unit: question.settings.step };
  }
}

/** Removes floating-point error from accumulated steps. */
const roundStep = (value: number): number => Number(value.toPrecision(12));

/** Returns the values named by a comparison as texts. */
const texts = (named: Comparison): Operand[] =>
  values(named).map((value) => ({ kind: 'text', text: String(value) }));

/** Whether any date satisfies all comparisons, at the precision of the answers. */
function hasSatisfyingDate(comparisons: readonly Comparison[], characters: number): boolean {
  const lowest: string[] = [];
  const highest: string[] = [];
  for (const comparison of comparisons) {
    const [first, second] = values(comparison).map((value) => String(value).slice(0, characters));
    switch (comparison.operator) {
      case 'equals':
        lowest.push(first!);
        highest.push(first!);
        break;
      case 'between':
        lowest.push(first!);
        highest.push(second!);
        break;
      case 'gt':
      case 'gte':
      case 'after':
        lowest.push(first!);
        break;
      case 'lt':
      case 'lte':
      case 'before':
        highest.push(first!);
        break;
      default:
    }
  }
  return lowest.every((low) => highest.every((high) => !isAfter(low, high)));
}

function isAfter(low: string, high: string): boolean {
  const length = Math.min(low.length, high.length);
  return low.slice(0, length) > high.slice(0, length);
}
