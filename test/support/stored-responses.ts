import type { TestApp } from './app.ts';

/** Inserts a response into the table, bypassing the API, and returns its id. */
export async function insertResponse(
  test: TestApp,
  surveyId: number,
  response: {
    answers?: Record<string, unknown>;
    status?: string;
    linkId?: number;
    isTest?: boolean;
  } = {},
): Promise<number> {
  const result: { rows: { response_id: number }[] } = await test.database.db.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, link_id, is_test, answers)
     VALUES (?, md5(random()::text), ?, 1, ?, ?, ?) RETURNING response_id`,
    [
      surveyId,
      response.status ?? 'complete',
      response.linkId ?? null,
      response.isTest ?? false,
      JSON.stringify(response.answers ?? {}),
    ],
  );
  return result.rows[0]!.response_id;
}

/** Some columns of a stored response. */
interface StoredResponse {
  response_id: number;
  response_status: string;
  status_reason: string | null;
  end_reason: string | null;
  language: string | null;
  is_preview: boolean;
  answers: Record<string, unknown>;
  [column: string]: unknown;
}

export async function readStoredResponse(test: TestApp, responseId: number): Promise<StoredResponse> {
  const result = await test.database.db.raw('SELECT * FROM responses WHERE response_id = ?', [responseId]);
  return (result as { rows: StoredResponse[] }).rows[0]!;
}

/** Reads all responses of the survey in the order of their ids. */
export async function readStoredResponses(test: TestApp, surveyId: number): Promise<StoredResponse[]> {
  const result: { rows: StoredResponse[] } = await test.database.db.raw(
    'SELECT * FROM responses WHERE survey_id = ? ORDER BY response_id',
    [surveyId],
  );
  return result.rows;
}
