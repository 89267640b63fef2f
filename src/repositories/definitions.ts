import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import type { Block } from '../domain/survey/blocks.ts';
import {
  type Option,
  type Page,
  PLAIN_BLOCK,
  PLAIN_PAGE,
  PLAIN_SURVEY,
  type PreviousQuestions,
  type Question,
  type SurveyDefinition,
} from '../domain/survey/definition.ts';
import type { AbsenceChanges } from '../domain/survey/publishing/absence-changes.ts';
import { withCarriedOptions } from '../domain/survey/carried-options.ts';
import { usesPrevious, withPreviousQuestions } from '../domain/survey/previous-questions.ts';
import { surveySettingsOf } from '../domain/survey/survey-settings.ts';
import { questionSettingsSchemas } from '../domain/questions/registry.ts';
import { notFound } from '../lib/errors.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import type {
  QuestionOptionTable,
  QuestionTable,
  SurveyBlockTable,
  SurveyPageTable,
  SurveyTable,
  SurveyVersionTable,
} from './tables/surveys.ts';
import { qualifyColumns } from './tables/table.ts';

/** The author's current definition, and the revision at which it was read. */
export interface Draft {
  revision: number;
  definition: SurveyDefinition;
}

const PAGE_COLUMNS = [
  'page_id',
  'page_order',
  'page_title',
  'page_description',
  'page_logic',
  'block_id',
  'shown_to_arm',
  'page_arrangement',
  'retired',
] as const;
const BLOCK_COLUMNS = [
  'block_id',
  'block_code',
  'block_title',
  'parent_block_id',
  'shown_to_arm',
  'block_arrangement',
  'arms',
  'arm_assignment',
  'block_logic',
  'block_loop',
  'retired',
] as const;
const QUESTION_COLUMNS = [
  'question_id',
  'question_order',
  'page_id',
  'question_type',
  'question_text',
  'question_code',
  'question_required',
  'question_settings',
  'translation_sources',
  'retired',
] as const;
const OPTION_COLUMNS = [
  'question_id',
  'option_code',
  'option_value',
  'option_label',
  'option_order',
  'option_image',
  'option_exclusive',
  'option_other',
  'option_anchor',
  'option_missing',
  'retired',
] as const;

type PageRow = Pick<SurveyPageTable, (typeof PAGE_COLUMNS)[number]>;
type BlockRow = Pick<SurveyBlockTable, (typeof BLOCK_COLUMNS)[number]>;
type QuestionRow = Pick<QuestionTable, (typeof QUESTION_COLUMNS)[number]>;
type OptionRow = Pick<QuestionOptionTable, (typeof OPTION_COLUMNS)[number]>;

type DraftRow = Pick<
  SurveyTable,
  | 'survey_name'
  | 'survey_description'
  | 'survey_arrangement'
  | 'survey_settings'
  | 'workspace_id'
  | 'revision'
  | 'published_version'
> & {
  published_previous: PreviousQuestions | null;
  pages: PageRow[];
  blocks: BlockRow[];
  questions: QuestionRow[];
  options: OptionRow[];
};

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

/** A published version without its definition. */
export type SurveyVersionRow = Pick<
  SurveyVersionTable,
  'version' | 'published_at' | 'published_by' | 'note'
> & {
  /** null: the user does not exist any more. */
  user_name: string | null;
  question_count: number;
};

/** The definitions of surveys: the author's draft, and the versions that were frozen for respondents. */
export class DefinitionRepository {
  constructor(private readonly db: Database) {}

  /** The author's definition, retired pages, questions and options included; its version is the newest published one, or 0. */
  async loadDraft(surveyId: number): Promise<SurveyDefinition> {
    return (await this.loadDraftWithRevision(surveyId)).definition;
  }

  /** Returns the definition without carried options (withCarriedOptions), for services that change or copy it. */
  async storedDraft(surveyId: number): Promise<SurveyDefinition> {
    return toDefinition(surveyId, await this.draftRow(surveyId));
  }

  async loadDraftWithRevision(surveyId: number): Promise<Draft> {
    const row = await this.draftRow(surveyId);
    const definition = withCarriedOptions(toDefinition(surveyId, row));
    return { revision: row.revision, definition: await this.withPrevious(definition, row) };
  }

  /** Returns the definition with the questions of the earlier survey whose answers it uses. */
  private async withPrevious(definition: SurveyDefinition, row: DraftRow): Promise<SurveyDefinition> {
    const { survey_settings: settings, published_previous: published } = row;
    if (published === null && !usesPrevious(definition, settings)) return definition;
    const { previous_survey_id: surveyId } = surveySettingsOf(settings);
    const earlier = surveyId === null ? definition : await this.findNewest(surveyId, row.workspace_id);
    return withPreviousQuestions(definition, {
      settings,
      source: { surveyId, definition: earlier ?? { ...definition, pages: [], blocks: [] } },
      published: published && withSettingDefaults(published),
    });
  }

  /** Returns the published version of a survey, or its draft if there is none; null: the workspace has no such survey. */
  async findNewest(surveyId: number, workspaceId: number): Promise<SurveyDefinition | null> {
    const survey = await this.db('surveys')
      .first('published_version')
      .where({ survey_id: surveyId, workspace_id: workspaceId })
      .whereNot({ survey_status: 0 });
    if (survey === undefined) return null;
    return survey.published_version === null
      ? withCarriedOptions(toDefinition(surveyId, await this.draftRow(surveyId)))
      : this.findPublished(surveyId, survey.published_version);
  }

  /** One statement, so that pages, questions and options are read at the same moment. */
  private async draftRow(surveyId: number): Promise<DraftRow> {
    // Raw SQL: aggregates four tables as JSON.
    const row = await queryRow<DraftRow>(
      this.db,
      `SELECT survey_name, survey_description, survey_arrangement, survey_settings, workspace_id, revision, published_version,
         (SELECT definition -> 'previous' FROM survey_versions WHERE survey_id = s.survey_id AND version = s.published_version) AS published_previous,
         (SELECT coalesce(json_agg(p ORDER BY page_order, page_id), '[]') FROM (
            SELECT ${PAGE_COLUMNS.join(', ')} FROM survey_pages WHERE survey_id = s.survey_id) p) AS pages,
         (SELECT coalesce(json_agg(b ORDER BY block_id), '[]') FROM (
            SELECT ${BLOCK_COLUMNS.join(', ')} FROM survey_blocks WHERE survey_id = s.survey_id) b) AS blocks,
         (SELECT coalesce(json_agg(q ORDER BY question_order, question_id), '[]') FROM (
            SELECT ${QUESTION_COLUMNS.join(', ')} FROM questions WHERE survey_id = s.survey_id) q) AS questions,
         (SELECT coalesce(json_agg(o ORDER BY question_id, option_order, option_code), '[]') FROM (
            SELECT ${OPTION_COLUMNS.join(', ')} FROM question_options WHERE survey_id = s.survey_id) o) AS options
       FROM surveys s WHERE survey_id = ?`,
      [surveyId],
    );
    if (row === null) throw notFound('survey');
    return row;
  }

  /** Returns the definition of a published version, or null where there is none. */
  async findPublished(surveyId: number, version: number): Promise<SurveyDefinition | null> {
    const row = await this.db('survey_versions').first('definition').where({ survey_id: surveyId, version });
    return row === undefined ? null : withDefaults(row.definition);
  }

  /** Returns a published version with its definition, or null where there is none. */
  async findVersion(
    { organizationId, surveyId }: SurveyKey,
    version: number,
  ): Promise<(SurveyVersionRow & { definition: SurveyDefinition }) | null> {
    const [row] = await this.selectVersions({ organizationId, surveyId })
      .select<(SurveyVersionRow & { definition: SurveyDefinition })[]>('survey_versions.definition')
      .where('version', version);
    return row === undefined ? null : { ...row, definition: withDefaults(row.definition) };
  }

  /** Newest first, one more than `limit` if there are more. */
  async listVersions(key: SurveyKey, page: IdPage): Promise<{ found: SurveyVersionRow[]; total: number }> {
    const found = await selectIdPage(
      this.selectVersions(key),
      { idColumn: 'version', order: 'newest_first' },
      page,
    );
    const all = this.db('survey_versions').where({
      organization_id: key.organizationId,
      survey_id: key.surveyId,
    });
    return { found, total: await countRows(all) };
  }

  private selectVersions({ organizationId, surveyId }: SurveyKey) {
    return this.db('survey_versions')
      .leftJoin('users', 'users.user_id', 'survey_versions.published_by')
      .where('survey_versions.organization_id', organizationId)
      .where('survey_versions.survey_id', surveyId)
      .select<SurveyVersionRow[]>(
        ...qualifyColumns('survey_versions', ['version', 'published_at', 'published_by', 'note']),
        'users.user_name',
        // The questions that respondents can see.
        this.db.raw(`jsonb_array_length(jsonb_path_query_array(survey_versions.definition,
          '$.pages[*] \\? (@.retired == false).questions[*] \\? (@.retired == false)')) AS question_count`),
      );
  }

  /** Stores which options the versions of a published survey are without. */
  async saveAbsences(surveyId: number, { added, ended }: AbsenceChanges, version: number): Promise<void> {
    if (added.length + ended.length === 0) return;
    for (const { questionId, optionCode } of ended)
      await this.db('option_absences')
        .where({ survey_id: surveyId, question_id: questionId, option_code: optionCode, to_version: null })
        .update({ to_version: version - 1 });
    if (added.length > 0)
      await this.db('option_absences').insert(
        added.map(({ questionId, optionCode, from, to }) => ({
          survey_id: surveyId,
          question_id: questionId,
          option_code: optionCode,
          from_version: from,
          to_version: to,
        })),
      );
    // Readers of datasets notice by it.
    await this.db('surveys').where({ survey_id: surveyId }).increment('columns_revision');
  }

  /** Stores the definition as the version that it names. */
  async saveVersion(
    { organizationId, userId }: { organizationId: number; userId: number },
    definition: SurveyDefinition,
    note: string | null,
  ): Promise<void> {
    await this.db('survey_versions').insert({
      organization_id: organizationId,
      survey_id: definition.surveyId,
      version: definition.version,
      definition: JSON.stringify(definition),
      published_by: userId,
      note,
    });
  }
}

function toDefinition(surveyId: number, row: DraftRow): SurveyDefinition {
  const optionsByQuestion = new Map<number, Option[]>();
  for (const option of row.options) {
    const list = optionsByQuestion.get(option.question_id) ?? [];
    optionsByQuestion.set(option.question_id, list);
    list.push(toOption(option));
  }
  const questionsByPage = new Map<number, Question[]>();
  for (const question of row.questions) {
    const list = questionsByPage.get(question.page_id) ?? [];
    questionsByPage.set(question.page_id, list);
    list.push(toQuestion(question, optionsByQuestion.get(question.question_id) ?? []));
  }
  return {
    surveyId,
    version: row.published_version ?? 0,
    name: row.survey_name,
    description: row.survey_description,
    pages: row.pages.map((page): Page => ({
      id: page.page_id,
      title: page.page_title,
      description: page.page_description,
      logic: page.page_logic,
      blockId: page.block_id,
      arm: page.shown_to_arm,
      arrangement: page.page_arrangement,
      retired: page.retired,
      questions: questionsByPage.get(page.page_id) ?? [],
    })),
    blocks: row.blocks.map(toBlock),
    arrangement: row.survey_arrangement,
    previous: null,
  };
}

const toBlock = (row: BlockRow): Block => ({
  id: row.block_id,
  code: row.block_code,
  title: row.block_title,
  parentId: row.parent_block_id,
  arm: row.shown_to_arm,
  arrangement: row.block_arrangement,
  arms: row.arms,
  assignment: row.arm_assignment,
  logic: row.block_logic,
  loop: row.block_loop,
  retired: row.retired,
});

function toQuestion(row: QuestionRow, options: Option[]): Question {
  return {
    id: row.question_id,
    pageId: row.page_id,
    type: row.question_type,
    text: row.question_text,
    code: row.question_code,
    required: row.question_required,
    settings: questionSettingsSchemas[row.question_type].parse(row.question_settings),
    options,
    retired: row.retired,
    ...(Object.keys(row.translation_sources).length > 0 && { translationSources: row.translation_sources }),
    // The settings were read with the schema of this very type, which the compiler cannot follow over the union.
  } as Question;
}

function toOption(row: OptionRow): Option {
  return {
    code: row.option_code,
    value: row.option_value,
    label: row.option_label,
    order: row.option_order,
    image: row.option_image,
    exclusive: row.option_exclusive,
    other: row.option_other,
    anchor: row.option_anchor,
    missing: row.option_missing,
    retired: row.retired,
  };
}

/** Adds defaults of settings that are newer than the questions. */
const withSettingDefaults = <T extends { questions: readonly Question[] }>(list: T): T => ({
  ...list,
  questions: list.questions.map(
    (question) =>
      ({
        ...question,
        settings: questionSettingsSchemas[question.type].parse(question.settings),
      }) as Question,
  ),
});

/** Adds defaults of fields and settings that are newer than the version. */
function withDefaults(stored: SurveyDefinition): SurveyDefinition {
  const definition = { ...PLAIN_SURVEY, ...stored };
  return {
    ...definition,
    previous: definition.previous && withSettingDefaults(definition.previous),
    blocks: definition.blocks.map((block) => ({ ...PLAIN_BLOCK, ...block })),
    pages: definition.pages.map((page) => withSettingDefaults({ ...PLAIN_PAGE, ...page })),
  };
}
