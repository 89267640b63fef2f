import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { Option, Question } from '../domain/survey/definition.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

/** What of a question its definition does not say. */
interface QuestionHistoryRow {
  /** The highest code that an option of it ever had. */
  highest_option_code: number;
  /** Was part of a published version. */
  published: boolean;
}

interface QuestionToStore {
  question: Question;
  highestOptionCode: number;
}

/** The questions of surveys with their options. Who changes them holds the survey's lock. */
export class QuestionRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  history({ organizationId, surveyId }: SurveyKey, questionId: number): Promise<QuestionHistoryRow | null> {
    return rowOf(
      this.db,
      `SELECT highest_option_code, published FROM questions WHERE organization_id = ? AND survey_id = ? AND question_id = ?`,
      [organizationId, surveyId, questionId],
    );
  }

  async codes({ organizationId, surveyId }: SurveyKey): Promise<string[]> {
    const rows = await rowsOf<{ question_code: string }>(
      this.db,
      `SELECT question_code FROM questions WHERE organization_id = ? AND survey_id = ?`,
      [organizationId, surveyId],
    );
    return rows.map((row) => row.question_code);
  }

  /** Ids for questions that are about to be added, so that what is added can refer to itself. */
  async reserveIds(count: number): Promise<number[]> {
    const rows = await rowsOf<{ id: number }>(
      this.db,
      `SELECT nextval(pg_get_serial_sequence('questions', 'question_id')) AS id FROM generate_series(1, ?)`,
      [count],
    );
    return rows.map((row) => row.id);
  }

  /** After those that are there, in this order, with their options. */
  async add(key: SurveyKey, questions: readonly QuestionToStore[]): Promise<void> {
    const records = questions.map(({ question, highestOptionCode }, index) => ({
      question_id: question.id,
      page_id: question.pageId,
      place: index + 1,
      question_type: question.type,
      question_text: question.text,
      question_code: question.code,
      question_required: question.required,
      question_settings: question.settings,
      highest_option_code: highestOptionCode,
    }));
    await countOf(
      this.db,
      `INSERT INTO questions (organization_id, survey_id, question_id, page_id, question_order, question_type, question_text,
         question_code, question_required, question_settings, highest_option_code)
       SELECT ?, ?, question_id, page_id, place + (SELECT coalesce(max(question_order), 0) FROM questions WHERE survey_id = ?),
         question_type, question_text, question_code, question_required, question_settings, highest_option_code
       FROM json_to_recordset(?::json) AS given (question_id bigint, page_id bigint, place integer, question_type text,
         question_text text, question_code text, question_required boolean, question_settings jsonb, highest_option_code integer)`,
      [key.organizationId, key.surveyId, key.surveyId, JSON.stringify(records)],
    );
    await this.addOptions(
      key,
      questions.flatMap(({ question }) =>
        question.options.map((option) => ({ questionId: question.id, option })),
      ),
    );
  }

  /** On another page it comes last. Its options are replaced only when they are given. */
  async save(
    key: SurveyKey,
    question: Question,
    changed: { moved: boolean; highestOptionCode: number | undefined },
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE questions SET page_id = ?, question_type = ?, question_text = ?, question_code = ?, question_required = ?,
         question_settings = ?, retired = ?, highest_option_code = coalesce(?, highest_option_code),
         question_order = CASE WHEN ? THEN (SELECT max(question_order) + 1 FROM questions WHERE survey_id = ?) ELSE question_order END
       WHERE organization_id = ? AND survey_id = ? AND question_id = ?`,
      [
        question.pageId,
        question.type,
        question.text,
        question.code,
        question.required,
        JSON.stringify(question.settings),
        question.retired,
        changed.highestOptionCode ?? null,
        changed.moved,
        key.surveyId,
        key.organizationId,
        key.surveyId,
        question.id,
      ],
    );
    if (changed.highestOptionCode === undefined) return;
    await countOf(
      this.db,
      `DELETE FROM question_options WHERE organization_id = ? AND survey_id = ? AND question_id = ?`,
      [key.organizationId, key.surveyId, question.id],
    );
    await this.addOptions(
      key,
      question.options.map((option) => ({ questionId: question.id, option })),
    );
  }

  /** Removes those that nobody can have answered; the others stay, retired. `keepAll`: there are data. */
  async removeOrRetire(key: SurveyKey, questionIds: readonly number[], keepAll: boolean): Promise<void> {
    const { organizationId, surveyId } = key;
    await countOf(
      this.db,
      `DELETE FROM questions WHERE organization_id = ? AND survey_id = ? AND question_id = ANY(?::bigint[])
         AND NOT published AND NOT ?`,
      [organizationId, surveyId, questionIds, keepAll],
    );
    await countOf(
      this.db,
      `UPDATE questions SET retired = true WHERE organization_id = ? AND survey_id = ? AND question_id = ANY(?::bigint[])`,
      [organizationId, surveyId, questionIds],
    );
  }

  async setOrder({ organizationId, surveyId }: SurveyKey, questionIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `UPDATE questions q SET question_order = given.place
       FROM unnest(?::bigint[]) WITH ORDINALITY AS given (question_id, place)
       WHERE q.organization_id = ? AND q.survey_id = ? AND q.question_id = given.question_id`,
      [questionIds, organizationId, surveyId],
    );
  }

  /** From now on somebody may answer them. */
  async notePublished({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await countOf(
      this.db,
      `UPDATE questions SET published = true WHERE organization_id = ? AND survey_id = ? AND NOT published AND NOT retired`,
      [organizationId, surveyId],
    );
  }

  /** Those of the given ids that are questions of the survey. */
  async known({ organizationId, surveyId }: SurveyKey, questionIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ question_id: number }>(
      this.db,
      `SELECT question_id FROM questions WHERE organization_id = ? AND survey_id = ? AND question_id = ANY(?::bigint[])`,
      [organizationId, surveyId, questionIds],
    );
    return new Set(rows.map((row) => row.question_id));
  }

  async isOnPage({ organizationId, surveyId }: SurveyKey, pageId: number): Promise<boolean> {
    const row = await rowOf<{ found: boolean }>(
      this.db,
      `SELECT EXISTS (SELECT 1 FROM questions WHERE organization_id = ? AND survey_id = ? AND page_id = ?) AS found`,
      [organizationId, surveyId, pageId],
    );
    return row!.found;
  }

  private async addOptions(key: SurveyKey, options: { questionId: number; option: Option }[]): Promise<void> {
    if (options.length === 0) return;
    const records = options.map(({ questionId, option }) => ({
      question_id: questionId,
      option_code: option.code,
      option_value: option.value,
      option_label: option.label,
      option_order: option.order,
      option_image: option.image,
      option_exclusive: option.exclusive,
      option_other: option.other,
      option_anchor: option.anchor,
      option_missing: option.missing,
      retired: option.retired,
    }));
    await countOf(
      this.db,
      `INSERT INTO question_options (organization_id, survey_id, question_id, option_code, option_value, option_label,
         option_order, option_image, option_exclusive, option_other, option_anchor, option_missing, retired)
       SELECT ?, ?, given.* FROM json_to_recordset(?::json) AS given (question_id bigint, option_code integer, option_value text,
         option_label text, option_order integer, option_image text, option_exclusive boolean, option_other boolean,
         option_anchor boolean, option_missing boolean, retired boolean)`,
      [key.organizationId, key.surveyId, JSON.stringify(records)],
    );
  }
}
