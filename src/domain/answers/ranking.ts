import { mustBe, sizeAtLeast, sizeAtMost } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { Cell } from '../dataset/columns/column-spec.ts';
import type { QuestionWithType } from '../survey/definition.ts';
import { readChoice } from './read-options.ts';
import type { AnswerCodec, ReadResult, StoredAnswer } from './codec.ts';
import { joinLabels, optionColumnCode, questionColumn } from './question-columns.ts';
import { quote } from '../../lib/quote.ts';
import {
  accept,
  isNoAnswer,
  NO_ANSWER,
  unknownColumnProblem,
  reject,
  rejectAll,
  type Strictness,
} from './read-result.ts';
import { readNumber } from './numeric.ts';

type RankingQuestion = QuestionWithType<'ranking'>;

function read(question: RankingQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (!Array.isArray(input)) {
    return reject(mustBe('a list of option values, best first, such as ["3","1"]', input));
  }
  if (input.length > question.options.length) {
    return reject(sizeAtMost(question.options.length, 'option', input.length));
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
  if (problems.length > 0) return rejectAll(problems);
  const { min_ranked: min, max_ranked: max } = question.settings;
  if (min !== null && strictness === 'answer' && ranked.size < min) {
    return reject(sizeAtLeast(min, 'ranked option', ranked.size));
  }
  if (max !== null && ranked.size > max) {
    return reject(sizeAtMost(max, 'ranked option', ranked.size));
  }
  return accept([...ranked]);
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
    const rank = cell === undefined ? place : cell === null || cell === '' ? 0 : readNumber(cell);
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
  if (problems.length > 0) return rejectAll(problems);
  const ranks = [...byRank.keys()].sort((a, b) => a - b);
  const gap = ranks.findIndex((rank, index) => rank !== index + 1);
  if (gap >= 0) {
    return reject(`leaves rank ${gap + 1} empty; set the ranks of the question together`, question.code);
  }
  return read(
    question,
    ranks.map((rank) => byRank.get(rank)),
    'edit',
  );
}

/** Codec for options by preference, best first. Unranked options have no rank. */
export const rankingCodec: AnswerCodec<RankingQuestion> = {
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
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
