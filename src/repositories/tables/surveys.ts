import type { MediaType } from '../../domain/questions/media-address.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { SamplingDesign } from '../../domain/survey/sampling-design.ts';
import type { Arm, Arrangement, Block } from '../../domain/survey/blocks.ts';
import type { PageLogic } from '../../domain/questions/logic-schema.ts';
import type { SurveyStatus, SurveyType } from '../../domain/survey/status.ts';
import type { QuestionType } from '../../domain/questions/registry.ts';
import type { TranslationSources } from '../../domain/questions/question.ts';
import type { Table } from './table.ts';

export interface SurveyTable {
  survey_id: number;
  organization_id: number;
  workspace_id: number;
  created_by: number;
  survey_name: string;
  /** Raised by each erasure of responses. */
  erasures: number;
  survey_description: string | null;
  survey_status: SurveyStatus;
  survey_type: SurveyType;
  /** Only settings that differ from their defaults; see domain/survey/survey-settings.ts. */
  survey_settings: Record<string, unknown>;
  /** Of the translations in the settings. */
  translation_sources: TranslationSources;
  quality_settings: Record<string, unknown>;
  /** Of the pages and blocks that are in no block; null: a fixed order. */
  survey_arrangement: Arrangement | null;
  revision: number;
  published_version: number | null;
  published_revision: number | null;
  closed_at: Date | null;
  deleted_at: Date | null;
  /** When its data and texts were deleted for good. */
  erased_at: Date | null;
  /** The user who last changed the survey or its questions; null: unknown. */
  updated_by: number | null;
  survey_inserted: Date;
  survey_updated: Date;
  is_anonymous: boolean | null;
  columns_revision: number;
  time_zone: string;
}

export interface SurveyPageTable {
  page_id: number;
  organization_id: number;
  survey_id: number;
  page_order: number;
  page_title: string | null;
  page_description: string | null;
  page_logic: PageLogic | null;
  block_id: number | null;
  shown_to_arm: string | null;
  page_arrangement: Arrangement | null;
  retired: boolean;
}

export interface SurveyBlockTable {
  block_id: number;
  organization_id: number;
  survey_id: number;
  block_code: string;
  block_title: string | null;
  parent_block_id: number | null;
  shown_to_arm: string | null;
  block_arrangement: Arrangement | null;
  arms: Arm[];
  arm_assignment: Block['assignment'];
  block_logic: Block['logic'];
  block_loop: Block['loop'];
  retired: boolean;
}

export interface QuestionTable {
  question_id: number;
  organization_id: number;
  survey_id: number;
  page_id: number;
  question_order: number;
  question_type: QuestionType;
  question_text: string;
  question_code: string;
  question_required: boolean;
  question_settings: unknown;
  translation_sources: TranslationSources;
  /** The highest code that any option of the question has had. */
  highest_option_code: number;
  /** Part of a published version. */
  published: boolean;
  retired: boolean;
}

export interface QuestionOptionTable {
  option_id: number;
  organization_id: number;
  survey_id: number;
  question_id: number;
  option_code: number;
  option_value: string;
  option_label: string;
  option_order: number;
  option_image: string | null;
  option_exclusive: boolean;
  option_other: boolean;
  option_anchor: boolean;
  option_missing: boolean;
  retired: boolean;
}

export interface SurveyVersionTable {
  organization_id: number;
  survey_id: number;
  version: number;
  definition: SurveyDefinition;
  published_by: number;
  published_at: Date;
  note: string | null;
}

interface SurveyDesignTable {
  survey_id: number;
  organization_id: number;
  sampling_design: SamplingDesign;
}

interface OptionAbsenceTable {
  survey_id: number;
  question_id: number;
  option_code: number;
  from_version: number;
  /** null: the newest version is without the option. */
  to_version: number | null;
}

export type SurveyImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface SurveyImageTable {
  image_token: string;
  organization_id: number;
  /** The survey that the image was uploaded for; copies of the survey refer to the same image. */
  survey_id: number;
  content_type: SurveyImageType;
  picture: Buffer;
  uploaded_by: number;
  created_at: Date;
  used_at: Date;
}

export interface SurveyMediaTable {
  media_token: string;
  organization_id: number;
  /** The survey that the file was uploaded for; copies of the survey refer to the same file. */
  survey_id: number;
  media_type: MediaType;
  stored_name: string;
  /** null: not all bytes are stored. */
  size_bytes: number | null;
  uploaded_by: number;
  created_at: Date;
  used_at: Date;
  deleted_at: Date | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    surveys: Table<
      SurveyTable,
      | 'survey_id'
      | 'survey_status'
      | 'survey_type'
      | 'erasures'
      | 'survey_settings'
      | 'translation_sources'
      | 'quality_settings'
      | 'revision'
      | 'survey_inserted'
      | 'survey_updated'
      | 'columns_revision',
      'survey_settings' | 'translation_sources' | 'quality_settings' | 'survey_arrangement',
      'is_anonymous' | 'time_zone'
    >;
    survey_pages: Table<SurveyPageTable, 'page_id' | 'retired', 'page_logic' | 'page_arrangement'>;
    survey_blocks: Table<
      SurveyBlockTable,
      'block_id' | 'arms' | 'arm_assignment' | 'retired',
      'block_arrangement' | 'arms' | 'block_logic' | 'block_loop'
    >;
    questions: Table<
      QuestionTable,
      | 'question_id'
      | 'question_required'
      | 'question_settings'
      | 'translation_sources'
      | 'highest_option_code'
      | 'published'
      | 'retired',
      'question_settings' | 'translation_sources'
    >;
    question_options: Table<
      QuestionOptionTable,
      'option_id' | 'option_exclusive' | 'option_other' | 'option_anchor' | 'option_missing' | 'retired'
    >;
    survey_images: Table<SurveyImageTable, 'created_at' | 'used_at'>;
    survey_media: Table<SurveyMediaTable, 'created_at' | 'used_at'>;
    survey_versions: Table<SurveyVersionTable, 'published_at', 'definition'>;
    survey_designs: Table<SurveyDesignTable, never, 'sampling_design'>;
    option_absences: Table<OptionAbsenceTable>;
  }
}
