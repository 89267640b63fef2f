import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { mustBe, quote, sizeAtLeast, sizeAtMost } from '../../../lib/error-messages.ts';
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
  NO_ANSWER,
  readChoice,
  rejectAnswer,
  rejectAnswerForAll,
  type Strictness,
  unknownColumnProblem,
} from '../answers/read-answer.ts';
import type { Cell } from '../../columns/column-spec.ts';
import { optionWeight } from '../generate-answers.ts';
import {
  commonSettings,
  defineSettings,
  optionalMaximum,
  optionalMinimum,
  withOrderedBounds,
} from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { readNumberInput } from './numeric-answers.ts';
import { choiceCodes, choiceLabels, minimumProblems, withoutChoices } from './choice-lists.ts';
import {
  listOptions,
  PLAIN_ANSWERS,
  PLAIN_COMPARISON,
  PLAIN_FIGURES,
  PLAIN_SEEDING,
  PLAIN_TYPE,
} from './plain-type.ts';
import { isSatisfiableBySelection } from './possible-operands.ts';

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...commonSettings,
      min_ranked: optionalMinimum(1_000),
      max_ranked: optionalMaximum(1_000),
    }),
    'min_ranked',
    'max_ranked',
  ),
);

type RankingQuestion = TypedQuestion<'ranking', z.infer<typeof settings>>;

function read(question: RankingQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (!Array.isArray(input)) {
    return rejectAnswer(mustBe('a list of option values, best first, such as ["3","1"]', input));
  }
  if (input.length > question.options.length) {
    return rejectAnswer(sizeAtMost(question.options.length, 'option', input.length));
  }
  const problems: ErrorDetail[] = [];
  const ranked = new Set<string>();
  input.forEach((item: unknown, index) => {
    const result = readChoice(question.options, item, strictness, false);
    if (!result.ok) problems.push({ field: `[${index}]`, message: result.problem.message });
    else if (ranked.has(result.chosen.option.value)) {
      const message = `option ${quote(result.chosen.option.value)} is ranked twice`;
      problems.push({ field: `[${index}]`, message });
    } else ranked.add(result.chosen.option.value);
  });
  if (problems.length > 0) return rejectAnswerForAll(problems);
  const { min_ranked: min, max_ranked: max } = question.settings;
  if (min !== null && strictness === 'answer' && ranked.size < min) {
    return rejectAnswer(sizeAtLeast(min, 'ranked option', ranked.size));
  }
  if (max !== null && ranked.size > max) {
    return rejectAnswer(sizeAtMost(max, 'ranked option', ranked.size));
  }
  return acceptAnswer([...ranked]);
}

/** Ranks must be 1, 2, 3 … without gaps: closing a gap silently would change cells that the user did not edit. */
function fromCells(
  question: RankingQuestion,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
): ReadResult {
  const before = (answer ?? []) as string[];
  const problems: ErrorDetail[] = [];
  const left = new Map(changes);
  const byRank = new Map<number, string>();
  for (const option of question.options) {
    const columnCode = optionColumnCode(question, option);
    const cell = left.get(columnCode);
    left.delete(columnCode);
    const place = before.indexOf(option.value) + 1;
    const rank = cell === undefined ? place : cell === null || cell === '' ? 0 : readRank(cell);
    if (
      rank === null ||
      !Number.isInteger(rank) ||
      rank < 0 ||
      rank > question.options.length ||
      cell === 0
    ) {
      const message = `must be a rank from 1 to ${question.options.length}, or null, not ${quote(cell)}`;
      problems.push({ field: columnCode, message });
    } else if (rank > 0 && byRank.has(rank)) {
      const message = `rank ${rank} is also given to option ${quote(byRank.get(rank))}`;
      problems.push({ field: columnCode, message });
    } else if (rank > 0) byRank.set(rank, option.value);
  }
  problems.push(...[...left.keys()].map((code) => unknownColumnProblem(code, question.code)));
  if (problems.length > 0) return rejectAnswerForAll(problems);
  const ranks = [...byRank.keys()].sort((a, b) => a - b);
  const gap = ranks.findIndex((rank, index) => rank !== index + 1);
  if (gap >= 0) {
    return rejectAnswer(
      `leaves rank ${gap + 1} empty; set the ranks of the question together`,
      question.code,
    );
  }
  return read(
    question,
    ranks.map((rank) => byRank.get(rank)),
    'edit',
  );
}

function readRank(cell: Cell): number | null {
  const reading = readNumberInput({ min: 1, max: null, step: 1, decimals: 0 }, cell);
  return reading.kind === 'number' ? reading.value : null;
}

/** Options by preference, best first: `["3","1"]`. Unranked options have no rank. */
export const rankingAnswers: QuestionAnswers<RankingQuestion> = {
  ...PLAIN_ANSWERS,
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  operand: (_question, answer) => ({ kind: 'choice', values: answer as string[] }),
  withoutOptions: (_question, answer, withheld) => withoutChoices(answer as string[], withheld),
  withOfferedOptions(question, offered) {
    const options = [...offered];
    const least = Math.min(question.settings.min_ranked ?? 0, options.length);
    return { ...question, options, settings: { ...question.settings, min_ranked: least } };
  },
  pipedText: (question, answer, texts, language) =>
    choiceLabels(question, answer as string[], { texts, language }),
  pipedCode: (question, answer) => choiceCodes(question, answer as string[]),
};

const rankingCells: CellCodec<RankingQuestion> = {
  columns: (question) =>
    question.options.map((option) =>
      questionColumn(question, {
        columnCode: optionColumnCode(question, option),
        label: joinLabels(question.text, option.label),
        type: 'rank',
        measure: 'ordinal',
        retired: question.retired || option.retired,
      }),
    ),
  toCells: (question, answer) =>
    question.options.map((option) => {
      const place = Array.isArray(answer) ? answer.indexOf(option.value) : -1;
      return place < 0 ? null : place + 1;
    }),
  fromCells,
};

export const rankingType: QuestionTypeModule<RankingQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: rankingAnswers,
  cells: rankingCells,
  settings,
  numberRange: ({ options }) => ({ min: 1, max: options.length }),
  options: {
    takeOtherText: false,
    noun: 'options',
    problems: ({ min_ranked: min }, live) => minimumProblems('min_ranked', min, live),
  },
  columnCount: ({ options }) => options.length,
  comparison: {
    ...PLAIN_COMPARISON,
    namesOptions: true,
    choicesInCell: ({ options }, index) => [options[index]?.value ?? []].flat(),
    // A ranking has at least one option.
    isSatisfiable: (question, comparisons) =>
      isSatisfiableBySelection(question, comparisons, { takesNone: false }),
  },
  figures: {
    ...PLAIN_FIGURES,
    composite: { kind: 'ranks', noun: 'ranking', partNoun: 'option', parts: ({ options }) => options },
    base: 'shown',
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer({ question: { settings }, offered, profile, respondent }) {
      const inOrder = respondent.random.shuffleWeighted(offered, optionWeight(profile, respondent));
      return inOrder.slice(0, settings.max_ranked ?? inOrder.length).map(({ value }) => value);
    },
    seconds: ({ options }) => 8 + 3 * options.length,
  },
  describeAnswers: (question) => `to be ranked: ${listOptions(question)}`,
  passesCheck: (values, expected) => values.join('\n') === expected.join('\n'),
  importedColumn: ({ options }, { part, isPart }) =>
    options.findIndex(({ value, label }) => isPart(part, value, label)),
  answerFormat: '`["3","1"]`, best first',
  example: {
    page_id: 2,
    question_code: 'Q9',
    question_text: 'What matters most to you?',
    question_settings: { max_ranked: 3 },
    options: [
      { option_label: 'Taste', option_value: 'taste' },
      { option_label: 'Price', option_value: 'price' },
      { option_label: 'Speed', option_value: 'speed' },
    ],
  },
};
