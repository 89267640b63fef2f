import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import express from 'express';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendRows } from '../../../src/http/send-reply.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(admin, [Array.from({ length: 40 }, (_, index) => choice(`Q${index + 1}`))]);
  for (let index = 0; index < 60; index += 1)
    await insertResponse(test, survey.surveyId, { answers: { Q1: '1' } });
});

describe('replies of more than 1 KB', () => {
  it.each(['gzip', 'br', 'gzip, deflate, br', 'identity', 'gzip;q=0, br;q=0'])(
    'of an object for a client that accepts %s',
    async (accepted) => {
      const path = `/api/surveys/${survey.surveyId}`;
      const { headers } = await send('GET', path, accepted);
      const expected =
        accepted.includes('q=0') || accepted === 'identity'
          ? undefined
          : accepted.includes('br')
            ? 'br'
            : 'gzip';
      expect(headers['content-encoding']).toBe(expected);
      expect(headers.vary).toMatch(/Accept-Encoding/);
      const etag = String(headers.etag);
      expect(etag).toMatch(expected === undefined ? /^"/ : /^W\/"/);
      await admin.put(path, { survey_name: 'Same' }).set('If-Match', etag).expect(200);
      const head = await send('HEAD', path, accepted);
      expect(head.headers['content-encoding']).toBe(expected);
      expect(head.bytes.length).toBe(0);
    },
  );

  it.each([
    ['a survey', (id: number) => `/api/surveys/${id}`],
    ['rows that are generated while they are sent', (id: number) => `/api/responses/${id}/grid?limit=1000`],
    ['the page of respondents', () => `/s/${survey.linkToken}`],
    [
      'an error',
      (id: number) =>
        `/api/surveys/${id}?${Array.from({ length: 60 }, (_, index) => `unknown_${index}=1`).join('&')}`,
    ],
  ])('are equal with and without compression: %s', async (_, pathOf) => {
    const path = pathOf(survey.surveyId);
    const plain = await send('GET', path, 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const [zipped, brotli] = [await send('GET', path, 'gzip'), await send('GET', path, 'br')];
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(brotli.headers['content-encoding']).toBe('br');
    // Ids, cursors and times differ between requests.
    const withoutIds = (bytes: Buffer) =>
      bytes
        .toString()
        .replace(/[\w-]{16,}/g, '#')
        .replace(/\d{2,}/g, '#');
    expect(withoutIds(gunzipSync(zipped.bytes))).toBe(withoutIds(plain.bytes));
    expect(withoutIds(brotliDecompressSync(brotli.bytes))).toBe(withoutIds(plain.bytes));
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });
});

describe('are not compressed:', () => {
  const isPlain = (reply: { headers: IncomingHttpHeaders }) =>
    expect(reply.headers['content-encoding']).toBeUndefined();

  it('small replies', async () => isPlain(await send('GET', '/api/health', 'gzip')));

  it('accounts, keys and sessions, whatever their size', async () => {
    for (const path of ['/api/users?limit=100', '/api/api-keys', '/api/sessions'])
      isPlain(await send('GET', path, 'gzip'));
    const name = 'n'.repeat(90);
    isPlain(await send('POST', '/api/api-keys', 'gzip', { key_name: name }));
    const login = { user_email: `${'x'.repeat(2_000)}@o.example`, user_password: 'wrong' };
    isPlain(await send('POST', '/api/auth', 'gzip', login));
  });

  it('JSON with the field of a secret', async () => {
    const path = `/api/surveys/${survey.surveyId}/links`;
    for (let index = 0; index < 6; index += 1)
      await admin.post(path, { link_name: `Link ${index}` }).expect(201);
    const reply = await send('GET', path, 'gzip');
    isPlain(reply);
    expect(reply.bytes.length).toBeGreaterThan(1_024);
    expect(reply.bytes.toString()).toContain('_token":"');
  });

  it('workbooks, and streams of events, which begin at once', async () => {
    isPlain(await send('POST', `/api/responses/${survey.surveyId}/export`, 'gzip', { format: 'xlsx' }));
    const { reply, end } = await open('GET', `/api/surveys/${survey.surveyId}/events`, 'gzip');
    expect(reply.headers['content-type']).toContain('text/event-stream');
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(String(await firstChunk(reply))).toContain('retry');
    end();
  });
});

it('a disconnected client ends the source of a compressed reply, whose rows were sent as they came', async () => {
  let hasEnded = false;
  const rows = (async function* () {
    try {
      for (let row = 0; ; row += 1) {
        yield `{"row":${row},"text":"${'abc'.repeat(400)}"}`;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } finally {
      hasEnded = true;
    }
  })();
  const app = express();
  app.get('/', async (_request, response) => {
    await sendRows({ response, status: 200, reply: { head: {}, rows }, timeoutMs: 60_000, spool: {} });
  });
  const server = createServer(app).listen(0);
  const sending = request({
    port: (server.address() as AddressInfo).port,
    headers: { 'Accept-Encoding': 'gzip' },
  });
  sending.end();
  const reply = await new Promise<IncomingMessage>((resolve) => sending.on('response', resolve));
  expect(reply.headers['content-encoding']).toBe('gzip');
  expect(String(await firstChunk(reply.pipe(createGunzip())))).toMatch(
    /^\{"success":1,"data":\{"rows":\[\{"row":0/,
  );
  sending.on('error', () => undefined).destroy();
  await expect.poll(() => hasEnded).toBe(true);
  server.close();
});

/** Sends a request as the admin and returns the reply before its body. */
async function open(method: string, path: string, encoding: string, body?: object) {
  const { port } = test.server!.address() as AddressInfo;
  const headers = {
    'X-API-Key': admin.apiKey!,
    'Content-Type': 'application/json',
    'Accept-Encoding': encoding,
  };
  const sending = request({ port, path, method, headers });
  const reply = new Promise<IncomingMessage>((resolve, reject) =>
    sending.on('response', resolve).on('error', reject),
  );
  sending.end(body === undefined ? undefined : JSON.stringify(body));
  return { reply: await reply, end: () => sending.destroy() };
}

/** Returns the reply as it was sent, not decompressed. */
async function send(method: string, path: string, encoding: string, body?: object) {
  const { reply } = await open(method, path, encoding, body);
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  return { headers: reply.headers, bytes: Buffer.concat(parts) };
}

const firstChunk = (stream: NodeJS.ReadableStream): Promise<Buffer> =>
  new Promise((resolve, reject) => stream.once('data', resolve).once('error', reject));
