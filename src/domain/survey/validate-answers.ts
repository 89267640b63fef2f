import type { ErrorDetail } from '../../lib/errors.ts';
import type { StoredAnswer, StoredAnswers } from '../answers/codec.ts';
import { quote } from '../../lib/quote.ts';
import { isRecord } from '../answers/read-result.ts';
import { DisplayJudge, withoutOptions, type HiddenValues } from './display.ts';
import type { PreparedDefinition, PreparedQuestion } from './prepared-definition.ts';

export type ValidatedAnswers = { ok: true; answers: StoredAnswers } | { ok: false; problems: ErrorDetail[] };

/** A body full of nonsense gets a readable reply, not a megabyte of complaints. */
const MAX_PROBLEMS = 100;

function joined(field: string, relative: string): string {
  if (relative === '') return field;
  return relative.startsWith('[') ? field + relative : `${field}.${relative}`;
}

function readInto(problems: ErrorDetail[], prepared: PreparedQuestion, input: unknown): StoredAnswer | null {
  const result = prepared.codec.read(prepared.question, input);
  if (result.ok) return result.answer;
  for (const { field, message } of result.problems) {
    problems.push({ field: joined(prepared.field, field), message });
  }
  return null;
}

/** Codes that are no live question of the survey, each by name. */
function strangers(prepared: PreparedDefinition, codes: readonly string[]): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  for (const code of codes) {
    const known = prepared.byCode.get(code);
    if (known && !known.retired) continue;
    const similar = prepared.byFoldedCode.get(code.toLowerCase());
    const message = known
      ? `question ${code} is no longer asked`
      : `unknown question code ${quote(code)}${similar === undefined ? '' : `; did you mean ${similar}?`}`;
    problems.push({ field: known ? known.field : `answers.${code.slice(0, 60)}`, message });
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems;
}

/**
 * The answers of one response, checked against the survey and normalised.
 *
 * `partial`: what was given is checked, nothing is missed; the result holds the questions that were given (null: skipped).
 * `complete`: every required question that is shown needs an answer; answers of questions that are not shown, and options that
 * logic withholds, are dropped. In the result null is "shown but skipped", an absent code "not shown".
 * A problem's field is `answers.<code>` and, within an answer, its place: `answers.Q3.r1`, `answers.Q2[1].other`.
 */
export function validateAnswers(
  prepared: PreparedDefinition,
  input: unknown,
  mode: 'complete' | 'partial',
  hidden?: HiddenValues,
): ValidatedAnswers {
  if (!isRecord(input)) {
    const message = `must be an object of answers by question code, not ${quote(input)}`;
    return { ok: false, problems: [{ field: 'answers', message }] };
  }
  const codes = Object.keys(input);
  const problems = strangers(prepared, codes);
  const answers = Object.create(null) as StoredAnswers;
  if (mode === 'partial') {
    for (const code of codes) {
      const known = prepared.byCode.get(code);
      if (known && !known.retired) answers[code] = readInto(problems, known, input[code]);
    }
  } else {
    readComplete(prepared, input, answers, problems, hidden);
  }
  return problems.length === 0
    ? { ok: true, answers }
    : { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

function readComplete(
  prepared: PreparedDefinition,
  input: Record<string, unknown>,
  answers: StoredAnswers,
  problems: ErrorDetail[],
  hidden: HiddenValues | undefined,
): void {
  const judge = new DisplayJudge(prepared, (code) => answers[code], hidden);
  for (const { page, questions } of prepared.pages) {
    const pageShown = judge.showsPage(page);
    for (const known of questions) {
      const { question, field } = known;
      const given = Object.hasOwn(input, question.code);
      if (question.settings.hidden) {
        if (given) answers[question.code] = readInto(problems, known, input[question.code]);
        continue;
      }
      if (!pageShown || !judge.showsQuestion(question)) continue;
      const before = problems.length;
      const read = given ? readInto(problems, known, input[question.code]) : null;
      const answer = withoutOptions(question, read, judge.withheldValues(question));
      if (answer === null && question.required && problems.length === before) {
        problems.push({ field, message: `is required: ${quote(question.text)}` });
      }
      answers[question.code] = answer;
    }
  }
}
