import { mustBe, quote, requiredField, unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { plainText } from '../markdown/parse-markdown.ts';
import type { StoredAnswer, StoredAnswers } from '../questions/answers/codec.ts';
import { isRecord, satisfiesRequired } from '../questions/answers/read-answer.ts';
import type { AnyQuestion, Option } from '../questions/question.ts';
import {
  evaluateLogic,
  NO_RESPONDENT_CONTEXT,
  type RespondentContext,
  type SurveyEnd,
  type SurveyPath,
  type VisitedQuestion,
  withheldValues,
  withoutOptions,
} from './logic/evaluate-logic.ts';
import { withNamedPipes } from './logic/piping.ts';
import type { AwaitedBlocks, PreparedDefinition, PreparedQuestion } from './prepared-definition.ts';

/** Reads a client's answers when survey logic requests them, and collects their problems. */
export class AnswerInputReader {
  readonly problems: ErrorDetail[] = [];
  /** Questions whose answers are invalid. */
  private readonly invalidQuestions = new Set<PreparedQuestion>();

  constructor(private readonly input: Readonly<Record<string, unknown>>) {}

  /** Returns undefined if the input has no answer to the question. */
  read(
    prepared: PreparedQuestion,
    offered: readonly Option[],
    strictness: 'answer' | 'draft',
  ): StoredAnswer | null | undefined {
    const { question } = prepared;
    if (!Object.hasOwn(this.input, question.code)) return undefined;
    const input = this.input[question.code];
    if (offered.length === prepared.options.length)
      return this.readAs({ prepared, question, input, strictness });
    // Validates the answer again without options that are no longer offered.
    const drafted = this.readAs({ prepared, question, input, strictness: 'draft' });
    const left = withoutOptions(question, drafted, withheldValues(prepared, offered));
    if (left === null || strictness === 'draft') return left;
    return this.readAs({
      prepared,
      question: prepared.codec.withOfferedOptions(question, offered),
      input: left,
      strictness,
    });
  }

  isInvalid(code: string): boolean {
    return [...this.invalidQuestions].some(({ question }) => question.code === code);
  }

  /** Returns one problem per shown required question without an answer; an invalid answer already has its own. */
  findMissingAnswers(questions: readonly VisitedQuestion[]): ErrorDetail[] {
    const missed: ErrorDetail[] = [];
    for (const { prepared, answer } of questions) {
      if (satisfiesRequired(answer) || !prepared.question.required || this.invalidQuestions.has(prepared))
        continue;
      const text = withNamedPipes(plainText(prepared.question.text, 'inline'), () => undefined);
      missed.push({ field: prepared.field, message: `${requiredField()}: ${quote(text)}` });
    }
    return missed;
  }

  private readAs({
    prepared,
    question,
    input,
    strictness,
  }: {
    prepared: PreparedQuestion;
    question: AnyQuestion;
    input: unknown;
    strictness: 'answer' | 'draft';
  }): StoredAnswer | null {
    const result = prepared.codec.read(question, input, strictness);
    if (result.ok) return result.answer;
    this.invalidQuestions.add(prepared);
    for (const { field, message } of result.problems) {
      this.problems.push({ field: joinFieldPath(prepared.field, field), message });
    }
    return null;
  }
}

function joinFieldPath(field: string, relative: string): string {
  if (relative === '') return field;
  return relative.startsWith('[') ? field + relative : `${field}.${relative}`;
}

/** `end` and `path` are those of answers submitted as complete; null for partial ones. */
type ValidatedAnswers = ({ ok: true } & Read) | { ok: false; problems: ErrorDetail[] };

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
      : unknownObject({
          kind: 'question',
          idOrCode: code,
          scope: 'in this survey',
          alternatives: {
            similar: similar === undefined ? [] : [similar],
          },
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
 * skipped), without calculated values: see `calculatedValues`.
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
  {
    mode,
    context = NO_RESPONDENT_CONTEXT,
  }: { mode: 'complete' | 'partial'; context?: RespondentContext | undefined },
): ValidatedAnswers {
  if (!isRecord(input)) {
    const message = mustBe('an object of answers by question code', input);
    return { ok: false, problems: [{ field: 'answers', message }] };
  }
  const codes = Object.keys(input);
  const problems = unknownCodes(prepared, codes);
  const read =
    mode === 'partial'
      ? readPartial(prepared, { input, codes, problems })
      : readComplete(prepared, { input, context, problems });
  return problems.length === 0
    ? { ok: true, ...read }
    : { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

/**
 * Returns the given answers that validation left out: those of questions that the logic does not show to this respondent, and of options
 * that it does not offer. `answers` is the result of validation.
 */
export function findDroppedAnswers(
  prepared: PreparedDefinition,
  input: unknown,
  answers: StoredAnswers,
): ErrorDetail[] {
  if (!isRecord(input)) return [];
  return Object.keys(input).flatMap((code): ErrorDetail[] => {
    const known = prepared.byCode.get(code);
    if (known === undefined) return [];
    if (known.codec.isCalculated) return droppedCalculation(known, input[code], answers[code]);
    const read = known.codec.read(known.question, input[code], 'draft');
    if (!read.ok || read.answer === null) return [];
    if (!Object.hasOwn(answers, code))
      return [
        {
          field: known.field,
          message: 'not stored: the logic does not show this question for these answers',
        },
      ];
    if (JSON.stringify(read.answer) === JSON.stringify(answers[code])) return [];
    const message = 'stored in part: the logic does not offer all of these options for these answers';
    return [{ field: known.field, message }];
  });
}

/** A calculated value is never taken from a client. */
function droppedCalculation(
  { field }: PreparedQuestion,
  given: unknown,
  calculated: StoredAnswer | null | undefined,
): ErrorDetail[] {
  const isSame = given === null || given === calculated;
  return isSame ? [] : [{ field, message: 'not stored: the value is calculated from other answers' }];
}

type Read = { answers: StoredAnswers; end: SurveyEnd | null; path: SurveyPath | null };

function readPartial(
  prepared: PreparedDefinition,
  {
    input,
    codes,
    problems,
  }: { input: Record<string, unknown>; codes: readonly string[]; problems: ErrorDetail[] },
): Read {
  const answers = Object.create(null) as StoredAnswers;
  const reader = new AnswerInputReader(input);
  for (const code of codes) {
    const preparedQuestion = prepared.byCode.get(code);
    if (preparedQuestion && !preparedQuestion.retired && !preparedQuestion.codec.isCalculated)
      answers[code] = draftAnswer(reader, preparedQuestion);
  }
  problems.push(...reader.problems);
  return { answers, end: null, path: null };
}

const draftAnswer = (reader: AnswerInputReader, prepared: PreparedQuestion): StoredAnswer | null =>
  reader.read(prepared, prepared.options, 'draft') ?? null;

function readComplete(
  prepared: PreparedDefinition,
  {
    input,
    context,
    problems,
  }: { input: Record<string, unknown>; context: RespondentContext; problems: ErrorDetail[] },
): Read {
  const reader = new AnswerInputReader(input);
  const route = evaluateLogic(
    prepared,
    (preparedQuestion, offered) => reader.read(preparedQuestion, offered, 'answer'),
    context,
  );
  problems.push(...reader.problems);
  for (const { questions } of route.pages) problems.push(...reader.findMissingAnswers(questions));
  return { answers: route.answers, end: route.end, path: route };
}

interface SubmittedPage {
  /** Problems that prevent continuing. */
  problems: ErrorDetail[];
  /** null: no pages are left. */
  nextPageId: number | null;
  /** The skip of this page, or of a previous one, that ends the response. */
  end: SurveyEnd | null;
  /** Of the response, with answers of the visited questions only. */
  path: SurveyPath;
}

/**
 * Validates a submitted page as complete and evaluates skips up to it. `answers` are all stored answers of the response. A page that the
 * answers now skip has no required questions.
 */
export function submitPage(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  { pageId, context }: { pageId: number; context: RespondentContext },
): SubmittedPage {
  const drafts = new AnswerInputReader(answers);
  const complete = new AnswerInputReader(answers);
  const route = evaluateLogic(
    prepared,
    (preparedQuestion, offered) =>
      preparedQuestion.question.pageId === pageId
        ? complete.read(preparedQuestion, offered, 'answer')
        : drafts.read(preparedQuestion, offered, 'draft'),
    context,
  );
  const page = route.pages.find((visited) => visited.page.id === pageId);
  const problems = [...complete.problems, ...complete.findMissingAnswers(page?.questions ?? [])];
  const isReached =
    route.end !== null && pageIndexOf(route, route.end.afterPageId) <= pageIndexOf(route, pageId);
  return {
    problems,
    nextPageId: isReached ? null : nextPageIdAfter(route, pageId),
    end: isReached ? route.end : null,
    path: route,
  };
}

/**
 * Returns the answers of a response in progress without those to questions that the answers now hide, and without options that they now
 * withhold: a respondent went back and changed an answer. Pages that are not reached yet count as far as the answers lead there.
 */
export function removeHiddenAnswers(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  context: RespondentContext,
): StoredAnswers {
  const reader = new AnswerInputReader(answers);
  const route = evaluateLogic(
    prepared,
    (preparedQuestion, offered) => reader.read(preparedQuestion, offered, 'draft'),
    context,
  );
  return Object.fromEntries(
    Object.entries({ ...answers, ...calculatedIn(prepared, route) }).flatMap(([code, answer]) => {
      if (!Object.hasOwn(route.answers, code)) return [];
      // The author of a preview can change a question so that its answer is no longer valid. It stays, for the page to report it.
      return [[code, reader.isInvalid(code) ? answer : (route.answers[code] ?? null)]];
    }),
  );
}

/** Returns the calculated values of a path. */
function calculatedIn(prepared: PreparedDefinition, { answers }: SurveyPath): StoredAnswers {
  if (prepared.calculate === null) return {};
  const isCalculated = (code: string) => prepared.byCode.get(code)?.codec.isCalculated === true;
  return Object.fromEntries(Object.entries(answers).filter(([code]) => isCalculated(code)));
}

/** Returns the calculated values of a response that does not go page by page. */
export const calculatedValues = (
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  context: RespondentContext,
): StoredAnswers =>
  prepared.calculate === null ? {} : calculatedIn(prepared, draftPath(prepared, answers, context));

/** Returns the path of a response in progress. */
export function draftPath(
  prepared: PreparedDefinition,
  answers: Readonly<Record<string, unknown>>,
  context: RespondentContext,
): SurveyPath {
  const drafts = new AnswerInputReader(answers);
  return evaluateLogic(
    prepared,
    (preparedQuestion, offered) => drafts.read(preparedQuestion, offered, 'draft'),
    context,
  );
}

/** Returns the first page not yet submitted; null: all are submitted, or a block whose arm is not assigned yet comes next. */
export function resumeAt(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  { lastPageId, context }: { lastPageId: number | null; context: RespondentContext },
): { pageId: number | null; awaited: AwaitedBlocks | null } {
  const path = draftPath(prepared, answers, context);
  const pageId = lastPageId === null ? (path.pages[0]?.page.id ?? null) : nextPageIdAfter(path, lastPageId);
  return { pageId, awaited: pageId === null ? path.awaited : null };
}

function nextPageIdAfter(route: SurveyPath, pageId: number): number | null {
  const index = pageIndexOf(route, pageId);
  return route.pages.find(({ page }) => pageIndexOf(route, page.id) > index)?.page.id ?? null;
}

/** A deleted page sorts before all others. */
const pageIndexOf = ({ positions }: SurveyPath, pageId: number): number =>
  positions.pageIndexById.get(pageId) ?? -1;
