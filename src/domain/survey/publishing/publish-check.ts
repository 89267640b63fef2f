import {
  formatList,
  notAllowedFor,
  onlyAllowed,
  quote,
  unknownObject,
  unknownValue,
  withArticle,
} from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { noAnswerCodeProblems } from '../../questions/no-answer-codes.ts';
import { codecFor, takesOptions, typeOf } from '../../questions/registry.ts';
import { type Page, type Question, questionsOf, type SurveyDefinition } from '../definition.ts';
import type { Comparison, Operator } from '../../questions/condition.ts';
import { codeProblem, columnCollisions, columnCount } from '../question-codes.ts';
import { readLoopedCode } from '../loop-codes.ts';
import { sizeProblems } from './definition-size.ts';
import { findReferences, type Reference, type ReferenceTarget } from './references.ts';

/** A problem that prevents publishing. */
export interface PublishProblem {
  code:
    | 'empty_survey'
    | 'options_missing'
    | 'invalid_code'
    | 'duplicate_code'
    | 'column_collision'
    | 'too_many_columns'
    | 'dangling_reference'
    | 'forward_reference'
    | 'shuffled_reference'
    | 'invalid_expression'
    | 'logic_cycle'
    | 'backward_skip'
    | 'impossible_settings'
    | 'remote_image'
    | 'undeclared_value'
    | 'survey_too_large';
  message: string;
  /** `pages[0].questions[2].question_settings.max_selections`; '' is the survey. */
  field: string;
  question_code?: string;
  /** The page that the problem is about, if it is not about a question. */
  page_id?: number;
}

/** A warning that does not prevent publishing. */
export interface PublishWarning extends Omit<PublishProblem, 'code'> {
  code:
    | 'unknown_translation'
    | 'missing_translations'
    | 'outdated_translations'
    | 'closing_time_passed'
    | 'closing_soon'
    | 'response_limit_reached'
    | 'whole_amounts'
    | 'ambiguous_code'
    | 'leftover_text'
    | 'media_without_text'
    | 'video_without_captions'
    | 'left_out_reference';
  /** With `missing_translations`: the language, and its texts without a translation. */
  language?: string;
  missing?: MissingText[];
  /** With `outdated_translations` and its language: the texts that changed after their translation. */
  outdated?: MissingText[];
  /** With `leftover_text`: the texts that look unfinished. */
  texts?: string[];
}

export interface MissingText {
  /** `pages[0].questions[2].options[1].option_label`. */
  field: string;
  question_code?: string;
  /** The text in the default language. */
  text: string;
}

/** The texts that respondents of one language read in the survey's default language. */
export interface MissingTranslations {
  language: string;
  /** Texts that need a translation, translated or not. */
  textCount: number;
  missing: MissingText[];
}

/** The texts that changed after they were translated into a language. */
export interface OutdatedTranslations {
  language: string;
  outdated: MissingText[];
}

const LISTED_OPTIONS = 5;
/** Operators that name whole option_values. */
const OPTION_VALUE_OPERATORS: ReadonlySet<Operator> = new Set([
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'in',
  'not_in',
  'includes_any',
  'includes_all',
  'includes_none',
]);

interface Position {
  page: number;
  /** Among all live questions. */
  index: number;
}

/** Positions of live pages and questions. */
interface Positions {
  pages: Map<number, number>;
  questionsById: Map<number, Position>;
  /** Questions that no respondent sees. */
  hiddenIds: Set<number>;
  questionsByCode: Map<string, { question: Question; position: Position }>;
}

function positionsOf(definition: SurveyDefinition): Positions {
  const positions: Positions = {
    pages: new Map(),
    questionsById: new Map(),
    hiddenIds: new Set(),
    questionsByCode: new Map(),
  };
  let questionIndex = 0;
  definition.pages
    .filter(({ retired }) => !retired)
    .forEach((page, pageIndex) => {
      positions.pages.set(page.id, pageIndex);
      for (const question of page.questions) {
        if (question.retired) continue;
        const position = { page: pageIndex, index: questionIndex++ };
        positions.questionsById.set(question.id, position);
        if (question.settings.hidden) positions.hiddenIds.add(question.id);
        positions.questionsByCode.set(question.code, { question, position });
      }
    });
  return positions;
}

function pageIndexOf(page: Page, { pages }: Positions): number {
  const index = pages.get(page.id);
  if (index === undefined) throw new Error(`Page ${page.id} is not a live page of the survey`);
  return index;
}

/** Operators that a question with parts needs no part for. */
const WHOLE_QUESTION_OPERATORS: ReadonlySet<Operator> = new Set(['answered', 'not_answered', 'gave_reason']);

/** Returns why a comparison does not fit its question: an unknown row or option. */
export function comparisonMismatch(question: Question, { left, operator, right }: Comparison): string | null {
  const { namesOptions, parts } = typeOf(question).comparison;
  const partCode = left.row_code;
  if (operator === 'gave_reason') {
    const offered = question.settings.no_answers.map(({ reason }) => reason);
    const unknown = [right ?? []].flat().find((value) => !(offered as unknown[]).includes(value));
    if (unknown !== undefined)
      return `${question.code} does not offer the reason ${quote(unknown)}: add it to no_answers`;
  }
  if (parts !== null) {
    const codes = parts.list(question).map(({ code }) => code);
    if (partCode === undefined && !WHOLE_QUESTION_OPERATORS.has(operator)) {
      return `${withArticle(parts.noun)} is compared by ${parts.partNoun}: add row_code to the left side (${quote(codes[0])}, …)`;
    }
    if (partCode !== undefined && !codes.includes(partCode))
      return unknownValue(partCode, `${withArticle(parts.partNoun)} of ${question.code}`);
  } else if (partCode !== undefined) {
    return `row_code ${notAllowedFor(`a ${question.type} question`)}: ${question.code}`;
  }
  if (!namesOptions || !OPTION_VALUE_OPERATORS.has(operator) || right === undefined) return null;
  const offered = question.options.filter(({ retired }) => !retired).map(({ value }) => value);
  const known = new Set(offered);
  const unknown = [right].flat().find((value) => !known.has(String(value)));
  if (unknown === undefined) return null;
  const problem = unknownValue(unknown, `an option of ${question.code}`);
  return offered.length === 0
    ? problem
    : `${problem}; accepted: ${formatList(offered, LISTED_OPTIONS, quote)}`;
}

type ReferenceProblem = Pick<PublishProblem, 'code' | 'message'> | null;

/**
 * Display, options, carry_forward, expressions and pipes are evaluated when the page is rendered, so they may refer to earlier questions only. Skips are
 * evaluated on submission and may refer to their own page.
 */
function checkQuestionReference(
  { page, question, location }: Reference,
  target: Extract<ReferenceTarget, { kind: 'question' }>,
  positions: Positions,
): ReferenceProblem {
  const found = positions.questionsByCode.get(target.code);
  if (!found) {
    const looped = [...positions.questionsByCode.keys()].find(
      (code) => readLoopedCode(code)?.authored === target.code,
    );
    const message =
      looped === undefined
        ? unknownObject({ kind: 'question', idOrCode: target.code, scope: 'in this survey' })
        : `${target.code} is in a loop: outside of it, name the item too, such as ${looped}`;
    return { code: 'dangling_reference', message };
  }
  if (!codecFor(found.question).takesAnswers)
    return { code: 'dangling_reference', message: `${target.code} is a statement, which has no answer` };
  const own = question === null ? undefined : positions.questionsById.get(question.id);
  const pageIndex = pageIndexOf(page, positions);
  const { position } = found;
  const isEarlier =
    location === 'skip'
      ? position.page <= pageIndex
      : own
        ? position.index < own.index
        : position.page < pageIndex;
  if (found.question === question && location === 'expression')
    return {
      code: 'forward_reference',
      message: `the expression of ${question.code} cannot refer to itself`,
    };
  if (!isEarlier) {
    const later = own && question ? question.code : 'this page';
    return {
      code: 'forward_reference',
      message: `${target.code} does not come before ${later}: ${location} can only refer to earlier questions`,
    };
  }
  if (location === 'carry_forward') {
    const without = [found.question, question].find((each) => each !== null && !takesOptions(each.type));
    if (without === found.question)
      return { code: 'dangling_reference', message: `${target.code} does not have options to carry forward` };
    if (without)
      return {
        code: 'dangling_reference',
        message: `carry_forward ${onlyAllowed('between questions with options')}; ${without.code} is a ${without.type} question`,
      };
  }
  const message = target.comparison ? comparisonMismatch(found.question, target.comparison) : null;
  return message === null ? null : { code: 'dangling_reference', message };
}

function backwardSkipMessage(to: 'page' | 'question', id: number, isOwnPage: boolean): string {
  const target = `the ${to} with the id ${id}`;
  const where =
    to === 'page'
      ? isOwnPage
        ? 'is the same page'
        : 'is an earlier page'
      : `is on ${isOwnPage ? 'the same' : 'an earlier'} page`;
  return `a skip must lead to a later page, but ${target} ${where}`;
}

function checkJump(
  { page }: Reference,
  { to, id }: Extract<ReferenceTarget, { kind: 'jump' }>,
  positions: Positions,
): ReferenceProblem {
  const pageIndex = pageIndexOf(page, positions);
  const target =
    id === undefined
      ? undefined
      : to === 'page'
        ? positions.pages.get(id)
        : positions.questionsById.get(id)?.page;
  if (id === undefined || target === undefined) {
    return {
      code: 'dangling_reference',
      message: unknownObject({ kind: to, idOrCode: id, scope: 'in this survey' }),
    };
  }
  if (to === 'question' && positions.hiddenIds.has(id)) {
    return {
      code: 'dangling_reference',
      message: `the question with the id ${id} is hidden: respondents never see it`,
    };
  }
  if (target > pageIndex) return null;
  return { code: 'backward_skip', message: backwardSkipMessage(to, id, target === pageIndex) };
}

function checkReference(reference: Reference, positions: Positions): ReferenceProblem {
  const { target, question } = reference;
  switch (target.kind) {
    case 'question':
      return checkQuestionReference(reference, target, positions);
    case 'column':
      return {
        code: 'dangling_reference',
        message: `logic can refer to questions and hidden values, not to the column ${quote(target.code)}`,
      };
    case 'arm':
      // arrangement-check.ts knows when it is known.
      return null;
    case 'previous':
      // previous-check.ts knows the earlier survey.
      return null;
    case 'jump':
      return checkJump(reference, target, positions);
    case 'option': {
      const known = question?.options.some(({ code, retired }) => !retired && String(code) === target.code);
      return known
        ? null
        : {
            code: 'dangling_reference',
            message: unknownValue(target.code, 'an option_code of this question'),
          };
    }
  }
}

/** Returns references to targets that are missing or come later. */
function findReferenceProblems(definition: SurveyDefinition): PublishProblem[] {
  const positions = positionsOf(definition);
  return findReferences(definition).flatMap((reference) => {
    const judgment = checkReference(reference, positions);
    if (judgment === null) return [];
    const { question, field } = reference;
    return [{ ...judgment, field, ...(question && { question_code: question.code }) }];
  });
}

/** The column limit of Excel. */
const MAX_COLUMNS = 16_384;

interface LocatedQuestion {
  question: Question;
  field: string;
}

function locateLiveQuestions(definition: SurveyDefinition): LocatedQuestion[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index) =>
      page.retired || question.retired
        ? []
        : [{ question, field: `pages[${pageIndex}].questions[${index}]` }],
    ),
  );
}

function emptySurveyProblems(
  located: readonly LocatedQuestion[],
  definition: SurveyDefinition,
): PublishProblem[] {
  if (located.some(({ question }) => !question.settings.hidden)) return [];
  const hasPage = definition.pages.some(({ retired }) => !retired);
  const message = hasPage ? 'The survey asks no question' : 'The survey has no page';
  return [{ code: 'empty_survey', message, field: '' }];
}

/** Checks that codes are valid and unique, and that no column occurs twice. Includes retired questions, which keep their columns. */
function codeProblems(located: readonly LocatedQuestion[], definition: SurveyDefinition): PublishProblem[] {
  const fields = new Map(located.map(({ question, field }) => [question, `${field}.question_code`]));
  const problems: PublishProblem[] = [];
  const columns = questionsOf(definition, 'all').reduce((sum, question) => sum + columnCount(question), 0);
  if (columns > MAX_COLUMNS) {
    const message = `The data would have ${columns} columns; at most ${MAX_COLUMNS} are allowed`;
    return [{ code: 'too_many_columns', message, field: '' }];
  }
  for (const [question, field] of fields) {
    const message = codeProblem(readLoopedCode(question.code)?.authored ?? question.code);
    if (message !== null)
      problems.push({ code: 'invalid_code', message, field, question_code: question.code });
  }
  for (const { columnCode, questions } of columnCollisions(questionsOf(definition, 'all'))) {
    const [first, second] = questions;
    const shown = second !== undefined && fields.has(second) ? second : first;
    const field = fields.get(shown) ?? '';
    if (second === undefined) {
      const message = `${first.code} would have a column ${columnCode}, which every response has already`;
      problems.push({ code: 'column_collision', message, field, question_code: first.code });
    } else if (first.code.toLowerCase() === second.code.toLowerCase()) {
      if (columnCode.toLowerCase() !== first.code.toLowerCase()) continue;
      const message = `two questions have the code ${first.code}${first.code === second.code ? '' : ` (${second.code})`}`;
      problems.push({ code: 'duplicate_code', message, field, question_code: shown.code });
    } else {
      const message = `${first.code} and ${second.code} would both have a column ${columnCode}`;
      problems.push({ code: 'column_collision', message, field, question_code: shown.code });
    }
  }
  return problems;
}

function optionProblems({ question, field }: LocatedQuestion): PublishProblem[] {
  const { options: rules } = typeOf(question);
  if (rules === null) return [];
  const live = question.options.filter(({ retired }) => !retired);
  if (live.length === 0) {
    return [
      {
        code: 'options_missing',
        message: `${question.code} must have at least 1 ${rules.noun}`,
        field: `${field}.options`,
        question_code: question.code,
      },
    ];
  }
  return settingsProblems(question, field, rules.problems(question.settings, live));
}

function settingsProblems(
  question: Question,
  field: string,
  problems: readonly ErrorDetail[],
): PublishProblem[] {
  return problems.map(({ message, field: setting }) => ({
    code: 'impossible_settings',
    message,
    field: `${field}.question_settings.${setting}`,
    question_code: question.code,
  }));
}

function questionProblems(located: LocatedQuestion): PublishProblem[] {
  const { question, field } = located;
  const problems = [
    ...typeOf(question).settingsProblems(question.settings),
    ...noAnswerCodeProblems(question),
  ];
  return [...optionProblems(located), ...settingsProblems(question, field, problems)];
}

function cycleProblems(located: readonly LocatedQuestion[], definition: SurveyDefinition): PublishProblem[] {
  return findLogicCycles(definition).map((cycle) => {
    const [code] = cycle;
    const field = located.find(({ question }) => question.code === code)?.field;
    return {
      code: 'logic_cycle',
      message: `the display logic of ${code} depends on itself: ${[...cycle, code].join(' → ')}`,
      field: `${field}.question_settings.logic`,
      question_code: code,
    };
  });
}

/** Returns all problems that prevent publishing; empty if there are none. */
export function findPublishProblems(definition: SurveyDefinition): PublishProblem[] {
  const located = locateLiveQuestions(definition);
  return [
    ...emptySurveyProblems(located, definition),
    ...codeProblems(located, definition),
    ...located.flatMap(questionProblems),
    ...findReferenceProblems(definition),
    ...cycleProblems(located, definition),
    ...sizeProblems(definition),
  ];
}

/** Question codes: each question needs the next one, the last one the first. */
type LogicCycle = [string, ...string[]];

/**
 * Finds cycles in display logic, each as question codes (`["Q1","Q3"]`: Q1 needs Q3, Q3 needs Q1). A page's conditions count for each of
 * its questions. A question occurs in at most one cycle.
 */
export function findLogicCycles(definition: SurveyDefinition): LogicCycle[] {
  const needs = new Map<string, Set<string>>(
    questionsOf(definition).map(({ code }) => [code, new Set<string>()]),
  );
  for (const { page, question, location, target } of findReferences(definition)) {
    if (
      target.kind !== 'question' ||
      location === 'skip' ||
      location === 'piping' ||
      location === 'expression'
    )
      continue;
    const dependants = question ? [question] : page.questions.filter(({ retired }) => !retired);
    for (const { code } of dependants) if (needs.has(target.code)) needs.get(code)?.add(target.code);
  }

  const cycles: LogicCycle[] = [];
  const done = new Set<string>();
  for (const start of needs.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    // Uses an explicit stack: a chain of 2,000 questions must not exhaust the call stack.
    const stack: { code: string; left: string[] }[] = [];
    const push = (code: string) => {
      path.push(code);
      onPath.add(code);
      stack.push({ code, left: [...(needs.get(code) ?? [])] });
    };
    if (!done.has(start)) push(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        stack.pop();
        path.pop();
        onPath.delete(top.code);
        done.add(top.code);
      } else if (onPath.has(next)) {
        cycles.push([next, ...path.slice(path.indexOf(next) + 1)]);
      } else if (!done.has(next)) {
        push(next);
      }
    }
  }
  return withoutOverlaps(cycles);
}

function withoutOverlaps(cycles: LogicCycle[]): LogicCycle[] {
  const seen = new Set<string>();
  return cycles.filter((cycle) => {
    if (cycle.some((code) => seen.has(code))) return false;
    for (const code of cycle) seen.add(code);
    return true;
  });
}

/**
 * Returns changes that are not allowed once a question has data: type, code, matrix rows and kind, date precision. options.ts checks
 * options.
 */
export function findFrozenChanges(before: Question, after: Question): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const addProblem = (field: string, message: string) => problems.push({ field, message });
  if (after.code !== before.code) {
    addProblem(
      'question_code',
      `${quote(before.code)} names its data and stays; ${quote(after.code)} needs a new question`,
    );
  }
  if (after.type !== before.type) {
    addProblem('question_type', `its data are those of a ${before.type} question, and it stays one`);
  } else problems.push(...typeOf(after).frozenChanges(before, after));
  return problems;
}
