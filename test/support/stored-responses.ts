import type { TestApp } from './app.ts';

/** A response written straight into the table, as if it had been collected. */
export async function storeResponse(
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
