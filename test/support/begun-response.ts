import { expect } from 'vitest';
import type { Test } from 'supertest';
import type { TestApp } from './app.ts';
import type { Actor } from './actors.ts';

/** A response that was begun, as its respondent reaches it. */
interface BegunResponse {
  readonly responseId: number;
  readonly token: string;
  resume(): Test;
  save(answers: object, pageId?: number): Test;
  complete(answers?: object): Test;
}

export async function begin(respondent: Actor, linkToken: string, body: object = {}): Promise<BegunResponse> {
  const reply = await respondent.post(`/api/public/s/${linkToken}/responses`, {
    status: 'partial',
    answers: {},
    ...body,
  });
  expect(reply.status, reply.text).toBe(201);
  const { response_id: responseId, response_token: token } = reply.body.data as {
    response_id: number;
    response_token: string;
  };
  const address = `/api/public/s/${linkToken}/responses/${token}`;
  return {
    responseId,
    token,
    resume: () => respondent.get(address),
    save: (answers, pageId) =>
      respondent.patch(address, { answers, ...(pageId === undefined ? {} : { page_id: pageId }) }),
    complete: (answers = {}) => respondent.post(`${address}/complete`, { answers }),
  };
}

interface StoredRow {
  response_id: number;
  response_status: string;
  status_reason: string | null;
  status_message: string | null;
  answers: Record<string, unknown>;
  [column: string]: unknown;
}

/** A response as it stands in the database. */
export async function storedRow(test: TestApp, responseId: number): Promise<StoredRow> {
  const result = await test.database.db.raw('SELECT * FROM responses WHERE response_id = ?', [responseId]);
  return (result as { rows: StoredRow[] }).rows[0]!;
}
