import type { Test } from 'supertest';

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
