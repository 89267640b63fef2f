import type { TestApp } from './app.ts';

export interface StoredRow {
  response_status: string;
  status_reason: string | null;
  language: string | null;
  is_preview: boolean;
  answers: Record<string, unknown>;
}

/** Every response of the survey, as it lies in the table. */
export async function storedRows(test: TestApp, surveyId: number): Promise<StoredRow[]> {
  const result: { rows: StoredRow[] } = await test.database.db.raw(
    'SELECT response_status, status_reason, language, is_preview, answers FROM responses WHERE survey_id = ? ORDER BY response_id',
    [surveyId],
  );
  return result.rows;
}
