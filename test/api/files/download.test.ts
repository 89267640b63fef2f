import { createHash, randomUUID } from 'node:crypto';
import supertest, { type Test } from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromBuffer } from 'yauzl';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse, type StartedResponse } from '../../support/start-response.ts';
import { fileQuestion, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { uploadFile } from '../../support/uploaded-files.ts';
import { INVALID_IDS, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { GIF, HTML, PDF, PNG } from '../../support/sample-files.ts';

const test = useApp();
const organization = useOrganization(test);
const author = organization.admin;
let survey: PublishedSurvey;
const POLYGLOT = Buffer.concat([GIF, HTML]);

/** One complete response with two files and one with one, one partial with one. */
let complete: StartedResponse;
let partial: StartedResponse;
let ids: { photo: string; paper: string; other: string; partial: string; unnamed: string };

beforeAll(async () => {
  survey = await publishedSurvey(author, [
    [fileQuestion('PHOTO', { max_files: 5 }), fileQuestion('PAPER'), text('WORDS')],
  ]);
  complete = await startResponse(anonymous(test), survey.linkToken);
  const photo = await uploadFile(complete, 'PHOTO', POLYGLOT, '=cmd|calc.gif');
  const unnamed = await uploadFile(complete, 'PHOTO', PNG, 'changed my mind.png');
  const paper = await uploadFile(complete, 'PAPER', PDF, 'naïve "paper".pdf');
  await complete.complete({ PHOTO: [photo], PAPER: [paper], WORDS: 'yes' }).expect(200);
  const second = await startResponse(anonymous(test), survey.linkToken);
  const other = await uploadFile(second, 'PHOTO', PNG, '=cmd|calc.gif.png');
  await second.complete({ PHOTO: [other], WORDS: 'no' }).expect(200);
  partial = await startResponse(anonymous(test), survey.linkToken);
  const partialFileId = await uploadFile(partial, 'PHOTO', PNG, 'so far.png');
  await partial.save({ PHOTO: [partialFileId] }).expect(200);
  ids = { photo, paper, other, partial: partialFileId, unnamed };
});

const files = (rest = '') => `/api/responses/${survey.surveyId}/files${rest}`;
const bytes = (request: Test) =>
  request.buffer(true).parse((reply, done) => {
    const chunks: Buffer[] = [];
    reply.on('data', (chunk: Buffer) => chunks.push(chunk));
    reply.on('end', () => done(null, Buffer.concat(chunks)));
  });

describe('a file download', () => {
  it('returns the uploaded bytes as an attachment', async () => {
    const reply = await bytes(author.get(files(`/${ids.photo}`))).expect(200);
    expect(reply.body).toEqual(POLYGLOT);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/gif',
      'content-length': String(POLYGLOT.length),
      'content-disposition': `attachment; filename="=cmd_calc.gif"; filename*=UTF-8''%3Dcmd_calc.gif`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    });
  });

  it('preserves a file name in another script', async () => {
    const reply = await author.get(files(`/${ids.paper.toUpperCase()}`)).expect(200);
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="na_ve _paper_.pdf"; filename*=UTF-8''na%C3%AFve%20_paper_.pdf`,
    );
  });

  it('returns 404 before an answer refers to it, in another survey, and for an unknown id', async () => {
    await expectRefused(author.get(files(`/${ids.unnamed}`)), 404);
    const other = await publishedSurvey(author, [[fileQuestion('PHOTO')]]);
    await expectRefused(author.get(`/api/responses/${other.surveyId}/files/${ids.photo}`), 404);
    await expectRefused(author.get(files('/0b0e5c3e-6f5b-4c6e-9d5a-1f2e3d4c5b6a')), 404);
    for (const id of INVALID_IDS) await expectRefused(author.get(files(`/${id}`)), 400);
  });

  it('returns 404 if the storage has lost it', async () => {
    const response = await startResponse(anonymous(test), survey.linkToken);
    const id = await uploadFile(response, 'PHOTO', PNG, 'lost.png');
    await response.save({ PHOTO: [id] }).expect(200);
    await test.database.db('response_files').where({ file_id: id }).update({ stored_name: randomUUID() });
    await expectRefused(author.get(files(`/${id}`)), 404);
    await supertest(test.app).delete(`${response.address}/files/${id}`).expect(204);
  });

  it('returns 404 after its response is deleted', async () => {
    const response = await startResponse(anonymous(test), survey.linkToken);
    const id = await uploadFile(response, 'PHOTO', PNG, 'short-lived.png');
    await response.save({ PHOTO: [id] }).expect(200);
    await author.get(files(`/${id}`)).expect(200);
    await test.database.db.raw('UPDATE responses SET deleted_at = now() WHERE response_id = ?', [
      response.responseId,
    ]);
    await expectRefused(author.get(files(`/${id}`)), 404);
    const list = await author.get(files()).expect(200);
    expect(list.body.data.map((file: { file_id: string }) => file.file_id)).not.toContain(id);
  });
});

describe('callers without access to the responses', () => {
  it('get 404 or 403', async () => {
    const otherAdmin = (await newOrganization(test)).admin;
    const client = await organization.addUser('client');
    for (const address of [files(), files(`/${ids.photo}`), files('/archive')]) {
      await expectRefused(otherAdmin.get(address), 404);
      await expectRefused(client.get(address), 403);
      await expectRefused(anonymous(test).get(address), 401);
    }
  });
});

describe('the file list', () => {
  it('lists uploaded files by response', async () => {
    const { body } = await author.get(files()).expect(200);
    const shown = body.data as { file_id: string; response_id: number }[];
    expect(new Set(shown.map((file) => file.file_id))).toEqual(
      new Set([ids.photo, ids.paper, ids.other, ids.partial]),
    );
    expect(shown.map((file) => file.response_id)).toEqual(
      shown.map((file) => file.response_id).sort((a, b) => a - b),
    );
    expect(body.meta).toEqual({ limit: 1000, next_cursor: null, total: 4 });
    expect(shown.find((file) => file.file_id === ids.photo)).toEqual({
      file_id: ids.photo,
      response_id: complete.responseId,
      question_code: 'PHOTO',
      file_name: '=cmd_calc.gif',
      content_type: 'image/gif',
      size_bytes: POLYGLOT.length,
      sha256: createHash('sha256').update(POLYGLOT).digest('hex'),
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('pages without repeating or omitting files', async () => {
    const received: string[] = [];
    let cursor = '';
    do {
      const { body } = await author.get(files(`?limit=1${cursor}`)).expect(200);
      received.push(...body.data.map((file: { file_id: string }) => file.file_id));
      cursor = body.meta.next_cursor === null ? '' : `&cursor=${body.meta.next_cursor}`;
    } while (cursor !== '');
    expect(received).toHaveLength(4);
    expect(new Set(received).size).toBe(4);
  });

  it('filters by response status', async () => {
    const { body } = await author.get(files('?status=partial')).expect(200);
    expect(body.data.map((file: { file_id: string }) => file.file_id)).toEqual([ids.partial]);
  });

  it('rejects a foreign cursor', async () => {
    for (const cursor of ['x', Buffer.from('1 not-a-uuid').toString('base64url'), '%00'])
      await expectInvalidField(author.get(files(`?cursor=${cursor}`)), 'cursor');
  });
});

/** Names and contents of a ZIP. */
async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (failed, zip) => {
      if (failed) return reject(failed);
      zip.on('entry', (entry: { fileName: string }) => {
        zip.openReadStream(entry as never, (error, stream) => {
          if (error) return reject(error);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
          stream.on('end', () => {
            contents.set(entry.fileName, Buffer.concat(chunks));
            zip.readEntry();
          });
        });
      });
      zip.on('end', () => resolve()).on('error', reject);
      zip.readEntry();
    });
  });
  return contents;
}

const archived = async (query = '') => {
  const reply = await bytes(author.get(files(`/archive${query}`))).expect(200);
  expect(reply.headers['content-type']).toBe('application/zip');
  return unzip(reply.body as Buffer);
};

describe('the file archive', () => {
  it('contains the files of complete responses with a manifest', async () => {
    const contents = await archived();
    const manifest = contents.get('manifest.csv')!.toString().trimEnd().split('\r\n');
    expect(manifest[0]).toBe(
      'file_id,response_id,question_code,name_in_archive,file_name,content_type,size_bytes,sha256',
    );
    const rows = manifest.slice(1).map((line) => line.split(','));
    expect(new Set(rows.map(([id]) => id))).toEqual(new Set([ids.photo, ids.paper, ids.other]));
    for (const [, , , name, , , size, sha256] of rows) {
      const content = contents.get(name!)!;
      expect(content.length).toBe(Number(size));
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    }
    expect(contents.size).toBe(4);
    const photo = rows.find(([id]) => id === ids.photo)!;
    expect(photo[3]).toBe(`response-${complete.responseId}/PHOTO/1-=cmd_calc.gif`);
    // A spreadsheet that opens the manifest runs nothing.
    expect(photo[4]).toBe("'=cmd_calc.gif");
  });

  it('accepts the selections of grid and export', async () => {
    const names = async (query: string) => [...(await archived(query)).keys()].sort();
    expect(await names('?status=partial')).toEqual([
      'manifest.csv',
      `response-${partial.responseId}/PHOTO/1-so far.png`,
    ]);
    const words = encodeURIComponent(JSON.stringify({ WORDS: ['yes'] }));
    expect(await names(`?filter=${words}`)).toEqual([
      'manifest.csv',
      `response-${complete.responseId}/PAPER/1-naïve _paper_.pdf`,
      `response-${complete.responseId}/PHOTO/1-=cmd_calc.gif`,
    ]);
    await expectInvalidField(author.get(files('/archive?status=finished')), 'status');
    await expectRefused(author.get(files('/archive?filter=%7B%22NOPE%22%3A%5B%221%22%5D%7D')), 400);
  });

  it('is a ZIP with an empty manifest without files', async () => {
    const other = await publishedSurvey(author, [[fileQuestion('PHOTO')]]);
    const reply = await bytes(author.get(`/api/responses/${other.surveyId}/files/archive`)).expect(200);
    expect([...(await unzip(reply.body as Buffer)).keys()]).toEqual(['manifest.csv']);
  });

  it('lists a file that the storage has lost without content', async () => {
    const mine = await publishedSurvey(author, [[fileQuestion('PHOTO', { max_files: 2 })]]);
    const response = await startResponse(anonymous(test), mine.linkToken);
    const lost = await uploadFile(response, 'PHOTO', PNG, 'lost.png');
    const keptFile = await uploadFile(response, 'PHOTO', GIF, 'kept.gif');
    await response.complete({ PHOTO: [lost, keptFile] }).expect(200);
    await test.database.db('response_files').where({ file_id: lost }).update({ stored_name: randomUUID() });
    const reply = await bytes(author.get(`/api/responses/${mine.surveyId}/files/archive`)).expect(200);
    const contents = await unzip(reply.body as Buffer);
    expect([...contents.keys()]).toEqual([
      `response-${response.responseId}/PHOTO/1-kept.gif`,
      'manifest.csv',
    ]);
    expect(contents.get('manifest.csv')!.toString()).toContain(
      `${lost},${response.responseId},PHOTO,,lost.png,`,
    );
  });
});
