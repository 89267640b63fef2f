import { notAllowedFor, onlyAllowed, unknownObject, unknownValue } from '../../../lib/error-messages.ts';
import { formatList } from '../../../lib/format-list.ts';
import { quote } from '../../../lib/quote.ts';
import type { Comparison, Operator } from '../logic/condition.ts';
import type { Question, SurveyDefinition } from '../definition.ts';
import type { PublishProblem } from './publish-problem.ts';
import { findReferences, type Reference, type ReferenceTarget } from './references.ts';
import { takesOptions, typeOf } from '../../questions/registry.ts';

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

/** Returns why a comparison does not fit its question: an unknown row or option. */
export function comparisonMismatch(question: Question, { left, operator, right }: Comparison): string | null {
  const { namesOptions, parts } = typeOf(question).comparison;
  const partCode = left.row_code;
  if (parts !== null) {
    const codes = parts.list(question).map(({ code }) => code);
    if (partCode === undefined && operator !== 'answered' && operator !== 'not_answered') {
      return `a ${parts.noun} is compared by ${parts.partNoun}: add row_code to the left side (${quote(codes[0])}, …)`;
    }
    if (partCode !== undefined && !codes.includes(partCode))
      return unknownValue(partCode, `a ${parts.partNoun} of ${question.code}`);
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
 * Display, options, carry_forward and pipes are evaluated when the page is rendered, so they may refer to earlier questions only. Skips are
 * evaluated on submission and may refer to their own page.
 */
function checkQuestionReference(
  { page, question, location }: Reference,
  target: Extract<ReferenceTarget, { kind: 'question' }>,
  positions: Positions,
): ReferenceProblem {
  const found = positions.questionsByCode.get(target.code);
  if (!found) {
    return { code: 'dangling_reference', message: unknownObject('question', target.code, 'in this survey') };
  }
  const own = question === null ? undefined : positions.questionsById.get(question.id);
  const pageIndex = positions.pages.get(page.id)!;
  const { position } = found;
  const isEarlier =
    location === 'skip'
      ? position.page <= pageIndex
      : own
        ? position.index < own.index
        : position.page < pageIndex;
  if (!isEarlier) {
    const message = own
      ? `${target.code} does not come before ${question!.code}: ${location} can only refer to earlier questions`
      : `${target.code} does not come before this page: ${location} can only refer to earlier questions`;
    return { code: 'forward_reference', message };
  }
  if (location === 'carry_forward') {
    const without = [found.question, question!].find(({ type }) => !takesOptions(type));
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
  const pageIndex = positions.pages.get(page.id)!;
  const target =
    id === undefined
      ? undefined
      : to === 'page'
        ? positions.pages.get(id)
        : positions.questionsById.get(id)?.page;
  if (target === undefined) {
    return { code: 'dangling_reference', message: unknownObject(to, id, 'in this survey') };
  }
  if (to === 'question' && positions.hiddenIds.has(id!)) {
    return {
      code: 'dangling_reference',
      message: `the question with the id ${id} is hidden: respondents never see it`,
    };
  }
  if (target > pageIndex) return null;
  return {
    code: 'backward_skip',
    message: backwardSkipMessage(to, id!, target === pageIndex),
  };
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
export function findReferenceProblems(definition: SurveyDefinition): PublishProblem[] {
  const positions = positionsOf(definition);
  return findReferences(definition).flatMap((reference) => {
    const judgement = checkReference(reference, positions);
    if (judgement === null) return [];
    const { question, field } = reference;
    return [{ ...judgement, field, ...(question && { question_code: question.code }) }];
  });
}
