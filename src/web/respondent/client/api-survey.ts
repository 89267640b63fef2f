import type { Option, Page, Question, SurveyDefinition } from '../../../domain/survey/definition.ts';
import type { Arrangement, Block, Loop } from '../../../domain/survey/blocks.ts';

/** The fields of the API's RespondentSurvey that the page uses. */
export interface ApiSurvey {
  survey_name: string;
  survey_description: string | null;
  survey_version: number;
  pages: {
    page_id: number;
    page_title: string | null;
    page_description: string | null;
    page_logic: unknown;
    block_id: number | null;
    shown_to_arm: string | null;
    page_arrangement: Arrangement | null;
    questions: ApiQuestion[];
  }[];
  blocks: {
    block_id: number;
    block_code: string;
    parent_block_id: number | null;
    shown_to_arm: string | null;
    block_arrangement: Arrangement | null;
    arms: { arm_code: string; arm_label: string; share: number }[];
    arm_assignment: Block['assignment'];
    block_logic: Block['logic'];
    repeats: { max_items: number | null; order: Loop['order'] } | null;
  }[];
  survey_arrangement: Arrangement | null;
  previous_questions: ApiQuestion[];
}

interface ApiQuestion {
  question_id: number;
  question_code: string;
  question_type: string;
  question_text: string;
  question_required: boolean;
  question_settings: object;
  options: ApiOption[];
  question_cell?: { table_id: number; column_code: string; row_code: string };
}

interface ApiOption {
  option_code: number;
  option_value: string;
  option_label: string;
  option_image: string | null;
  option_exclusive: boolean;
  option_other: boolean;
  option_anchor: boolean;
}

/** Converts a survey of the API to a definition. An earlier response may use an older version than the shell. */
export function definitionFromApi(survey: ApiSurvey): SurveyDefinition {
  return {
    surveyId: 0,
    version: survey.survey_version,
    name: survey.survey_name,
    description: survey.survey_description,
    pages: survey.pages.map((page): Page => ({
      id: page.page_id,
      title: page.page_title,
      description: page.page_description,
      logic: page.page_logic as Page['logic'],
      blockId: page.block_id,
      arm: page.shown_to_arm,
      arrangement: page.page_arrangement,
      retired: false,
      questions: page.questions.map((question) => questionFromApi(question, page.page_id)),
    })),
    blocks: survey.blocks.map((block): Block => ({
      id: block.block_id,
      code: block.block_code,
      title: null,
      parentId: block.parent_block_id,
      arm: block.shown_to_arm,
      arrangement: block.block_arrangement,
      arms: block.arms.map((arm) => ({
        code: arm.arm_code,
        label: arm.arm_label,
        share: arm.share,
        retired: false,
      })),
      assignment: block.arm_assignment,
      logic: block.block_logic,
      loop: null,
      ...(block.repeats && { repeats: { max: block.repeats.max_items, order: block.repeats.order } }),
      retired: false,
    })),
    arrangement: survey.survey_arrangement,
    previous: {
      surveyId: null,
      questions: survey.previous_questions.map((question) => questionFromApi(question, 0)),
    },
  };
}

const questionFromApi = (question: ApiQuestion, pageId: number): Question =>
  ({
    id: question.question_id,
    pageId,
    type: question.question_type,
    text: question.question_text,
    code: question.question_code,
    required: question.question_required,
    settings: question.question_settings,
    options: question.options.map(optionFromApi),
    retired: false,
    ...(question.question_cell && { cell: cellFromApi(question.question_cell) }),
    // The API guarantees that the settings match the type; the compiler cannot check that for JSON.
  }) as Question;

const cellFromApi = ({
  table_id: tableId,
  column_code: columnCode,
  row_code: rowCode,
}: NonNullable<ApiQuestion['question_cell']>): Question['cell'] => ({ tableId, columnCode, rowCode });

function optionFromApi(option: ApiOption, index: number): Option {
  return {
    code: option.option_code,
    value: option.option_value,
    label: option.option_label,
    order: index + 1,
    image: option.option_image,
    exclusive: option.option_exclusive,
    other: option.option_other,
    anchor: option.option_anchor,
    // Only statistics use these.
    missing: false,
    retired: false,
  };
}
