import { codecFor, type Question, type QuestionWithType } from '../questions/registry.ts';
import type { PageLogic, Skip } from '../questions/logic-schema.ts';
import type { Arm, Arrangement, Block } from './blocks.ts';

export type { Option } from '../questions/question.ts';
export type { Question, QuestionType, QuestionWithType } from '../questions/registry.ts';

export interface Page {
  id: number;
  title: string | null;
  description: string | null;
  logic: PageLogic | null;
  /** The block that contains the page; null: none. */
  blockId: number | null;
  /** The arm of the block that sees the page; null: every arm. */
  arm: string | null;
  /** Of its questions; null: all, in survey order. */
  arrangement: Arrangement | null;
  retired: boolean;
  /** In survey order. */
  questions: Question[];
}

/** The fields of a page that is in no block and shows all its questions in order. */
export const PLAIN_PAGE = { blockId: null, arm: null, arrangement: null } as const;

/** The fields of a block that is shown once. */
export const PLAIN_BLOCK = { loop: null } as const;

/** The pages and questions of a survey, in order, including retired ones. */
export interface SurveyDefinition {
  surveyId: number;
  /** The published version; 0 for a draft that was never published. */
  version: number;
  name: string;
  description: string | null;
  /** In survey order. The pages of a block follow each other. */
  pages: Page[];
  blocks: Block[];
  /** Of the pages and blocks that are in no block; null: all, in survey order. */
  arrangement: Arrangement | null;
  /** null: nothing in the survey refers to earlier answers. */
  previous: PreviousQuestions | null;
}

/** The questions of an earlier survey, or of earlier waves of the same one, to whose answers a survey refers. */
export interface PreviousQuestions {
  /** null: earlier waves of the same survey. */
  surveyId: number | null;
  /** With codes such as `previous.Q3`, those of loops for each item. Retired: only an earlier version refers to it. */
  questions: Question[];
}

/** The fields of a definition without blocks and earlier answers, whose pages have a fixed order. */
export const PLAIN_SURVEY: Pick<SurveyDefinition, 'blocks' | 'arrangement' | 'previous'> = {
  blocks: [],
  arrangement: null,
  previous: null,
};

/** Returns all questions in order; retired ones only with `include` 'all'. */
export function questionsOf(definition: SurveyDefinition, include: 'live' | 'all' = 'live'): Question[] {
  return definition.pages
    .filter((page) => include === 'all' || !page.retired)
    .flatMap((page) => page.questions.filter((question) => include === 'all' || !question.retired));
}

/** Whether the logic of the survey computes the answer. */
export const isCalculated = (question: Question): question is QuestionWithType<'calculated'> =>
  codecFor(question).isCalculated === true;

/**
 * The part of a definition that may be sent to respondents: nothing retired, no reasons of skip rules, no names of blocks and arms, and of a
 * hidden question only what logic needs.
 */
export function respondentDefinition(definition: SurveyDefinition): SurveyDefinition {
  const texts = definition.blocks.length === 0 ? '' : JSON.stringify(definition.pages);
  return {
    ...definition,
    pages: definition.pages
      .filter((page) => !page.retired)
      .map((page): Page => ({
        ...page,
        logic: withoutReasons(page.logic),
        questions: page.questions.filter((question) => !question.retired).map(respondentQuestion),
      })),
    blocks: definition.blocks
      .filter((block) => !block.retired)
      .map(({ item, ...block }) => ({
        ...block,
        title: null,
        ...(item !== undefined && { item: { ...item, label: item.code, attributes: {}, translations: {} } }),
        arms: isArmPiped(block, texts) ? block.arms : block.arms.map(withoutLabel),
      })),
    previous: definition.previous && {
      surveyId: null,
      questions: definition.previous.questions
        .filter(({ retired }) => !retired)
        .map((question) => ({ ...question, text: '' })),
    },
  };
}

/** The names of arms tell what an experiment is about; only texts that show them need them. */
const isArmPiped = ({ code }: Block, texts: string): boolean =>
  new RegExp(`\\{\\{\\s*arm\\.${code}\\b`).test(texts);
const withoutLabel = (arm: Arm): Arm => ({ ...arm, label: arm.code });

function respondentQuestion({ translationSources: _, ...question }: Question): Question {
  if (question.settings.hidden) {
    const settings = {
      ...question.settings,
      report_label: null,
      description: null,
      image_url: null,
      image_alt: null,
      media_url: null,
      media_alt: null,
      media_captions: null,
      translations: null,
      logic: isCalculated(question) ? withoutReasons(question.settings.logic) : null,
    };
    return { ...question, text: '', options: [], settings } as Question;
  }
  return {
    ...question,
    options: question.options.filter((option) => !option.retired),
    // Report labels are not sent to respondents.
    settings: {
      ...question.settings,
      report_label: null,
      logic: withoutReasons(question.settings.logic),
    },
  } as Question;
}

/** Removes screen-out reasons, which only workspace members may see. */
function withoutReasons<T extends { skip?: Skip[] | undefined } | null>(logic: T): T {
  if (logic?.skip === undefined) return logic;
  return { ...logic, skip: logic.skip.map(({ reason: _, ...rule }) => rule) };
}
