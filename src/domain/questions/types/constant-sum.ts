import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { cannotChange, formatList, mustBe, quote, unknownValue } from '../../../lib/error-messages.ts';
import {
  type CellCodec,
  joinLabels,
  optionColumnCode,
  questionColumn,
  type ReadResult,
  type StoredAnswer,
} from '../answers/codec.ts';
import {
  acceptAnswer,
  isNoAnswer,
  isRecord,
  NO_ANSWER,
  rejectAnswer,
  rejectAnswerForAll,
  type Strictness,
  unknownColumnProblem,
} from '../answers/read-answer.ts';
import type { Cell } from '../../columns/column-spec.ts';
import { optionWeight, type QuestionProfile, type SyntheticRespondent } from '../generate-answers.ts';
import {
  commonSettings,
  defineSettings,
  finiteNumberSchema,
  textSetting,
  withOrderedBounds,
} from '../common-settings.ts';
import type { Option, TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { choiceCodes } from './choice-lists.ts';
import { type NumberRange, readNumberInRange, digitsAfterPoint } from './numeric-answers.ts';
import {
  listOptions,
  PLAIN_ANSWERS,
  PLAIN_COMPARISON,
  PLAIN_FIGURES,
  PLAIN_SEEDING,
  PLAIN_SPSS,
  PLAIN_TYPE,
} from './plain-type.ts';
import { isSatisfiableByNumber, isSatisfiableBySelection } from './possible-operands.ts';

/** With MAX_DECIMALS, sums are integers below 2^53 when they are counted in the smallest unit. */
const MAX_TOTAL = 1_000_000_000;
const MAX_DECIMALS = 4;

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...commonSettings,
      total: finiteNumberSchema
        .positive()
        .max(MAX_TOTAL)
        .default(100)
        .describe('What the numbers of all items add up to'),
      total_rule: z
        .enum(['equal', 'at_most'])
        .default('equal')
        .describe('Whether the numbers must add up to the total, or can add up to less'),
      min: finiteNumberSchema.min(0).max(MAX_TOTAL).default(0).describe('Lowest number of an item'),
      max: finiteNumberSchema
        .min(0)
        .max(MAX_TOTAL)
        .nullable()
        .default(null)
        .describe('Highest number of an item; null: the total'),
      decimals: z
        .int()
        .min(0)
        .max(MAX_DECIMALS)
        .default(0)
        .describe('Number of decimals that respondents can enter'),
      prefix: textSetting(20)
        .nullable()
        .default(null)
        .describe('Text before each input and the total, such as a currency sign'),
      suffix: textSetting(20)
        .nullable()
        .default(null)
        .describe('Text after each input and the total, such as a unit'),
    }),
    'min',
    'max',
  ),
);

type SumSettings = z.infer<typeof settings>;
type SumQuestion = TypedQuestion<'constant_sum', SumSettings>;
/** Numbers by option_code. */
type Amounts = Record<string, number>;

const LISTED_OPTIONS = 5;
const MAX_PROBLEMS = 20;

/** The numbers that an item accepts. */
export function itemRange({ min, max, total, decimals, prefix, suffix }: SumSettings): NumberRange {
  return { min, max: max ?? total, step: null, decimals, prefix, suffix };
}

const draftRange = (settings: SumSettings): NumberRange => itemRange({ ...settings, min: 0, max: null });

/**
 * Adds numbers without binary floating-point error: 33.33 + 33.33 + 33.34 is 100. Counts in units of the last decimal; numbers with more
 * decimals are rounded.
 */
export function addUp(numbers: readonly number[], decimals: number): number {
  const unitsPerOne = 10 ** decimals;
  return numbers.reduce((sum, value) => sum + Math.round(value * unitsPerOne), 0) / unitsPerOne;
}

/** Returns the sum of an answer if it breaks the rule of the total, else null. */
export function wrongSum({ settings }: SumQuestion, amounts: Readonly<Amounts>): number | null {
  const { total, total_rule: rule, decimals } = settings;
  const sum = addUp(Object.values(amounts), decimals);
  return sum > total || (rule === 'equal' && sum < total) ? sum : null;
}

/** `must add up to 100, not 80`. */
function wrongSumMessage({ total, total_rule: rule }: SumSettings, sum: number): string {
  return `must add up to ${rule === 'equal' ? '' : 'at most '}${total}, not ${sum}`;
}

const amountsOf = (answer: StoredAnswer | null | undefined): Amounts =>
  isRecord(answer) ? (answer as Amounts) : {};

/** Returns the number of an item; undefined if it has none. */
function amountOf(amounts: Amounts, { code }: Pick<Option, 'code'>): number | undefined {
  return Object.hasOwn(amounts, String(code)) ? amounts[String(code)] : undefined;
}

function unknownItem({ options, code }: SumQuestion, key: string): string {
  const live = options.filter(({ retired }) => !retired);
  const accepted = formatList(live, LISTED_OPTIONS, (option) => quote(String(option.code)));
  return unknownValue(key, `an option_code of ${code}`, { accepted });
}

/**
 * An item without a number counts as 0 as soon as another item has one. The sum and the bounds of an item are checked in submitted answers
 * only: logic can withhold items, and then `max` may not apply.
 */
function read(question: SumQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (!isRecord(input)) {
    return rejectAnswer(
      mustBe('an object of option codes with their numbers, such as {"1": 40, "2": 60}', input),
    );
  }
  const known = new Set(question.options.map(({ code }) => String(code)));
  const problems: ErrorDetail[] = Object.keys(input)
    .filter((key) => !known.has(key))
    .map((key) => ({ field: '', message: unknownItem(question, key) }));
  const range = strictness === 'draft' ? draftRange(question.settings) : itemRange(question.settings);
  const given: Amounts = {};
  for (const { code, retired } of question.options) {
    const field = String(code);
    const written = Object.hasOwn(input, field) ? input[field] : null;
    const result = readNumberInRange(range, written);
    if (!result.ok) problems.push(...result.problems.map(({ message }) => ({ field, message })));
    else if (result.answer !== null && retired)
      problems.push({ field, message: `option ${quote(field)} is no longer offered` });
    else if (result.answer !== null) given[field] = result.answer as number;
  }
  if (problems.length === 0 && Object.keys(given).length === 0) return NO_ANSWER;
  if (problems.length > 0) return rejectAnswerForAll(problems.slice(0, MAX_PROBLEMS));
  const amounts = withZeros(question, given);
  if (strictness === 'draft') return acceptAnswer(amounts);
  const { min } = question.settings;
  const below = Object.entries(amounts).filter(([, amount]) => amount < min);
  if (below.length > 0) {
    const message = mustBe(`at least ${min}`, 0);
    return rejectAnswerForAll(below.slice(0, MAX_PROBLEMS).map(([field]) => ({ field, message })));
  }
  const sum = wrongSum(question, amounts);
  return sum === null ? acceptAnswer(amounts) : rejectAnswer(wrongSumMessage(question.settings, sum));
}

/** Returns the numbers in the order of the options, with 0 for each offered item without a number. */
function withZeros({ options }: SumQuestion, given: Amounts): Amounts {
  return Object.fromEntries(
    options.flatMap((option): [string, number][] => {
      const value = amountOf(given, option) ?? (option.retired ? undefined : 0);
      return value === undefined ? [] : [[String(option.code), value]];
    }),
  );
}

/** The changed numbers must add up with the others. In a question without an answer, items without a number count as 0. */
function fromCells(
  question: SumQuestion,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
): ReadResult {
  const before = amountsOf(answer);
  const problems: ErrorDetail[] = [];
  const left = new Map(changes);
  const amounts: Amounts = {};
  for (const option of question.options) {
    const columnCode = optionColumnCode(question, option);
    const cell = left.get(columnCode);
    left.delete(columnCode);
    const result: ReadResult =
      cell === undefined
        ? { ok: true, answer: amountOf(before, option) ?? null }
        : readNumberInRange(itemRange(question.settings), cell);
    if (!result.ok) problems.push(...result.problems.map(({ message }) => ({ field: columnCode, message })));
    else if (result.answer !== null) amounts[String(option.code)] = result.answer as number;
  }
  problems.push(...[...left.keys()].map((code) => unknownColumnProblem(code, question.code)));
  if (problems.length > 0) return rejectAnswerForAll(problems);
  if (Object.keys(amounts).length === 0) return NO_ANSWER;
  const sum = wrongSum(question, amounts);
  if (sum !== null) {
    const message = `${wrongSumMessage(question.settings, sum)}; set the numbers of the question together`;
    return rejectAnswer(message, question.code);
  }
  return acceptAnswer(isRecord(answer) ? amounts : withZeros(question, amounts));
}

/** Returns the option_values of the items with more than 0. */
function chosenValues({ options }: SumQuestion, answer: StoredAnswer): string[] {
  return options.filter((option) => (amountOf(amountsOf(answer), option) ?? 0) > 0).map(({ value }) => value);
}

/** Numbers by option_code: `{"1": 40, "2": 60}`. Options that logic withheld, or that were added later, are absent. */
export const constantSumAnswers: QuestionAnswers<SumQuestion> = {
  ...PLAIN_ANSWERS,
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  operand(question, answer, code) {
    if (code === undefined) return { kind: 'choice', values: chosenValues(question, answer) };
    const amounts = amountsOf(answer);
    const value = Object.hasOwn(amounts, code) ? amounts[code] : undefined;
    return value === undefined ? null : { kind: 'number', value };
  },
  withoutOptions({ options }, answer, withheld) {
    const removed = new Set(
      options.filter(({ value }) => withheld.has(value)).map(({ code }) => String(code)),
    );
    const left = Object.entries(amountsOf(answer)).filter(([code]) => !removed.has(code));
    return left.length === 0 ? null : Object.fromEntries(left);
  },
  withOfferedOptions(question, offered) {
    return { ...question, options: [...offered], settings: reachable(question.settings, offered.length) };
  },
  pipedText(question, answer, texts) {
    const amounts = amountsOf(answer);
    return question.options
      .flatMap((option) => {
        const value = amountOf(amounts, option);
        if (value === undefined) return [];
        return `${texts.entry('options', String(option.code), option.label)}: ${value}`;
      })
      .join('; ');
  },
  pipedCode: (question, answer) => choiceCodes(question, chosenValues(question, answer)),
};

/** Returns the settings without the maximum of an item if fewer items than `count` cannot reach the total with it. */
function reachable(settings: SumSettings, count: number): SumSettings {
  const { max, total } = settings;
  return max !== null && max * count < total ? { ...settings, max: null } : settings;
}

const constantSumCells: CellCodec<SumQuestion> = {
  columns: (question) =>
    question.options.map((option) =>
      questionColumn(question, {
        columnCode: optionColumnCode(question, option),
        label: joinLabels(question.text, option.label),
        type: 'number',
        measure: 'scale',
        retired: question.retired || option.retired,
      }),
    ),
  toCells(question, answer) {
    const amounts = amountsOf(answer);
    return question.options.map((option) => amountOf(amounts, option) ?? null);
  },
  fromCells,
};

export const constantSumType: QuestionTypeModule<SumQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: constantSumAnswers,
  cells: constantSumCells,
  settings,
  numberRange: ({ settings: sum }) => itemRange(sum),
  showsPlaceholder: () => true,
  settingsProblems({ total, min, max, decimals }) {
    const numbers = { total, min, max: max ?? 0 };
    const problems = Object.entries(numbers)
      .filter(([, value]) => digitsAfterPoint(value) > decimals)
      .map(([field, value]) => ({ field, message: `${value} needs more than ${decimals} decimals` }));
    if (min > total) problems.push({ field: 'min', message: `must be at most total (${total}), not ${min}` });
    if (max !== null && max > total)
      problems.push({ field: 'max', message: `must be at most total (${total}), not ${max}` });
    return problems;
  },
  options: {
    takeOtherText: false,
    noun: 'options',
    problems: (settings, { length }) => itemProblems(settings, length),
  },
  frozenChanges: ({ settings: { total: before } }, { settings: { total: after } }) =>
    after === before
      ? []
      : [{ field: 'question_settings.total', message: cannotChange(`answers add up to ${before}`) }],
  columnCount: ({ options }) => options.length,
  comparison: {
    ...PLAIN_COMPARISON,
    parts: {
      noun: 'constant sum',
      partNoun: 'item',
      list: ({ options }) => options.map(({ code, label }) => ({ code: String(code), label })),
    },
    choicesInCell: ({ options }, index, cell) =>
      Number(cell) > 0 ? [options[index]?.value ?? []].flat() : [],
    // Without a row_code, the items with more than 0 count.
    isSatisfiable: (question, comparisons) =>
      comparisons[0]?.left.row_code === undefined
        ? isSatisfiableBySelection(question, comparisons, {
            takesNone: question.settings.total_rule === 'at_most',
          })
        : isSatisfiableByNumber(itemRange(question.settings), comparisons),
  },
  figures: {
    ...PLAIN_FIGURES,
    composite: { kind: 'numbers', noun: 'constant sum', partNoun: 'item', parts: ({ options }) => options },
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer: ({ question, offered, profile, respondent }) =>
      distributeTotal({
        sumSettings: reachable(question.settings, offered.length),
        offered,
        profile,
        respondent,
      }),
    seconds: ({ options }) => 6 + 4 * options.length,
  },
  spss: { ...PLAIN_SPSS, decimals: ({ settings: { decimals } }) => decimals },
  describeAnswers(question) {
    const { total, total_rule: rule } = question.settings;
    return `numbers that add up to ${rule === 'equal' ? '' : 'at most '}${total}: ${listOptions(question)}`;
  },
  importedColumn: ({ options }, { part, isPart }) =>
    options.findIndex(
      ({ code, value, label }) => isPart(part, value, label) || isPart(part, String(code), label),
    ),
  answerFormat: '`{"1":40,"2":60}`, by option_code',
  example: {
    page_id: 2,
    question_code: 'Q13',
    question_text: 'Divide 100 points among these, by how much they matter to you.',
    question_settings: { total: 100, suffix: 'points' },
    options: [
      { option_label: 'Taste', option_value: 'taste' },
      { option_label: 'Price', option_value: 'price' },
      { option_label: 'Speed', option_value: 'speed' },
    ],
  },
};

/** Returns why `count` items cannot add up to the total. */
function itemProblems(
  { total, total_rule: rule, min, max, decimals }: SumSettings,
  count: number,
): ErrorDetail[] {
  const unitsPerOne = 10 ** decimals;
  const share = Math.round(total * unitsPerOne) / count;
  const sumText = `for ${count === 1 ? '1 item' : `${count} items`} that must add up to ${total}`;
  if (min * count > total && count > 0) {
    const message = `min must be at most ${Math.floor(share) / unitsPerOne} ${sumText}, not ${min}`;
    return [{ field: 'min', message }];
  }
  if (rule === 'equal' && max !== null && max * count < total) {
    const message = `max must be at least ${Math.ceil(share) / unitsPerOne} ${sumText}, not ${max}`;
    return [{ field: 'max', message }];
  }
  return [];
}

/** Probability that an answer uses up a total that it need not reach. */
const USED_UP_PROBABILITY = 0.7;
/** Most respondents think in twentieths, such as 5 of 100. */
const COARSE_STEPS = 20;

/** Divides the total among the items by their weights, in coarse steps where the bounds allow that. */
function distributeTotal({
  sumSettings: { total, total_rule: rule, min, max, decimals },
  offered,
  profile,
  respondent,
}: {
  sumSettings: SumSettings;
  offered: readonly Option[];
  profile: QuestionProfile;
  respondent: SyntheticRespondent;
}): Amounts | null {
  const { random } = respondent;
  const unitsPerOne = 10 ** decimals;
  const toUnits = (value: number) => Math.round(value * unitsPerOne);
  const lowest = toUnits(min);
  const free = toUnits(total) - lowest * offered.length;
  if (free < 0 || offered.length === 0) return null;
  const room = toUnits(max ?? total) - lowest;
  const coarse = free / COARSE_STEPS;
  const isCoarse = Number.isInteger(coarse) && Math.floor(room / coarse) * offered.length >= COARSE_STEPS;
  const step = isCoarse && coarse > 0 ? coarse : 1;
  const isPartial = rule === 'at_most' && !random.isTrue(USED_UP_PROBABILITY);
  let left = Math.floor((free / step) * (isPartial ? 0.5 + 0.5 * random.next() : 1));
  const most = Math.floor(room / step);
  const weighted = offered.map((option) => ({
    code: String(option.code),
    weight: optionWeight(profile, respondent)(option) * Math.exp(0.6 * random.normal()),
  }));
  let weightLeft = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const amounts: Amounts = {};
  for (const [index, { code, weight }] of weighted.entries()) {
    const isLast = index === offered.length - 1;
    const wanted = isLast ? left : Math.round((left * weight) / weightLeft);
    const least = Math.max(0, left - most * (offered.length - index - 1));
    const steps = Math.min(Math.max(wanted, least), most, left);
    amounts[code] = (lowest + steps * step) / unitsPerOne;
    left -= steps;
    weightLeft -= weight;
  }
  return amounts;
}
