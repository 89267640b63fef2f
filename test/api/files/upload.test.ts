import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse, type StartedResponse } from '../../support/start-response.ts';
import { fileQuestion, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { countFileRows, storedFiles, uploadFile } from '../../support/uploaded-files.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import {
  DOCX,
  GIF,
  HTML,
  JPEG_START,
  PDF,
  PNG,
  SVG,
  WINDOWS_PROGRAM,
  XML_SVG,
  zipStart,
} from '../../support/sample-files.ts';

const test = useApp();
const author = useOrganization(test).admin;
let survey: PublishedSurvey;
let response: StartedResponse;
let server: Server;

beforeAll(async () => {
  survey = await publishedSurvey(author, [
    [
      fileQuestion('ONE', { max_size_mb: 1 }),
      fileQuestion('MANY', { max_files: 3 }),
      fileQuestion('NAMED', {
        max_files: 20,
        allowed_extensions: ['csv', 'txt', 'zip', 'svg', 'html', 'jpg'],
      }),
      text('WORDS'),
    ],
  ]);
  server = createServer(test.app);
  await new Promise<void>((resolve) => server.listen(0, resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  response = await startResponse(anonymous(test), survey.linkToken);
});

/** Sends these very bytes as the body. */
const raw = (body: string | Buffer, contentType = 'multipart/form-data; boundary=b') =>
  supertest(test.app).post(`${response.address}/files`).set('Content-Type', contentType).send(body);

const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const filePart = (content: string, name = 'x.png') =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png`, content);

async function leavesNothing(work: () => Promise<unknown>): Promise<void> {
  const before = [storedFiles(test), await countFileRows(test)];
  await work();
  expect([storedFiles(test), await countFileRows(test)]).toEqual(before);
}

describe('uploading a file', () => {
  it('stores its name, detects its type from the content and counts it', async () => {
    const reply = await response.upload('ONE', PNG, 'Me & my cat.PNG', 'text/html').expect(201);
    expect(reply.body.data).toEqual({
      file_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      question_code: 'ONE',
      file_name: 'Me & my cat.png',
      content_type: 'image/png',
      size_bytes: PNG.length,
    });
    expect(storedFiles(test).some((name) => name.includes(reply.body.data.file_id))).toBe(false);
  });

  it.each([
    [PDF, 'a.pdf', 'application/pdf', 'MANY'],
    [GIF, 'a.gif', 'image/gif', 'MANY'],
    [JPEG_START, 'photo.jpeg', 'image/jpeg', 'MANY'],
    [JPEG_START, 'photo.JPE', 'image/jpeg', 'NAMED'],
    [DOCX, 'cv.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'MANY'],
    [zipStart('_rels/.rels', 'x'), 'cv.odt', 'application/vnd.oasis.opendocument.text', 'MANY'],
    [zipStart('a.txt', 'x'), 'all.zip', 'application/zip', 'NAMED'],
    [Buffer.from('a,b\r\n1,é\r\n'), 'data.csv', 'text/csv; charset=utf-8', 'NAMED'],
    [Buffer.from('BMW is not a picture'), 'cars.txt', 'text/plain; charset=utf-8', 'NAMED'],
    [HTML, 'notes.txt', 'text/plain; charset=utf-8', 'NAMED'],
  ])('%# is accepted by its content', async (content, name, contentType, question) => {
    const reply = await response.upload(question, content, name).expect(201);
    expect(reply.body.data).toMatchObject({ content_type: contentType, size_bytes: content.length });
  });

  it.each([
    ['../../../etc/cron.d/evil.png', 'evil.png'],
    ['C:\\Users\\me\\cat.png', 'cat.png'],
    ['no extension', 'no extension.png'],
    ['photo\u202egnp.png', 'photognp.png'],
    ['naïve 猫.png', 'naïve 猫.png'],
    ['a:b*c?.png', 'a_b_c_.png'],
    [`${'x'.repeat(900)}.png`, `${'x'.repeat(176)}.png`],
    ['..png', 'png.png'],
  ])('ignores the declared type: %j', async (given, keptFile) => {
    const reply = await response.upload('ONE', PNG, given).expect(201);
    expect(reply.body.data.file_name).toBe(keptFile);
  });

  it('stores a repeated upload once', async () => {
    const first = await response.upload('ONE', PNG, 'a.png').expect(201);
    const rows = await countFileRows(test);
    const files = storedFiles(test);
    const repeated = await response.upload('ONE', PNG, 'a.png').expect(200);
    expect(repeated.body.data).toEqual(first.body.data);
    expect([await countFileRows(test), storedFiles(test)]).toEqual([rows, files]);
  });

  it('stops at the maximum number and accepts another after a deletion', async () => {
    const id = await uploadFile(response, 'ONE', PNG, 'a.png');
    await leavesNothing(() => expectRefused(response.upload('ONE', PNG, 'b.png'), 409, 'too_many_files'));
    await leavesNothing(() => expectRefused(response.upload('ONE', PDF, 'a.pdf'), 409, 'too_many_files'));
    await supertest(test.app).delete(`${response.address}/files/${id}`).expect(204);
    await uploadFile(response, 'ONE', PDF, 'b.pdf');
    const { body } = await supertest(test.app).get(`${response.address}/files`).expect(200);
    expect(body.data.map((file: { file_name: string }) => file.file_name)).toEqual(['b.pdf']);
  });

  it('never exceeds the maximum number with concurrent uploads', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => Buffer.concat([PNG, Buffer.from([index])]));
    const replies = await Promise.all(
      contents.map((content, index) => response.upload('MANY', content, `${index}.png`)),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const { body } = await supertest(test.app).get(`${response.address}/files`).expect(200);
    expect(body.data).toHaveLength(3);
  });

  it('accepts a file of exactly the maximum size', async () => {
    const content = Buffer.concat([PNG, Buffer.alloc(1024 * 1024 - PNG.length)]);
    await response.upload('ONE', content, 'full.png').expect(201);
    const other = await startResponse(anonymous(test), survey.linkToken);
    await leavesNothing(() =>
      expectRefused(other.upload('ONE', Buffer.concat([content, Buffer.alloc(1)]), 'over.png'), 413),
    );
  });
});

describe('a rejected file is not stored', () => {
  it.each([
    ['HTML declared as a picture', HTML, 'x.png', 'ONE'],
    ['SVG declared as a picture', SVG, 'x.png', 'ONE'],
    ['SVG with an XML declaration declared as a picture', XML_SVG, 'x.png', 'ONE'],
    ['a picture named HTML', PNG, 'x.html', 'ONE'],
    ['a polyglot of GIF and HTML named HTML', Buffer.concat([GIF, HTML]), 'x.html', 'NAMED'],
    ['SVG, even if the question allows it', SVG, 'x.svg', 'NAMED'],
    ['HTML, even if the question allows it', HTML, 'x.html', 'NAMED'],
    ['an executable', WINDOWS_PROGRAM, 'x.exe', 'ONE'],
    ['an executable named as a picture', WINDOWS_PROGRAM, 'x.png', 'ONE'],
    ['an executable without an extension', WINDOWS_PROGRAM, 'setup', 'ONE'],
    ['a Java archive named ZIP', zipStart('META-INF/MANIFEST.MF', 'x'), 'x.zip', 'NAMED'],
    ['a picture named as another type', PNG, 'x.gif', 'ONE'],
    ['a picture with two extensions', PNG, 'x.png.exe', 'ONE'],
    ['an archive that the question does not allow', zipStart('a.txt', 'x'), 'x.zip', 'ONE'],
    ['a type that the question does not allow', PDF, 'x.pdf', 'NAMED'],
    ['a text that the question does not allow', Buffer.from('a,b'), 'x.csv', 'ONE'],
    ['a text that is not UTF-8', Buffer.from([0x61, 0xe9, 0x2c]), 'x.csv', 'NAMED'],
    ['a text truncated within a character', Buffer.from([0x61, 0xc3]), 'x.csv', 'NAMED'],
    ['a text with NUL', Buffer.from('a\0b'), 'x.txt', 'NAMED'],
    [
      'a text with binary data at its end',
      Buffer.concat([Buffer.alloc(200_000, 97), Buffer.from([0])]),
      'x.txt',
      'NAMED',
    ],
    ['bytes of an unknown type', Buffer.from([1, 2, 3, 4]), 'x.png', 'ONE'],
    ['0 bytes', Buffer.alloc(0), 'x.png', 'ONE'],
  ])('%s', async (_, content, name, question) => {
    await leavesNothing(() => expectInvalidField(response.upload(question, content, name), 'file'));
  });

  it('rejects a question of another type and an unknown one', async () => {
    await leavesNothing(() => expectInvalidField(response.upload('WORDS', PNG, 'x.png'), 'question_code'));
    await leavesNothing(() => expectInvalidField(response.upload('NOWHERE', PNG, 'x.png'), 'question_code'));
    await leavesNothing(() =>
      expectInvalidField(response.upload('__proto__', PNG, 'x.png'), 'question_code'),
    );
  });

  it('rejects a foreign link or token, and uploads after completion', async () => {
    const other = await publishedSurvey(author, [[fileQuestion('ONE')]]);
    const attach = (address: string) =>
      supertest(test.app).post(`${address}/files`).field('question_code', 'ONE').attach('file', PNG, 'x.png');
    const token = response.address.split('/').at(-1)!;
    await leavesNothing(async () => {
      await expectRefused(attach(`/api/public/s/${other.linkToken}/responses/${token}`), 404);
      await expectRefused(attach(`/api/public/s/${survey.linkToken}/responses/${'A'.repeat(32)}`), 404);
      await expectRefused(attach(`/api/public/s/${'B'.repeat(24)}/responses/${token}`), 404);
    });
    await response.complete().expect(200);
    await leavesNothing(() => expectRefused(attach(response.address), 409, 'response_ended'));
  });
});

describe('an invalid body', () => {
  it('is rejected if it is not multipart', async () => {
    await expectRefused(raw('{}', 'application/json'), 415);
    await expectRefused(raw('x', 'text/plain'), 415);
    await expectRefused(raw('x', 'multipart/form-data'), 415);
    await expectRefused(supertest(test.app).post(`${response.address}/files`), 415);
  });

  it.each([
    ['an empty body', ''],
    ['no boundary', 'hello'],
    ['no file', `${field('question_code', 'ONE')}--b--\r\n`],
    ['a file without a name', `${field('question_code', 'ONE')}${field('file', 'x')}--b--\r\n`],
    ['the file before the question', `${filePart('x')}${field('question_code', 'ONE')}--b--\r\n`],
    ['no question', `${filePart('x')}--b--\r\n`],
    ['an unknown field', `${field('question_code', 'ONE')}${field('is_test', '1')}${filePart('x')}--b--\r\n`],
    [
      'a prototype key',
      `${field('question_code', 'ONE')}${field('__proto__', '1')}${filePart('x')}--b--\r\n`,
    ],
    ['an object instead of a text', `${field('question_code[a]', 'ONE')}${filePart('x')}--b--\r\n`],
    [
      'a repeated question',
      `${field('question_code', 'ONE')}${field('question_code', 'MANY')}${filePart('x')}--b--\r\n`,
    ],
    ['a very long field', `${field('question_code', 'x'.repeat(5_000))}${filePart('x')}--b--\r\n`],
    ['malformed headers', `--b\r\nContent-Disposition form-data name=file\r\n\r\nx\r\n--b--\r\n`],
    ['NUL in the name', `${field('question_code', 'ONE')}${filePart('x', 'a\0.png')}--b--\r\n`],
  ])('is rejected with %s', async (_, body) => {
    await leavesNothing(() => expectRefused(raw(body), 400, 'validation_failed'));
  });

  const png = PNG.toString('latin1');
  it.each([
    ['without its end', `${field('question_code', 'ONE')}${filePart(png).slice(0, -2)}`],
    ['with a second file', `${field('question_code', 'ONE')}${filePart(png)}${filePart(png)}--b--\r\n`],
    [
      'with a field after the file',
      `${field('question_code', 'ONE')}${filePart(png)}${field('question_code', 'MANY')}--b--\r\n`,
    ],
    [
      'with too many fields',
      `${field('question_code', 'ONE')}${filePart(png)}${field('x', '1').repeat(50)}--b--\r\n`,
    ],
  ])('is rejected %s, despite a valid file', async (_, body) => {
    await leavesNothing(() => expectRefused(raw(Buffer.from(body, 'latin1')), 400, 'validation_failed'));
  });

  it('is rejected before it is sent if its announced size exceeds every limit', async () => {
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({
        port: (server.address() as AddressInfo).port,
        method: 'POST',
        path: `${response.address}/files`,
        headers: { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': 200 * 1024 * 1024 },
      });
      sent.on('response', (reply) => resolve(reply.statusCode)).on('error', reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
  });
});

describe('an upload in progress', () => {
  /** Begins an upload and gives the open request. */
  function begin(content: Buffer) {
    const sent = httpRequest({
      port: (server.address() as AddressInfo).port,
      method: 'POST',
      path: `${response.address}/files`,
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    const body = field('question_code', 'ONE') + filePart('').slice(0, -2);
    sent.write(Buffer.concat([Buffer.from(body), content]));
    return sent;
  }

  it('leaves nothing behind when the connection is lost', async () => {
    await leavesNothing(async () => {
      const rows = await countFileRows(test);
      const sent = begin(Buffer.concat([PNG, Buffer.alloc(300_000)]));
      sent.on('error', () => undefined);
      for (let tries = 0; tries < 100 && (await countFileRows(test)) === rows; tries += 1) await sleep(20);
      expect(await countFileRows(test)).toBe(rows + 1);
      sent.destroy();
      for (let tries = 0; tries < 100 && (await countFileRows(test)) !== rows; tries += 1) await sleep(20);
    });
  });

  it('is rejected without waiting for the rest if it is too large', async () => {
    await leavesNothing(async () => {
      const sent = begin(Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]));
      const status = await new Promise((resolve) => {
        sent.on('response', (reply) => resolve(reply.statusCode)).on('error', () => resolve('cut'));
      });
      expect(status).toBe(413);
      sent.destroy();
    });
  });
});
