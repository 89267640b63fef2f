import type { Test } from 'supertest';
import type { Actor } from './actors.ts';

/** A multipart body: fields first, then the file, as imports want it. */
export function withFile(
  request: Test,
  content: Buffer | string,
  fields: Record<string, string> = {},
  filename = 'data.bin',
): Test {
  for (const [name, value] of Object.entries(fields)) request.field(name, value);
  return request.attach('file', Buffer.from(content), { filename });
}

/** A reply's body as it came. */
export function asBytes(request: Test): Test {
  return request.buffer(true).parse((response, done) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => done(null, Buffer.concat(parts)));
  });
}

/** A file of responses, as the export's endpoint gives it. */
export async function exportResponses(author: Actor, surveyId: number, body: object) {
  const reply = await asBytes(author.post(`/api/responses/${surveyId}/export`, body));
  return {
    status: reply.status,
    headers: reply.headers as Record<string, string>,
    file: reply.body as Buffer,
  };
}
