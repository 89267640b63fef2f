import type { StoredAnswer, StoredAnswers } from '../../questions/answers/codec.ts';
import { codecFor } from '../../questions/registry.ts';
import type { Option, Page, Question } from '../definition.ts';
import type {
  AwaitedBlocks,
  PreparedDefinition,
  PreparedQuestion,
  QuestionPositions,
  RespondentProfile,
} from '../prepared-definition.ts';
import {
  type Comparison,
  type Condition,
  matchesCondition,
  type Operand,
} from '../../questions/condition.ts';
import type { QuestionLogic, Skip } from '../../questions/logic-schema.ts';
import { type Block, type RandomContext, UNKNOWN_ORDER } from '../blocks.ts';
import { previousCode } from '../previous-codes.ts';

/** Values that came with the link, by name. */
export type HiddenValues = ReadonlyMap<string, string>;

/** What determines a respondent's survey besides the answers. */
export interface RespondentContext extends RandomContext {
  hidden: HiddenValues;
  /** null: the respondent is anonymous. */
  respondent: RespondentProfile | null;
  /** Answers of an earlier response, by codes such as `previous.Q3`. */
  previous: Readonly<StoredAnswers>;
}

export const NO_RESPONDENT_CONTEXT: RespondentContext = {
  hidden: new Map(),
  respondent: null,
  previous: {},
  ...UNKNOWN_ORDER,
};

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
  /** Answers of shown questions (null: skipped) and hidden questions, without withheld options, and those of an earlier response. */
  answers: StoredAnswers;
  /** The skip that ends the response; null: it continues to the last page. */
  end: SurveyEnd | null;
  /** The arms of the blocks that the response enters, by block_id. */
  arms: Record<string, string>;
  /** What the server must assign before the path can go on; null: the path is complete. */
  awaited: AwaitedBlocks | null;
  /** Positions of the pages and questions that chance lets this respondent see, in their order. */
  positions: QuestionPositions;
}

/**
 * Returns a question's answer. Called once per shown question, in order; hidden questions come first, and calculated ones are left out.
 * undefined: no value.
 */
type AnswerReader = (known: PreparedQuestion, offered: readonly Option[]) => StoredAnswer | null | undefined;

/**
 * Evaluates display logic, calculated values and skips for all pages in order. Skips a page if its condition is false or none of its questions is shown; a
 * page without questions is text. Skips of a page's shown questions come before its own.
 */
export function evaluateLogic(
  prepared: PreparedDefinition,
  readAnswer: AnswerReader,
  context: RespondentContext,
): SurveyPath {
  const answers = Object.create(null) as StoredAnswers;
  const arranged = prepared.arrange?.(context) ?? prepared;
  const route: SurveyPath = {
    pages: [],
    shown: new Set(),
    answers,
    end: null,
    arms: {},
    awaited: null,
    positions: arranged.positions,
  };
  const evaluateCondition = createEvaluator(prepared, (code) => answers[code], {
    ...context,
    arms: route.arms,
  });
  const calculate = ({ question }: PreparedQuestion): StoredAnswer | null =>
    prepared.calculate?.(question, answers, { ...context, arms: route.arms }) ?? null;
  const enteredBlocks = new Map<Block, boolean>();
  /** How many items of each loop are shown, by block_id. */
  const itemCounts = new Map<number | null, number>();
  const offeredOf = new Map<string, readonly Option[]>();
  Object.assign(answers, context.previous);
  readHiddenQuestions(prepared, readAnswer, answers);

  const visit = (preparedQuestion: PreparedQuestion, mayBeLeftOut: boolean): VisitedQuestion | null => {
    const { question, codec } = preparedQuestion;
    const { logic, hidden } = question.settings;
    const { isCalculated = false } = codec;
    if ((hidden && !isCalculated) || (logic !== null && !evaluateCondition(logic.display))) return null;
    if (hidden) {
      answers[question.code] = calculate(preparedQuestion);
      return null;
    }
    const options =
      logic === null
        ? preparedQuestion.options
        : offeredOptions(preparedQuestion, evaluateCondition, carryForwardSource);
    // A question without offered options is not shown.
    if (options.length === 0 && preparedQuestion.options.length > 0) return null;
    const read = isCalculated ? calculate(preparedQuestion) : readAnswer(preparedQuestion, options);
    // Where it is unknown what a respondent was shown, an answer tells.
    if (read === undefined && mayBeLeftOut && context.seed === null) return null;
    const received = read ?? null;
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
      exclusive: optionValues(source.options.filter(({ exclusive }) => exclusive)),
      offered: optionValues(offeredOf.get(code) ?? []),
      chosen: new Set(operand?.kind === 'choice' ? operand.values : []),
    };
  };

  /** How many items of the loop the response can still be shown. Without a seed, answers tell which were shown. */
  const roomFor = (item: Block): number =>
    context.seed === null ? Infinity : (loopOf(item)?.max ?? Infinity) - (itemCounts.get(item.parentId) ?? 0);
  const loopOf = ({ parentId }: Block) =>
    prepared.definition.blocks.find(({ id }) => id === parentId)?.repeats;
  /** Enters the blocks around a page, outermost first, and decides once for each whether it is shown. */
  const enter = (blocks: readonly Block[]): 'shown' | 'not_shown' | 'awaited' => {
    for (const block of blocks) {
      const known = enteredBlocks.get(block);
      const isShown = known ?? (roomFor(block) > 0 && evaluateCondition(block.logic?.display));
      const arm = arranged.arms.get(block.id);
      if (known === undefined && isShown && arm !== undefined) {
        if (arm === null && context.awaitsArms) {
          route.awaited = arranged.awaitedAt?.(block, roomFor(block), evaluateCondition) ?? null;
          return 'awaited';
        }
        if (arm !== null) route.arms[block.id] = arm;
      }
      if (known === undefined && isShown)
        itemCounts.set(block.parentId, (itemCounts.get(block.parentId) ?? 0) + 1);
      enteredBlocks.set(block, isShown);
      if (!isShown) return 'not_shown';
    }
    return 'shown';
  };

  let fromQuestion = 0;
  let index = 0;
  for (let current = arranged.pages[index]; current !== undefined; current = arranged.pages[index]) {
    const { page, questions, blocks, mayBeLeftOut } = current;
    const shown: VisitedQuestion[] = [];
    const entry = enter(blocks);
    if (entry === 'awaited') break;
    if (entry === 'shown' && evaluateCondition(page.logic?.display)) {
      for (const question of questions.slice(fromQuestion)) {
        const visited = visit(question, mayBeLeftOut);
        if (visited !== null) shown.push(visited);
      }
      if (shown.length > 0 || questions.length === 0) {
        route.pages.push({ page, questions: shown });
        const outcome = evaluateSkips(skipsOf(page, shown), {
          pageIndex: index,
          positions: arranged.positions,
          evaluateCondition,
        });
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
      if (!known.question.settings.hidden || known.codec.isCalculated) continue;
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

type SkipOutcome =
  /** Questions before `fromQuestion` on that page are skipped. */
  | { kind: 'jump'; pageIndex: number; fromQuestion: number }
  | { kind: 'end'; end: 'complete' | 'screened_out'; reason: string | null };

/**
 * Evaluates skips in order and returns the first that applies; null: continue with the next page. Jumps backward or to unknown targets are
 * ignored.
 */
function evaluateSkips(
  skips: Iterable<Skip>,
  {
    pageIndex,
    positions,
    evaluateCondition,
  }: {
    pageIndex: number;
    positions: QuestionPositions;
    evaluateCondition: (condition: Condition) => boolean;
  },
): SkipOutcome | null {
  for (const skip of skips) {
    const outcome = evaluateCondition(skip.when) ? outcomeOf(skip, positions) : null;
    if (outcome === null || (outcome.kind === 'jump' && outcome.pageIndex <= pageIndex)) continue;
    return outcome;
  }
  return null;
}

function outcomeOf(
  { action, target_id: target, reason }: Skip,
  positions: QuestionPositions,
): SkipOutcome | null {
  switch (action) {
    case 'end_survey':
      return { kind: 'end', end: 'complete', reason: reason ?? null };
    case 'screen_out':
      return { kind: 'end', end: 'screened_out', reason: reason ?? null };
    case 'jump_to_page': {
      const pageIndex = target === undefined ? undefined : positions.pageIndexById.get(target);
      return pageIndex === undefined ? null : { kind: 'jump', pageIndex, fromQuestion: 0 };
    }
    case 'jump_to_question': {
      const position = target === undefined ? undefined : positions.questionPositionById.get(target);
      return position === undefined
        ? null
        : { kind: 'jump', pageIndex: position.pageIndex, fromQuestion: position.questionIndex };
    }
  }
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
  /** Values of its exclusive options, such as "None of these". */
  exclusive: ReadonlySet<string>;
  /** Values that were offered; empty if the question was not shown. */
  offered: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
}

/**
 * Returns the remaining options: those that the source question does not have, and those that `mode` selects. An option that is
 * exclusive or flagged as missing, such as "None of these", is an answer to this question and not carried: beside other options it is
 * offered, also if its value is one of the source.
 */
function applyCarryForward(
  options: readonly Option[],
  mode: NonNullable<QuestionLogic['carry_forward']>['mode'],
  source: CarryForwardSource,
): Option[] {
  const isOwn = ({ exclusive, missing, value }: Option) =>
    exclusive || missing || source.exclusive.has(value);
  const remains = ({ value }: Option) => {
    if (!source.values.has(value)) return true;
    if (mode === 'shown') return source.offered.has(value);
    return source.chosen.has(value) === (mode === 'selected');
  };
  const hasOthers = options.some((option) => !isOwn(option) && remains(option));
  return options.filter((option) => remains(option) || (hasOthers && isOwn(option)));
}

/**
 * Converts an answer to the left side of a comparison; null is missing. A matrix without a row code has the choices of all its rows. A
 * multiple choice with nothing ticked is answered, with no choices.
 */
export function operandOf(
  question: Question,
  answer: StoredAnswer | null | undefined,
  rowCode?: string,
): Operand | null {
  if (answer === null || answer === undefined) return null;
  return codecFor(question).operand(question, answer, rowCode);
}

/**
 * Creates a condition evaluator for one response. Questions that were not shown count as missing, so `answerOf` must return only answers of
 * shown and hidden questions.
 */
function createEvaluator(
  prepared: PreparedDefinition,
  answerOf: (questionCode: string) => StoredAnswer | null | undefined,
  context: RespondentContext,
): (condition: Condition | null | undefined) => boolean {
  const lookUp = (left: Comparison['left']): Operand | null => {
    if (left.type === 'arm') return armOperand(prepared.definition.blocks, left.code, context.arms);
    if (left.type !== 'question' && left.type !== 'previous') return contextOperand(left, context);
    const code = left.type === 'previous' ? previousCode(left.code) : left.code;
    const preparedQuestion = prepared.byCode.get(code);
    return preparedQuestion ? operandOf(preparedQuestion.question, answerOf(code), left.row_code) : null;
  };
  return (condition) => condition === null || condition === undefined || matchesCondition(condition, lookUp);
}

/** Converts a hidden value or respondent attribute to the left side of a comparison; null is missing. */
export function contextOperand(
  { type, code }: Comparison['left'],
  { hidden, respondent }: RespondentContext,
): Operand | null {
  if (type === 'hidden') {
    const text = hidden.get(code);
    return text === undefined || text === '' ? null : { kind: 'text', text };
  }
  return type === 'attribute' && respondent !== null ? attributeOperand(respondent, code) : null;
}

/** Converts the arm of a block, by its code, to the left side of a comparison; null: the response has not entered the block. */
function armOperand(
  blocks: readonly Block[],
  blockCode: string,
  arms: Readonly<Record<string, string>>,
): Operand | null {
  const block = blocks.find(({ code, retired }) => code === blockCode && !retired);
  const arm = block === undefined ? undefined : arms[block.id];
  return arm === undefined ? null : { kind: 'choice', values: [arm] };
}

function attributeOperand({ attributes }: RespondentProfile, name: string): Operand | null {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (value === undefined || value === '') return null;
  return typeof value === 'number' ? { kind: 'number', value } : { kind: 'text', text: String(value) };
}

/** Removes withheld options from an answer; null if no choice remains. */
export function withoutOptions(
  question: Question,
  answer: StoredAnswer | null,
  withheld: ReadonlySet<string>,
): StoredAnswer | null {
  if (answer === null || withheld.size === 0) return answer;
  return codecFor(question).withoutOptions(question, answer, withheld);
}
