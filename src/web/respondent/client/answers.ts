import { noAnswerReasonOf } from '../../../domain/columns/no-answer.ts';
import type { StoredAnswer, StoredAnswers } from '../../../domain/questions/answers/codec.ts';
import { isNoAnswer, isRecord, satisfiesRequired } from '../../../domain/questions/answers/read-answer.ts';
import { codecFor } from '../../../domain/questions/registry.ts';
import type { Question } from '../../../domain/survey/definition.ts';
import type { QuestionView } from '../../../domain/survey/logic/render-survey.ts';
import type { PreparedDefinition, QuestionPositions } from '../../../domain/survey/prepared-definition.ts';
import type { FieldProblem } from '../../shared/client/api.ts';
import { fieldOf } from './fields/registry.ts';
import type { Messages } from './localization.ts';

/** What the respondent entered, by question code. */
type Inputs = Readonly<Record<string, unknown>>;

/** Returns an input as a submitted page has it. A reason instead of an answer is input and answer at once. */
const submittedInput = (question: Question, input: unknown): unknown =>
  noAnswerReasonOf(input) === null ? fieldOf(question).submittedInput(question, input) : input;

const toAnswer = (question: Question, input: unknown): unknown =>
  noAnswerReasonOf(input) === null ? fieldOf(question).toAnswer(question, input) : input;

/**
 * Returns the entered answers for the evaluation of logic. On pages up to `pageId` (null: none) in the order of `positions`, a question without a ticked option has
 * the answer that submitting its page would give it.
 */
export function answersForLogic(
  prepared: PreparedDefinition,
  inputs: Inputs,
  { positions, pageId }: { positions: QuestionPositions; pageId: number | null },
): StoredAnswers {
  const answers = Object.create(null) as StoredAnswers;
  const placeOf = (id: number) => positions.pageIndexById.get(id) ?? NaN;
  const current = pageId === null ? -1 : placeOf(pageId);
  for (const { page, questions } of prepared.pages) {
    const isPageReached = placeOf(page.id) <= current;
    for (const { question } of questions) {
      const { code } = question;
      const isReached = isPageReached && !question.settings.hidden;
      const input = isReached ? submittedInput(question, inputs[code]) : inputs[code];
      if (input !== undefined) answers[code] = parseAnswer(question, input);
    }
  }
  return answers;
}

/**
 * Returns the answers to questions of submitted pages for the server: null if a question was shown and not answered, [] if no option was
 * ticked.
 */
export function answersForServer(
  prepared: PreparedDefinition,
  inputs: Inputs,
  codes: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    codes.flatMap((code) => {
      const known = prepared.byCode.get(code);
      if (known === undefined) return [];
      const { question } = known;
      return [[code, parseAnswer(question, submittedInput(question, inputs[code]))]];
    }),
  );
}

/**
 * Returns the answer as it would be stored, or null if the input is empty or invalid. If logic can withhold options, the limits of the
 * question are not checked here: they depend on the offered options.
 */
function parseAnswer(question: Question, input: unknown): StoredAnswer | null {
  const { options, carry_forward: carryForward } = question.settings.logic ?? {};
  const strictness = options === undefined && carryForward === undefined ? 'answer' : 'draft';
  const result = codecFor(question).read(question, toAnswer(question, input), strictness);
  return result.ok ? result.answer : null;
}

/** Returns whether an input is empty; an input with parts, such as the rows of a matrix, is empty if all of them are. */
export function isEmptyInput(input: unknown): boolean {
  return isNoAnswer(input) || (isRecord(input) && Object.values(input).every(isNoAnswer));
}

interface QuestionInput {
  /** As in the view: with the options that logic offers. */
  question: Question;
  /** The same question with all options. */
  whole: Question;
  input: unknown;
}

/**
 * Returns the problem of an input as a text for the respondent, or null if it is valid. Choices that logic no longer offers are ignored, as
 * on the server.
 */
function validateAnswer({ question, whole, input }: QuestionInput, messages: Messages): string | null {
  const field = fieldOf(question);
  const answer = withoutWithheld(question, whole, toAnswer(whole, input));
  const result = codecFor(question).read(question, answer);
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

interface PageInputs {
  prepared: PreparedDefinition;
  inputs: Inputs;
  /** Number of unfinished uploads by question code. */
  uploads: ReadonlyMap<string, number>;
  controlProblems: ReadonlyMap<string, () => string | null>;
}

/** Returns the problems of questions by code. */
export function validateQuestions(
  questions: readonly QuestionView[],
  { prepared, inputs, uploads, controlProblems }: PageInputs,
  messages: Messages,
): Map<string, string> {
  return new Map(
    questions.flatMap(({ question }): [string, string][] => {
      const { code } = question;
      const whole = prepared.byCode.get(code)?.question ?? question;
      const problem =
        (uploads.get(code) ?? 0) > 0
          ? messages.file_wait
          : (controlProblems.get(code)?.() ??
            validateAnswer({ question, whole, input: inputs[code] }, messages));
      return problem === null ? [] : [[code, problem]];
    }),
  );
}

/** Returns the first problem of each question that the server reports, by code; `answers.Q3.r1` belongs to Q3. */
export function problemsByQuestion(problems: readonly FieldProblem[]): Map<string, string> {
  const byCode = new Map<string, string>();
  for (const { field, message } of problems) {
    const code = /^answers\.([A-Za-z][A-Za-z0-9_]*(?:\[[^\]]*\])?)/.exec(field)?.[1];
    if (code !== undefined && !byCode.has(code)) byCode.set(code, sentence(message));
  }
  return byCode;
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}
