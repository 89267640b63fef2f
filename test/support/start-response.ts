import type { Test } from 'supertest';
import type { Actor } from './actors.ts';

/** A started response and the requests of its respondent. */
export interface StartedResponse {
  readonly responseId: number;
  readonly linkToken: string;
  readonly token: string;
  /** The path of the response, with its secret token. */
  readonly address: string;
  resume(): Test;
  save(answers: object, pageId?: number): Test;
  complete(answers?: object): Test;
  upload(questionCode: string, content: Buffer, fileName: string, contentType?: string): Test;
}

/** Starts a response. `body`: additional fields of the first request. */
export async function startResponse(
  respondent: Actor,
  linkToken: string,
  body: object = {},
): Promise<StartedResponse> {
  const reply = await respondent
    .post(`/api/public/s/${linkToken}/responses`, { status: 'partial', answers: {}, ...body })
    .expect(201);
  const { response_id: responseId, response_token: token } = reply.body.data as {
    response_id: number;
    response_token: string;
  };
  const address = `/api/public/s/${linkToken}/responses/${token}`;
  return {
    responseId,
    linkToken,
    token,
    address,
    resume: () => respondent.get(address),
    save: (answers, pageId) =>
      respondent.patch(address, { answers, ...(pageId === undefined ? {} : { page_id: pageId }) }),
    complete: (answers = {}) => respondent.post(`${address}/complete`, { answers }),
    upload: (questionCode, content, fileName, contentType = 'application/octet-stream') =>
      respondent
        .post(`${address}/files`)
        .field('question_code', questionCode)
        .attach('file', content, { filename: fileName, contentType }),
  };
}
