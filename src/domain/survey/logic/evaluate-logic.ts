import type { StoredAnswer, StoredAnswers } from '../../answers/codec.ts';
import type { Option, Page } from '../definition.ts';
import type { PreparedDefinition, PreparedQuestion } from '../prepared-definition.ts';
import { createEvaluator, operandOf, withoutOptions } from './condition-evaluator.ts';
import type { QuestionLogic, Skip } from './logic.ts';
import type { RespondentContext } from './respondent-context.ts';
import { evaluateSkips } from './skips.ts';

export interface VisitedQuestion {
  prepared: PreparedQuestion;
  /** The offered options, in survey order. */
  options: readonly Option[];
  answer: StoredAnswer | null;
}

interface VisitedPage {
  page: Page;
  /** The shown questions; empty for a text page. */
  questions: VisitedQuestion[];
}

export interface SurveyEnd {
  kind: 'complete' | 'screened_out';
  /** The reason of the skip rule. */
  reason: string | null;
  afterPageId: number;
}

/** The pages and questions that a response visits. */
export interface SurveyPath {
  /** Visited, in order. */
  pages: VisitedPage[];
  shown: Set<string>;
  /** Answers of shown questions (null: skipped) and hidden questions, without withheld options. */
  answers: StoredAnswers;
  /** The skip that ends the response; null: it continues to the last page. */
  end: SurveyEnd | null;
}

/** Returns a question's answer. Called once per shown question, in order; hidden questions come first. undefined: no value. */
type AnswerReader = (known: PreparedQuestion, offered: readonly Option[]) => StoredAnswer | null | undefined;

/**
 * Evaluates display logic and skips for all pages in order. Skips a page if its condition is false or none of its questions is shown; a
 * page without questions is text. Skips of a page's shown questions come before its own.
 */
export function evaluateLogic(
  prepared: PreparedDefinition,
  readAnswer: AnswerReader,
  context: RespondentContext,
): SurveyPath {
  const answers = Object.create(null) as StoredAnswers;
  const route: SurveyPath = { pages: [], shown: new Set(), answers, end: null };
  const evaluateCondition = createEvaluator(prepared, (code) => answers[code], context);
  const offeredOf = new Map<string, readonly Option[]>();
  readHiddenQuestions(prepared, readAnswer, answers);

  const visit = (preparedQuestion: PreparedQuestion): VisitedQuestion | null => {
    const { question } = preparedQuestion;
    const { logic } = question.settings;
    if (question.settings.hidden || (logic !== null && !evaluateCondition(logic.display))) return null;
    const options =
      logic === null
        ? preparedQuestion.options
        : offeredOptions(preparedQuestion, evaluateCondition, carryForwardSource);
    // A question without offered options is not shown.
    if (options.length === 0 && preparedQuestion.options.length > 0) return null;
    const received = readAnswer(preparedQuestion, options) ?? null;
    const answer =
      received === null || options.length === preparedQuestion.options.length
        ? received
        : withoutOptions(question, received, withheldValues(preparedQuestion, options));
    answers[question.code] = answer;
    offeredOf.set(question.code, options);
    route.shown.add(question.code);
    return { prepared: preparedQuestion, options, answer };
  };
  const carryForwardSource = (code: string): CarryForwardSource | null => {
    const source = prepared.byCode.get(code);
    if (source === undefined) return null;
    const operand = operandOf(source.question, answers[code]);
    return {
      values: optionValues(source.options),
      offered: optionValues(offeredOf.get(code) ?? []),
      chosen: new Set(operand?.kind === 'choice' ? operand.values : []),
    };
  };

  let fromQuestion = 0;
  for (let index = 0; index < prepared.pages.length;) {
    const { page, questions } = prepared.pages[index]!;
    const shown: VisitedQuestion[] = [];
    if (evaluateCondition(page.logic?.display)) {
      for (const question of questions.slice(fromQuestion)) {
        const visited = visit(question);
        if (visited !== null) shown.push(visited);
      }
      if (shown.length > 0 || questions.length === 0) {
        route.pages.push({ page, questions: shown });
        const outcome = evaluateSkips(skipsOf(page, shown), index, prepared.positions, evaluateCondition);
        if (outcome?.kind === 'end') {
          route.end = { kind: outcome.end, reason: outcome.reason, afterPageId: page.id };
          break;
        }
        if (outcome !== null) {
          index = outcome.pageIndex;
          fromQuestion = outcome.fromQuestion;
          continue;
        }
      }
    }
    index += 1;
    fromQuestion = 0;
  }
  return route;
}

function readHiddenQuestions(
  prepared: PreparedDefinition,
  readAnswer: AnswerReader,
  answers: StoredAnswers,
): void {
  for (const { questions } of prepared.pages) {
    for (const known of questions) {
      if (!known.question.settings.hidden) continue;
      const answer = readAnswer(known, known.options);
      if (answer !== undefined) answers[known.question.code] = answer;
    }
  }
}

const NO_SKIPS: readonly Skip[] = [];

/** Returns the skips of the shown questions in order, then those of the page. Optimized for the common case without skips. */
function skipsOf(page: Page, shown: readonly VisitedQuestion[]): readonly Skip[] {
  const own = page.logic?.skip ?? NO_SKIPS;
  const hasSkips = shown.some(({ prepared: known }) => known.question.settings.logic?.skip !== undefined);
  return hasSkips
    ? [...shown.flatMap(({ prepared: known }) => known.question.settings.logic?.skip ?? []), ...own]
    : own;
}

/** Returns the options left by option conditions and carry_forward. */
function offeredOptions(
  { question, options }: PreparedQuestion,
  evaluateCondition: ReturnType<typeof createEvaluator>,
  sourceOf: (code: string) => CarryForwardSource | null,
): readonly Option[] {
  const { options: conditions, carry_forward: carryForward } = question.settings.logic ?? {};
  let left = options;
  if (conditions) {
    left = left.filter(({ code }) => {
      const key = String(code);
      return !Object.hasOwn(conditions, key) || evaluateCondition(conditions[key]);
    });
  }
  const source = carryForward ? sourceOf(carryForward.from) : null;
  return carryForward && source ? applyCarryForward(left, carryForward.mode, source) : left;
}

const optionValues = (options: readonly Option[]): Set<string> => new Set(options.map(({ value }) => value));

/** Returns the option_values of the question that are not offered. */
export function withheldValues(known: PreparedQuestion, offered: readonly Option[]): Set<string> {
  const withheld = optionValues(known.options);
  for (const { value } of offered) withheld.delete(value);
  return withheld;
}

/** The source question of a carry-forward, as this respondent saw it. */
interface CarryForwardSource {
  /** All its option_values. */
  values: ReadonlySet<string>;
  /** Values that were offered; empty if the question was not shown. */
  offered: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
}

/** Returns the remaining options: those that the source question does not have, and those that `mode` selects. */
function applyCarryForward(
  options: readonly Option[],
  mode: NonNullable<QuestionLogic['carry_forward']>['mode'],
  source: CarryForwardSource,
): Option[] {
  return options.filter(({ value }) => {
    if (!source.values.has(value)) return true;
    if (mode === 'shown') return source.offered.has(value);
    return source.chosen.has(value) === (mode === 'selected');
  });
}
