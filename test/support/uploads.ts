import { existsSync, readdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import supertest, { type Test } from 'supertest';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/** A response that has begun, and what its respondent does with files. */
export interface BegunResponse {
  linkToken: string;
  responseId: number;
  /** Of the response, with its secret token. */
  address: string;
  upload(questionCode: string, content: Buffer, fileName: string, contentType?: string): Test;
  save(answers: object): Test;
  complete(answers?: object): Test;
}

export async function beginResponse(test: TestApp, linkToken: string): Promise<BegunResponse> {
  const begun = await supertest(test.app)
    .post(`/api/public/s/${linkToken}/responses`)
    .send({ submission_id: randomUUID(), answers: {}, status: 'partial' });
  expect(begun.status, begun.text).toBe(201);
  const { response_id: responseId, response_token: responseToken } = begun.body.data as {
    response_id: number;
    response_token: string;
  };
  const address = `/api/public/s/${linkToken}/responses/${responseToken}`;
  return {
    linkToken,
    responseId,
    address,
    upload: (questionCode, content, fileName, contentType = 'application/octet-stream') =>
      supertest(test.app)
        .post(`${address}/files`)
        .field('question_code', questionCode)
        .attach('file', content, { filename: fileName, contentType }),
    save: (answers) => supertest(test.app).patch(address).send({ answers }),
    complete: (answers = {}) => supertest(test.app).post(`${address}/complete`).send({ answers }),
  };
}

/** Uploads and gives the file's id. */
export async function uploaded(
  response: BegunResponse,
  questionCode: string,
  content: Buffer,
  fileName: string,
): Promise<string> {
  const reply = await response.upload(questionCode, content, fileName);
  expect(reply.status, reply.text).toBe(201);
  return (reply.body as { data: { file_id: string } }).data.file_id;
}

/** Every stored file, whole or not. */
export function storedFiles(test: TestApp): string[] {
  const folder = path.join(test.container.config.dataDir, 'files');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => path.basename(name).length > 2);
}

export async function fileRows(test: TestApp): Promise<number> {
  const result: { rows: { count: number }[] } = await test.database.db.raw(
    'SELECT count(*) FROM response_files',
  );
  return result.rows[0]!.count;
}

export const fileQuestion = (question_code: string, question_settings: object = {}): object => ({
  question_type: 'file_upload',
  question_code,
  question_text: `A file for ${question_code}?`,
  question_settings,
});
