import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { withFile } from '../../support/file-transfer.ts';
import { choice, fileQuestion } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { PNG } from '../../support/sample-files.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { countFileRows, storedFiles, uploadFile } from '../../support/uploaded-files.ts';

const MEGABYTE = 1024 * 1024;
const KILOBYTE = 1024;
const test = useApp();
let organization: Organization;
beforeEach(async () => {
  organization = await newOrganization(test);
});

/** A picture of exactly so many bytes, unlike any other. */
const picture = (bytes: number): Buffer => Buffer.concat([PNG, randomBytes(bytes - PNG.length)]);

const surveyWithFiles = () =>
  publishedSurvey(organization.admin, [
    [fileQuestion('F', { max_files: 10, max_size_mb: 100 }), choice('Q1')],
  ]);

const upload = async (on: TestApp, linkToken: string, bytes: number) => {
  const response = await startResponse(anonymous(test), linkToken);
  return anonymous(on)
    .post(`${response.address}/files`)
    .field('question_code', 'F')
    .attach('file', picture(bytes), { filename: 'a.png' });
};

/** Bytes that count, and those that are stored: of this test's organization. */
async function usage() {
  const { rows } = await test.database.db.raw<{ rows: { counted: number; stored: number }[] }>(
    `SELECT coalesce((SELECT bytes FROM upload_totals WHERE organization_id = ?), 0)::float8 AS counted,
            coalesce((SELECT sum(f.size_bytes) FROM response_files f JOIN surveys USING (survey_id)
                      WHERE organization_id = ?), 0)::float8 AS stored`,
    [organization.organizationId, organization.organizationId],
  );
  return rows[0]!;
}

describe('files of anonymous respondents', () => {
  it("fill a survey's daily limit exactly under concurrent uploads", async () => {
    const on = appOn(test.database, { UPLOAD_SURVEY_DAILY_MB: '1' });
    const { linkToken } = await surveyWithFiles();
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => upload(on, linkToken, 200 * KILOBYTE)),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(5).fill(201), ...Array<number>(7).fill(429)]);
    const refusal = replies.find(({ status }) => status === 429)!;
    expect(refusal.body).toMatchObject({ code: 'upload_limit_reached' });
    expect(refusal.body.message).toContain('1 MB of files per day');
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    expect(await usage()).toEqual({ counted: 1_000 * KILOBYTE, stored: 1_000 * KILOBYTE });
  });

  it('count for the day even if they are deleted', async () => {
    const on = appOn(test.database, { UPLOAD_SURVEY_DAILY_MB: '1' });
    const { linkToken } = await surveyWithFiles();
    const first = await upload(on, linkToken, 900 * KILOBYTE);
    expect(first.status).toBe(201);
    await test.database.db.raw(`UPDATE response_files SET created_at = now() - interval '25 hours'`);
    await test.container.services.fileSweep.run();
    expect(await usage()).toEqual({ counted: 0, stored: 0 });
    expect((await upload(on, linkToken, 200 * KILOBYTE)).status).toBe(429);
    const other = await surveyWithFiles();
    expect((await upload(on, other.linkToken, 200 * KILOBYTE)).status).toBe(201);
    await test.database.db.raw(`UPDATE daily_uploads SET day = day - 1`);
    expect((await upload(on, linkToken, 200 * KILOBYTE)).status).toBe(201);
  });

  it("fill the organization's storage exactly, over all its surveys", async () => {
    const on = appOn(test.database, { UPLOAD_ORGANIZATION_MB: '2' });
    const surveys = [await surveyWithFiles(), await surveyWithFiles()];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => upload(on, surveys[n % 2]!.linkToken, 500 * KILOBYTE)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(4);
    const refusals = replies.filter(({ status }) => status !== 201);
    expect(new Set(refusals.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['507 upload_storage_full']),
    );
    expect(await usage()).toEqual({ counted: 2_000 * KILOBYTE, stored: 2_000 * KILOBYTE });
  });

  it('of another organization are unaffected, and deleting a file frees space', async () => {
    const on = appOn(test.database, { UPLOAD_ORGANIZATION_MB: '1' });
    const { linkToken } = await surveyWithFiles();
    const response = await startResponse(anonymous(on), linkToken);
    const fileId = await uploadFile(response, 'F', picture(1_000 * KILOBYTE), 'a.png');
    await expectRefused(response.upload('F', picture(100 * KILOBYTE), 'b.png'), 507, 'upload_storage_full');
    const neighbour = await newOrganization(test);
    const other = await publishedSurvey(neighbour.admin, [[fileQuestion('F', { max_size_mb: 100 })]]);
    expect((await upload(on, other.linkToken, 900 * KILOBYTE)).status).toBe(201);
    await anonymous(on).delete(`${response.address}/files/${fileId}`).expect(204);
    await response.upload('F', picture(100 * KILOBYTE), 'b.png').expect(201);
  });

  it('are not stored if rejected midway', async () => {
    const on = appOn(test.database, { UPLOAD_ORGANIZATION_MB: '3' });
    const { linkToken } = await surveyWithFiles();
    const [rows, files] = [await countFileRows(test), storedFiles(test)];
    expect((await upload(on, linkToken, 5 * MEGABYTE)).status).toBe(507);
    expect(await countFileRows(test)).toBe(rows);
    expect(storedFiles(test)).toEqual(files);
    expect(await usage()).toEqual({ counted: 0, stored: 0 });
  });

  it('are unlimited with limits of 0', async () => {
    const on = appOn(test.database, { UPLOAD_SURVEY_DAILY_MB: '0', UPLOAD_ORGANIZATION_MB: '0' });
    const { linkToken } = await surveyWithFiles();
    expect((await upload(on, linkToken, 3 * MEGABYTE)).status).toBe(201);
    expect((await usage()).counted).toBe(3 * MEGABYTE);
  });

  it('have a rate limit separate from that of answers', async () => {
    const on = appOn(test.database, { RATE_LIMIT_UPLOAD: '2' });
    const { linkToken } = await surveyWithFiles();
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await upload(on, linkToken, 10 * KILOBYTE)).status);
    expect(statuses).toEqual([201, 201, 429]);
    const response = await startResponse(anonymous(on), linkToken);
    await response.complete({ Q1: '1' }).expect(200);
  });
});

describe('a disk with less free space than the minimum', () => {
  /** More than any disk has. */
  const full = () => appOn(test.database, { DISK_FREE_FLOOR_MB: '1000000000' });

  it('rejects uploads and accepts answers', async () => {
    const on = full();
    const { linkToken } = await surveyWithFiles();
    const response = await startResponse(anonymous(on), linkToken);
    const files = storedFiles(test);
    const reply = response.upload('F', PNG, 'a.png');
    const body = await expectRefused(reply, 503, 'storage_low');
    expect(body.message).toContain('low on disk space');
    expect(storedFiles(test)).toEqual(files);
    // Answers go to the database, which is on another server here.
    await response.complete({ Q1: '1' }).expect(200);
  });

  it('rejects imports and jobs, and streams exports', async () => {
    const on = full();
    const { surveyId } = await surveyWithFiles();
    const author = organization.admin;
    const sent = (path: string) =>
      withFile(anonymous(on).post(path).set('X-API-Key', author.apiKey!), 'Q1\n1\n');
    await expectRefused(sent(`/api/responses/${surveyId}/import`), 503, 'storage_low');
    await expectRefused(sent('/api/surveys/import-data'), 503, 'storage_low');
    await expectRefused(sent('/api/surveys/respondents/import'), 503, 'storage_low');
    const exportOf = () =>
      anonymous(on).post(`/api/responses/${surveyId}/export`, {}).set('X-API-Key', author.apiKey!);
    await expectRefused(exportOf().set('Prefer', 'respond-async'), 503, 'storage_low');
    await exportOf().expect(200);
  });

  it('rejects answers if it contains the embedded database', async () => {
    const { linkToken } = await surveyWithFiles();
    const response = await startResponse(anonymous(test), linkToken);
    const on = full();
    Object.assign(on.container.freeSpace, { answers: on.container.freeSpace.files });
    const moved = anonymous(on);
    await expectRefused(
      moved.post(`/api/public/s/${linkToken}/responses`, { answers: {} }),
      503,
      'storage_low',
    );
    await expectRefused(moved.patch(response.address, { answers: { Q1: '1' } }), 503, 'storage_low');
    await expectRefused(moved.post(`${response.address}/complete`, { answers: {} }), 503, 'storage_low');
    await moved.get(response.address).expect(200);
  });
});
