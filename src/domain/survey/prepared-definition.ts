import type { StoredAnswer, StoredAnswers } from '../questions/answers/codec.ts';
import type { Condition } from '../questions/condition.ts';
import type { QuestionAnswers } from '../questions/question-type.ts';
import { codecFor } from '../questions/registry.ts';
import type { Attributes } from '../respondents/attributes.ts';
import { type Block, blocksAround, type RandomContext } from './blocks.ts';
import type { Option, Page, Question, SurveyDefinition } from './definition.ts';

/** The respondent of a personal link, limited to what conditions and texts refer to. */
export interface RespondentProfile {
  name: string | null;
  attributes: Attributes;
}

export interface PreparedQuestion {
  question: Question;
  codec: QuestionAnswers;
  /** The name of the question's answer in problems. */
  field: string;
  /** The options that are not retired. */
  options: readonly Option[];
  retired: boolean;
}

/** Positions of live pages and questions. */
export interface QuestionPositions {
  pageIndexById: ReadonlyMap<number, number>;
  questionPositionById: ReadonlyMap<number, { pageIndex: number; questionIndex: number }>;
}

/** A live page with its live questions. */
export interface PreparedPage {
  page: Page;
  questions: PreparedQuestion[];
  /** The blocks around it, outermost first. */
  blocks: readonly Block[];
  /** Whether chance or an arm leaves the page or some of its questions out for some respondents. */
  mayBeLeftOut: boolean;
}

/** A block whose arm is not assigned yet, or the items of a loop of which the server chooses `count`. */
export interface AwaitedBlocks {
  blocks: readonly Block[];
  count: number;
}

/** The part of a prepared definition that can differ between respondents. */
export interface ArrangedSurvey {
  /** In the order of the respondent. */
  pages: readonly PreparedPage[];
  /** Positions in `pages`. */
  positions: QuestionPositions;
  /** The arms of blocks, by block_id; null: not known yet. */
  arms: ReadonlyMap<number, string | null>;
  /** What the server must assign before a block without an arm or place is shown; `room`: how many items of its loop can still be shown. */
  awaitedAt?: (
    block: Block,
    room: number,
    isShown: (condition: Condition | undefined) => boolean,
  ) => AwaitedBlocks;
}

/** Returns what one respondent sees of a survey, conditions aside. */
type Arrange = (context: RandomContext) => ArrangedSurvey;

/** Returns the arrangement of a survey's pages; null if chance decides nothing in it. */
export type ArrangerOf = (definition: SurveyDefinition, pages: readonly PreparedPage[]) => Arrange | null;

/** Values besides answers that conditions and expressions can read. */
export interface ContextValues {
  hidden: ReadonlyMap<string, string>;
  respondent: RespondentProfile | null;
  arms: Readonly<Record<string, string>>;
}

/** Returns the value of a calculated question for the answers known so far; null: it has none. */
type Calculate = (
  question: Question,
  answers: Readonly<StoredAnswers>,
  context: ContextValues,
) => StoredAnswer | null;

/** Returns the function that calculates the values of a survey; null if it has no calculated questions. */
export type CalculatorOf = (definition: SurveyDefinition) => Calculate | null;

/** The parts of the logic that only some surveys need; null: the survey does not. */
export interface LogicParts {
  arrangerOf: ArrangerOf | null;
  calculatorOf: CalculatorOf | null;
}

/** A definition with precomputed lookups, for code that processes thousands of responses. Read-only. */
export interface PreparedDefinition extends ArrangedSurvey {
  definition: SurveyDefinition;
  /** null: all respondents see `pages` in survey order. */
  arrange: Arrange | null;
  /** null: the survey has no calculated questions. */
  calculate: Calculate | null;
  /** All questions by code, including retired ones and, as retired, those of an earlier survey. */
  byCode: ReadonlyMap<string, PreparedQuestion>;
  /** Maps lower-case codes to codes in their original spelling. */
  byFoldedCode: ReadonlyMap<string, string>;
}

/** Prepares a definition; see `prepareDefinition` for a function that brings the parts. */
export function prepareDefinitionWith(
  definition: SurveyDefinition,
  { arrangerOf, calculatorOf }: LogicParts,
): PreparedDefinition {
  const byCode = new Map<string, PreparedQuestion>();
  for (const page of definition.pages) {
    for (const question of page.questions) {
      byCode.set(question.code, prepareQuestion(question, page.retired || question.retired));
    }
  }
  for (const question of definition.previous?.questions ?? [])
    byCode.set(question.code, prepareQuestion(question, true));
  const pages = definition.pages
    .filter((page) => !page.retired)
    .map((page): PreparedPage => {
      const blocks = page.blockId === null ? NO_BLOCKS : blocksAround(definition.blocks, page.blockId);
      return {
        page,
        questions: page.questions
          .filter((question) => !question.retired)
          .flatMap((question) => byCode.get(question.code) ?? []),
        blocks,
        mayBeLeftOut:
          [page, ...blocks].some(({ arm }) => arm !== null) ||
          [definition, page, ...blocks].some(({ arrangement }) => (arrangement?.show ?? null) !== null) ||
          blocks.some(({ repeats }) => (repeats?.max ?? null) !== null),
      };
    });
  return {
    definition,
    pages,
    arms: NO_ARMS,
    arrange: arrangerOf?.(definition, pages) ?? null,
    calculate: calculatorOf?.(definition) ?? null,
    byCode,
    byFoldedCode: new Map([...byCode.keys()].map((code) => [code.toLowerCase(), code])),
    positions: questionPositions(pages),
  };
}

const prepareQuestion = (question: Question, retired: boolean): PreparedQuestion => ({
  question,
  codec: codecFor(question),
  field: `answers.${question.code}`,
  options: question.options.filter((option) => !option.retired),
  retired,
});

const NO_BLOCKS: readonly Block[] = [];
const NO_ARMS: ReadonlyMap<number, string | null> = new Map();

/** Returns the positions of pages and questions, by id. */
export function questionPositions(pages: readonly PreparedPage[]): QuestionPositions {
  return {
    pageIndexById: new Map(pages.map(({ page }, index) => [page.id, index])),
    questionPositionById: new Map(
      pages.flatMap(({ questions }, pageIndex) =>
        questions.map(({ question }, questionIndex) => [question.id, { pageIndex, questionIndex }]),
      ),
    ),
  };
}
