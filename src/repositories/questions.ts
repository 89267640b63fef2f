import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import type { Option, Question } from '../domain/survey/definition.ts';
import type { PageLogic } from '../domain/questions/logic-schema.ts';
import type { Arrangement } from '../domain/survey/blocks.ts';
import { toOptionFields } from '../domain/questions/options.ts';
import { updateOrder } from './list-queries.ts';
import type { QuestionTable, SurveyPageTable } from './tables/surveys.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

const HISTORY_COLUMNS = ['highest_option_code', 'published'] as const;

/** What a definition does not say about a question. */
type QuestionHistoryRow = Pick<QuestionTable, (typeof HISTORY_COLUMNS)[number]>;

interface QuestionToStore {
  question: Question;
  highestOptionCode: number;
}

export interface PageFields {
  title: string | null;
  description: string | null;
  logic: PageLogic | null;
  blockId: number | null;
  arm: string | null;
  arrangement: Arrangement | null;
}

const PAGE_COLUMNS = ['page_id', 'page_title', 'page_description', 'page_logic', 'retired'] as const;

type PageRow = Pick<SurveyPageTable, (typeof PAGE_COLUMNS)[number]>;

/** The pages of surveys, and their questions with options. The caller of a method that writes holds the survey's lock. */
export class QuestionRepository {
  constructor(private readonly db: Database) {}

  async findHistory(
    { organizationId, surveyId }: SurveyKey,
    questionId: number,
  ): Promise<QuestionHistoryRow | null> {
    const row = await this.db('questions')
      .first(...HISTORY_COLUMNS)
      .where({ organization_id: organizationId, survey_id: surveyId, question_id: questionId });
    return row ?? null;
  }

  async listCodes({ organizationId, surveyId }: SurveyKey): Promise<string[]> {
    return this.db('questions')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .pluck('question_code');
  }

  /** Returns ids for questions that are about to be added, so that they can refer to each other. */
  async reserveIds(count: number): Promise<number[]> {
    // Raw SQL: reads the sequence of the key.
    const rows = await queryRows<{ id: number }>(
      this.db,
      `SELECT nextval(pg_get_serial_sequence('questions', 'question_id')) AS id FROM generate_series(1, ?)`,
      [count],
    );
    return rows.map((row) => row.id);
  }

  /** Adds the questions after the existing ones, in this order, with their options. */
  async add(key: SurveyKey, questions: readonly QuestionToStore[]): Promise<void> {
    const records = questions.map(({ question, highestOptionCode }, index) => ({
      question_id: question.id,
      page_id: question.pageId,
      position: index + 1,
      question_type: question.type,
      question_text: question.text,
      question_code: question.code,
      question_required: question.required,
      question_settings: question.settings,
      translation_sources: question.translationSources ?? {},
      highest_option_code: highestOptionCode,
    }));
    // Raw SQL: bulk insert.
    await queryCount(
      this.db,
      `INSERT INTO questions (organization_id, survey_id, question_id, page_id, question_order, question_type, question_text,
         question_code, question_required, question_settings, translation_sources, highest_option_code)
       SELECT ?, ?, question_id, page_id, given.position + (SELECT coalesce(max(question_order), 0) FROM questions WHERE survey_id = ?),
         question_type, question_text, question_code, question_required, question_settings, translation_sources, highest_option_code
       FROM json_to_recordset(?::json) AS given (question_id bigint, page_id bigint, position integer, question_type text,
         question_text text, question_code text, question_required boolean, question_settings jsonb, translation_sources jsonb,
         highest_option_code integer)`,
      [key.organizationId, key.surveyId, key.surveyId, JSON.stringify(records)],
    );
    await this.addOptions(
      key,
      questions.flatMap(({ question }) =>
        question.options.map((option) => ({ questionId: question.id, option })),
      ),
    );
  }

  /** A moved question becomes the last of its new page. Options are replaced only where a `highestOptionCode` is given. */
  async save(
    key: SurveyKey,
    question: Question,
    changed: { moved: boolean; highestOptionCode: number | undefined },
  ): Promise<void> {
    const inQuestion = {
      organization_id: key.organizationId,
      survey_id: key.surveyId,
      question_id: question.id,
    };
    await this.db('questions')
      .where(inQuestion)
      .update({
        page_id: question.pageId,
        question_type: question.type,
        question_text: question.text,
        question_code: question.code,
        question_required: question.required,
        question_settings: JSON.stringify(question.settings),
        translation_sources: JSON.stringify(question.translationSources ?? {}),
        retired: question.retired,
        ...(changed.highestOptionCode !== undefined && { highest_option_code: changed.highestOptionCode }),
        ...(changed.moved && {
          question_order: this.db.raw(
            '(SELECT max(question_order) + 1 FROM questions WHERE survey_id = ?)',
            key.surveyId,
          ),
        }),
      });
    if (changed.highestOptionCode === undefined) return;
    await this.db('question_options').where(inQuestion).delete();
    await this.addOptions(
      key,
      question.options.map((option) => ({ questionId: question.id, option })),
    );
  }

  /** Removes questions that were never published and retires the others. `keepAll`: the survey has data, so all are retired. */
  async removeOrRetire(key: SurveyKey, questionIds: readonly number[], keepAll: boolean): Promise<void> {
    const inQuestions = {
      organization_id: key.organizationId,
      survey_id: key.surveyId,
      question_id: anyOf(this.db, questionIds),
    };
    if (!keepAll)
      await this.db('questions')
        .where({ ...inQuestions, published: false })
        .delete();
    await this.db('questions').where(inQuestions).update({ retired: true });
  }

  async setOrder({ organizationId, surveyId }: SurveyKey, questionIds: readonly number[]): Promise<void> {
    const owner = { organization_id: organizationId, survey_id: surveyId };
    await updateOrder(
      this.db,
      { table: 'questions', idColumn: 'question_id', orderColumn: 'question_order', owner },
      questionIds,
    );
  }

  /** From now on respondents may answer the survey's questions. */
  async markPublished({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await this.db('questions')
      .where({ organization_id: organizationId, survey_id: surveyId, published: false, retired: false })
      .update({ published: true });
  }

  /** Returns those of the ids that are questions of the survey. */
  async filterExisting(
    { organizationId, surveyId }: SurveyKey,
    questionIds: readonly number[],
  ): Promise<Set<number>> {
    const found = await this.db('questions')
      .where({
        organization_id: organizationId,
        survey_id: surveyId,
        question_id: anyOf(this.db, questionIds),
      })
      .pluck('question_id');
    return new Set(found);
  }

  async isOnPage({ organizationId, surveyId }: SurveyKey, pageId: number): Promise<boolean> {
    const row = await this.db('questions')
      .first('question_id')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: pageId });
    return row !== undefined;
  }

  private async addOptions(key: SurveyKey, options: { questionId: number; option: Option }[]): Promise<void> {
    if (options.length === 0) return;
    const records = options.map(({ questionId, option }) => ({
      question_id: questionId,
      ...toOptionFields(option),
      retired: option.retired,
    }));
    // Raw SQL: bulk insert.
    await queryCount(
      this.db,
      `INSERT INTO question_options (organization_id, survey_id, question_id, option_code, option_value, option_label,
         option_order, option_image, option_exclusive, option_other, option_anchor, option_missing, retired)
       SELECT ?, ?, given.* FROM json_to_recordset(?::json) AS given (question_id bigint, option_code integer, option_value text,
         option_label text, option_order integer, option_image text, option_exclusive boolean, option_other boolean,
         option_anchor boolean, option_missing boolean, retired boolean)`,
      [key.organizationId, key.surveyId, JSON.stringify(records)],
    );
  }

  /** In order, with retired pages. */
  async listPages({ organizationId, surveyId }: SurveyKey): Promise<PageRow[]> {
    return this.db('survey_pages')
      .select(...PAGE_COLUMNS)
      .where({ organization_id: organizationId, survey_id: surveyId })
      .orderBy(['page_order', 'page_id']);
  }

  /** Returns ids for pages that are about to be added, so that they can refer to each other. */
  async reservePageIds(count: number): Promise<number[]> {
    // Raw SQL: reads the sequence of the key.
    const rows = await queryRows<{ id: number }>(
      this.db,
      `SELECT nextval(pg_get_serial_sequence('survey_pages', 'page_id')) AS id FROM generate_series(1, ?)`,
      [count],
    );
    return rows.map((row) => row.id);
  }

  /** Adds the pages after the existing ones, in this order. */
  async addPages(
    { organizationId, surveyId }: SurveyKey,
    pages: (PageFields & { id: number })[],
  ): Promise<void> {
    const records = pages.map((page, index) => ({
      page_id: page.id,
      position: index + 1,
      page_title: page.title,
      page_description: page.description,
      page_logic: page.logic,
      block_id: page.blockId,
      shown_to_arm: page.arm,
      page_arrangement: page.arrangement,
    }));
    // Raw SQL: bulk insert.
    await queryCount(
      this.db,
      `INSERT INTO survey_pages (organization_id, survey_id, page_id, page_order, page_title, page_description, page_logic,
         block_id, shown_to_arm, page_arrangement)
       SELECT ?, ?, page_id, given.position + (SELECT coalesce(max(page_order), 0) FROM survey_pages WHERE survey_id = ?), page_title,
              page_description, nullif(page_logic, 'null'), block_id, shown_to_arm, nullif(page_arrangement, 'null')
       FROM json_to_recordset(?::json) AS given (page_id bigint, position integer, page_title text, page_description text, page_logic jsonb,
         block_id bigint, shown_to_arm text, page_arrangement jsonb)`,
      [organizationId, surveyId, surveyId, JSON.stringify(records)],
    );
  }

  async savePage({ organizationId, surveyId }: SurveyKey, pageId: number, page: PageFields): Promise<void> {
    await this.db('survey_pages')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: pageId })
      .update({
        page_title: page.title,
        page_description: page.description,
        page_logic: page.logic === null ? null : JSON.stringify(page.logic),
        block_id: page.blockId,
        shown_to_arm: page.arm,
        page_arrangement: page.arrangement === null ? null : JSON.stringify(page.arrangement),
      });
  }

  /** Asks the questions of the page again. */
  async unretirePages({ organizationId, surveyId }: SurveyKey, pageIds: readonly number[]): Promise<void> {
    await this.db('survey_pages')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: anyOf(this.db, pageIds) })
      .update({ retired: false });
  }

  /** The caller has removed the page's questions. */
  async removePage({ organizationId, surveyId }: SurveyKey, pageId: number): Promise<void> {
    await this.db('survey_pages')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: pageId })
      .delete();
  }

  async retirePages({ organizationId, surveyId }: SurveyKey, pageIds: readonly number[]): Promise<void> {
    await this.db('survey_pages')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: anyOf(this.db, pageIds) })
      .update({ retired: true });
  }

  /** Retired pages that are not in the list keep their order number. */
  async setPageOrder({ organizationId, surveyId }: SurveyKey, pageIds: readonly number[]): Promise<void> {
    const owner = { organization_id: organizationId, survey_id: surveyId };
    await updateOrder(
      this.db,
      { table: 'survey_pages', idColumn: 'page_id', orderColumn: 'page_order', owner },
      pageIds,
    );
  }
}
