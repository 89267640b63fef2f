import { formatList, quote, unknownField, unknownValue } from '../../../lib/error-messages.ts';
import {
  isNoAnswerReason,
  NO_ANSWER_KEY,
  type NoAnswerReason,
  noAnswerReasonOf,
} from '../../columns/no-answer.ts';
import type { AnyQuestion } from '../question.ts';
import type { QuestionAnswers } from '../question-type.ts';
import type { CellCodec, ReadResult, StoredAnswer } from './codec.ts';
import { acceptAnswer, isRecord, rejectAnswer } from './read-answer.ts';

/** Returns the stored form of a reason: `{"no_answer": "refused"}`. */
export const reasonAnswer = (reason: NoAnswerReason): StoredAnswer => ({ [NO_ANSWER_KEY]: reason });

/** Whether the input gives a reason, valid or not, instead of an answer. */
const givesReason = (input: unknown): input is Record<string, unknown> =>
  isRecord(input) && Object.hasOwn(input, NO_ANSWER_KEY);

/** Reads a reason, which the question must offer and which excludes an answer. */
function readReason({ settings, code }: AnyQuestion, input: Record<string, unknown>): ReadResult {
  const other = Object.keys(input).find((key) => key !== NO_ANSWER_KEY);
  if (other !== undefined) return rejectAnswer(unknownField(other, NO_ANSWER_KEY));
  const { [NO_ANSWER_KEY]: reason } = input;
  const offered = settings.no_answers.map((choice) => choice.reason);
  if (isNoAnswerReason(reason) && offered.includes(reason)) return acceptAnswer(reasonAnswer(reason));
  const accepted = formatList(offered, offered.length, quote);
  return rejectAnswer(
    offered.length === 0
      ? `${code} offers no reasons instead of an answer`
      : unknownValue(reason, `a reason that ${code} offers`, { accepted }),
    NO_ANSWER_KEY,
  );
}

/** Adds reasons instead of an answer to a question type, which does not see them. */
export function withReasons<Q extends AnyQuestion>(answers: QuestionAnswers<Q>): QuestionAnswers<Q> {
  return {
    ...answers,
    read: (question, input, strictness) =>
      givesReason(input) ? readReason(question, input) : answers.read(question, input, strictness),
    operand(question, answer, partCode) {
      const reason = noAnswerReasonOf(answer);
      return reason === null ? answers.operand(question, answer, partCode) : { kind: 'no_answer', reason };
    },
    withoutOptions: (question, answer, withheld) =>
      noAnswerReasonOf(answer) === null ? answers.withoutOptions(question, answer, withheld) : answer,
    pipedText: (question, answer, texts, language) =>
      noAnswerReasonOf(answer) === null ? answers.pipedText(question, answer, texts, language) : '',
    pipedCode(question, answer) {
      const reason = noAnswerReasonOf(answer);
      if (reason === null) return answers.pipedCode(question, answer);
      const choice = question.settings.no_answers.find((each) => each.reason === reason);
      return choice === undefined ? '' : String(choice.code);
    },
  };
}

/** Returns the answer; null, as if skipped, for a reason instead of one. */
function answerOnly<A extends StoredAnswer | null | undefined>(answer: A): A | null {
  return noAnswerReasonOf(answer) === null ? answer : null;
}

/** Adds reasons to the cells of a question type: its columns are empty, and an edited cell replaces the reason. */
export function withEmptyCells<Q extends AnyQuestion>(cells: CellCodec<Q>): CellCodec<Q> {
  const wrapped: CellCodec<Q> = {
    ...cells,
    toCells: (question, answer) => cells.toCells(question, answerOnly(answer)),
    fromCells: (question, answer, changes) => cells.fromCells(question, answerOnly(answer), changes),
  };
  const cellReader = cells.cellReader?.bind(cells);
  if (cellReader !== undefined)
    wrapped.cellReader = (question) => {
      const read = cellReader(question);
      return (answer) => read(answerOnly(answer));
    };
  const cellAsker = cells.cellAsker?.bind(cells);
  if (cellAsker !== undefined)
    wrapped.cellAsker = (question) => {
      const isAsked = cellAsker(question);
      return (answer, index) => isAsked(answerOnly(answer), index);
    };
  const toSetCell = cells.toSetCell?.bind(cells);
  if (toSetCell !== undefined)
    wrapped.toSetCell = (question, answer) => toSetCell(question, answerOnly(answer));
  const { rowSets } = cells;
  if (rowSets !== undefined)
    wrapped.rowSets = {
      ...rowSets,
      toCell: (question, answer, index) => rowSets.toCell(question, answerOnly(answer), index),
    };
  return wrapped;
}
