import { mustBe, unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { StoredAnswer, StoredAnswers } from '../answers/codec.ts';
import { isRecord } from '../answers/read-result.ts';
import { type RespondentContext, NO_RESPONDENT_CONTEXT } from './logic/respondent-context.ts';
import type { PreparedDefinition, PreparedQuestion } from './prepared-definition.ts';
import { AnswerInputReader } from './logic/answer-input-reader.ts';
import { evaluateLogic, type SurveyEnd } from './logic/evaluate-logic.ts';

/** `end`: the skip that ends the response, for answers submitted as complete. */
export type ValidatedAnswers =
  { ok: true; answers: StoredAnswers; end: SurveyEnd | null } | { ok: false; problems: ErrorDetail[] };

/** Limits the size of the error reply. */
const MAX_PROBLEMS = 100;

/** Returns a problem for each code that is not a live question. */
function unknownCodes(prepared: PreparedDefinition, codes: readonly string[]): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  for (const code of codes) {
    const existing = prepared.byCode.get(code);
    if (existing && !existing.retired) continue;
    const similar = prepared.byFoldedCode.get(code.toLowerCase());
    const message = existing
      ? `question ${code} is retired`
      : unknownObject('question', code, 'in this survey', {
          similar: similar === undefined ? [] : [similar],
        });
    problems.push({ field: existing ? existing.field : `answers.${code.slice(0, 60)}`, message });
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems;
}

/**
 * Validates the answers of one response against the survey and normalizes them.
 *
 * `partial`: the given answers are checked but can be incomplete, and no answer is required. The result contains the given questions (null:
 * skipped).
 *
 * `complete`: the survey logic is evaluated with the answers. Every shown required question needs an answer. Answers of questions that are
 * not shown (because of a condition, a skip or the end), and options withheld by logic, are removed. In the result, null is "shown but
 * skipped", and an absent code is "not shown".
 *
 * Fields of problems are `answers.<code>`, with the path within an answer: `answers.Q3.r1`, `answers.Q2[1].other`.
 */
export function validateAnswers(
  prepared: PreparedDefinition,
  input: unknown,
  mode: 'complete' | 'partial',
  context: RespondentContext = NO_RESPONDENT_CONTEXT,
): ValidatedAnswers {
  if (!isRecord(input)) {
    const message = mustBe('an object of answers by question code', input);
    return { ok: false, problems: [{ field: 'answers', message }] };
  }
  const codes = Object.keys(input);
  const problems = unknownCodes(prepared, codes);
  const read =
    mode === 'partial'
      ? readPartial(prepared, input, codes, problems)
      : readComplete(prepared, input, problems, context);
  return problems.length === 0
    ? { ok: true, ...read }
    : { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

type Read = { answers: StoredAnswers; end: SurveyEnd | null };

function readPartial(
  prepared: PreparedDefinition,
  input: Record<string, unknown>,
  codes: readonly string[],
  problems: ErrorDetail[],
): Read {
  const answers = Object.create(null) as StoredAnswers;
  const reader = new AnswerInputReader(input);
  for (const code of codes) {
    const preparedQuestion = prepared.byCode.get(code);
    if (preparedQuestion && !preparedQuestion.retired) answers[code] = draftAnswer(reader, preparedQuestion);
  }
  problems.push(...reader.problems);
  return { answers, end: null };
}

const draftAnswer = (reader: AnswerInputReader, prepared: PreparedQuestion): StoredAnswer | null =>
  reader.read(prepared, prepared.options, 'draft') ?? null;

function readComplete(
  prepared: PreparedDefinition,
  input: Record<string, unknown>,
  problems: ErrorDetail[],
  context: RespondentContext,
): Read {
  const reader = new AnswerInputReader(input);
  const route = evaluateLogic(
    prepared,
    (preparedQuestion, offered) => reader.read(preparedQuestion, offered, 'answer'),
    context,
  );
  problems.push(...reader.problems);
  for (const { questions } of route.pages) problems.push(...reader.findMissingAnswers(questions));
  return { answers: route.answers, end: route.end };
}
