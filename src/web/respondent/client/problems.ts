import { satisfiesRequired } from '../../../domain/answers/read-result.ts';
import { codecFor } from '../../../domain/questions/registry.ts';
import type { Question } from '../../../domain/survey/definition.ts';
import type { PreparedDefinition } from '../../../domain/survey/prepared-definition.ts';
import type { PageView } from '../../../domain/survey/logic/render-survey.ts';
import type { FieldProblem } from '../../shared/client/api-error.ts';
import { fieldOf } from './fields/registry.ts';
import type { Messages } from './localization.ts';

/**
 * Returns the problem of an input as a text for the respondent, or null if it is valid. Choices that logic no longer offers are ignored, as
 * on the server. `question`: as in the view; `whole`: with all options.
 */
export function validateAnswer(
  question: Question,
  whole: Question,
  input: unknown,
  messages: Messages,
): string | null {
  const field = fieldOf(question);
  const codec = codecFor(question);
  const answer = withoutWithheld(question, whole, field.toAnswer(whole, input));
  const result = codec.read(question, answer);
  if (result.ok)
    return question.required && !satisfiesRequired(result.answer) ? messages.answer_needed : null;
  // The codec decides. The message is in the respondent's language if the cause is known, else it is the message of the codec.
  return field.problem(question, answer, messages) ?? result.problems[0]?.message ?? messages.answer_needed;
}

/** Removes options that the respondent does not see from an answer. */
function withoutWithheld(question: Question, whole: Question, answer: unknown): unknown {
  if (question === whole) return answer;
  const offered = new Set(question.options.map(({ value }) => value));
  const withheld = new Set(whole.options.map(({ value }) => value).filter((value) => !offered.has(value)));
  const codec = codecFor(whole);
  const read = codec.read(whole, answer, 'draft');
  if (!read.ok || read.answer === null) return answer;
  return codec.withoutOptions(whole, read.answer, withheld);
}

/** Returns the problems of a page by question code. `uploads`: number of unfinished uploads by question code. */
export function validatePage(
  page: PageView,
  prepared: PreparedDefinition,
  inputs: Readonly<Record<string, unknown>>,
  uploads: ReadonlyMap<string, number>,
  messages: Messages,
): Map<string, string> {
  return new Map(
    page.questions.flatMap(({ question }): [string, string][] => {
      const { code } = question;
      const problem =
        (uploads.get(code) ?? 0) > 0
          ? messages.file_wait
          : validateAnswer(question, prepared.byCode.get(code)!.question, inputs[code], messages);
      return problem === null ? [] : [[code, problem]];
    }),
  );
}

/** Returns the first problem of each question that the server reports, by code; `answers.Q3.r1` belongs to Q3. */
export function problemsByQuestion(problems: readonly FieldProblem[]): Map<string, string> {
  const byCode = new Map<string, string>();
  for (const { field, message } of problems) {
    const code = /^answers\.([A-Za-z][A-Za-z0-9_]*)/.exec(field)?.[1];
    if (code !== undefined && !byCode.has(code)) byCode.set(code, sentence(message));
  }
  return byCode;
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}
