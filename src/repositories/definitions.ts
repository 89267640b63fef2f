import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';
import type { Option, Page, Question, SurveyDefinition } from '../domain/survey/definition.ts';
import type { PageLogic } from '../domain/survey/logic/logic.ts';
import { withCarriedOptions } from '../domain/survey/questions/carried-options.ts';
import { questionSettingsSchemas } from '../domain/survey/questions/question-settings.ts';
import type { QuestionType } from '../domain/survey/questions/question-types.ts';
import { notFound } from '../lib/errors.ts';

/** What the author sees now, and the revision it was read at. */
export interface Draft {
  revision: number;
  definition: SurveyDefinition;
}

interface PageJson {
  page_id: number;
  page_title: string | null;
  page_description: string | null;
  page_logic: PageLogic | null;
  retired: boolean;
}

interface QuestionJson {
  question_id: number;
  page_id: number;
  question_type: QuestionType;
  question_text: string;
  question_code: string;
  question_required: boolean;
  question_settings: unknown;
  retired: boolean;
}

interface OptionJson {
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

interface DraftRow {
  survey_name: string;
  survey_description: string | null;
  revision: number;
  published_version: number | null;
  pages: PageJson[];
  questions: QuestionJson[];
  options: OptionJson[];
}

/** Surveys as the domain sees them: the author's draft, and what was frozen for respondents. */
export class DefinitionRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** The author's definition, retired pages, questions and options included; its version is the newest published one, or 0. */
  async draft(surveyId: number): Promise<SurveyDefinition> {
    return (await this.draftWithRevision(surveyId)).definition;
  }

  /** Returns the definition without carried options (withCarriedOptions), for services that change or copy it. */
  async storedDraft(surveyId: number): Promise<SurveyDefinition> {
    return definitionOf(surveyId, await this.draftRow(surveyId));
  }

  async draftWithRevision(surveyId: number): Promise<Draft> {
    const row = await this.draftRow(surveyId);
    return { revision: row.revision, definition: withCarriedOptions(definitionOf(surveyId, row)) };
  }

  /** One statement, so that pages, questions and options are of the same moment. */
  private async draftRow(surveyId: number): Promise<DraftRow> {
    const row = await rowOf<DraftRow>(
      this.db,
      `SELECT survey_name, survey_description, revision, published_version,
         (SELECT coalesce(json_agg(p ORDER BY page_order, page_id), '[]') FROM (
            SELECT page_id, page_order, page_title, page_description, page_logic, retired
            FROM survey_pages WHERE survey_id = s.survey_id) p) AS pages,
         (SELECT coalesce(json_agg(q ORDER BY question_order, question_id), '[]') FROM (
            SELECT question_id, question_order, page_id, question_type, question_text, question_code, question_required,
                   question_settings, retired
            FROM questions WHERE survey_id = s.survey_id) q) AS questions,
         (SELECT coalesce(json_agg(o ORDER BY question_id, option_order, option_code), '[]') FROM (
            SELECT question_id, option_code, option_value, option_label, option_order, option_image, option_exclusive,
                   option_other, option_anchor, option_missing, retired
            FROM question_options WHERE survey_id = s.survey_id) o) AS options
       FROM surveys s WHERE survey_id = ?`,
      [surveyId],
    );
    if (row === null) throw notFound('survey');
    return row;
  }

  /** What respondents of this version were asked; null when there is no such version. */
  async published(surveyId: number, version: number): Promise<SurveyDefinition | null> {
    const row = await rowOf<{ definition: SurveyDefinition }>(
      this.db,
      `SELECT definition FROM survey_versions WHERE survey_id = ? AND version = ?`,
      [surveyId, version],
    );
    return row === null ? null : withDefaults(row.definition);
  }

  /** Stores the definition as the version it says. */
  async freeze(organizationId: number, publishedBy: number, definition: SurveyDefinition): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO survey_versions (organization_id, survey_id, version, definition, published_by) VALUES (?, ?, ?, ?, ?)`,
      [organizationId, definition.surveyId, definition.version, JSON.stringify(definition), publishedBy],
    );
  }
}

function definitionOf(surveyId: number, row: DraftRow): SurveyDefinition {
  const optionsByQuestion = new Map<number, Option[]>();
  for (const option of row.options) {
    const list = optionsByQuestion.get(option.question_id) ?? [];
    optionsByQuestion.set(option.question_id, list);
    list.push(optionOf(option));
  }
  const questionsByPage = new Map<number, Question[]>();
  for (const question of row.questions) {
    const list = questionsByPage.get(question.page_id) ?? [];
    questionsByPage.set(question.page_id, list);
    list.push(questionOf(question, optionsByQuestion.get(question.question_id) ?? []));
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
      retired: page.retired,
      questions: questionsByPage.get(page.page_id) ?? [],
    })),
  };
}

function questionOf(row: QuestionJson, options: Option[]): Question {
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
    // The settings were read with the schema of this very type, which the compiler cannot follow over the union.
  } as Question;
}

function optionOf(row: OptionJson): Option {
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

/** A version may be older than a setting: those that it lacks have their defaults. */
function withDefaults(definition: SurveyDefinition): SurveyDefinition {
  return {
    ...definition,
    pages: definition.pages.map((page) => ({
      ...page,
      questions: page.questions.map(
        (question) =>
          ({
            ...question,
            settings: questionSettingsSchemas[question.type].parse(question.settings),
          }) as Question,
      ),
    })),
  };
}
