import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobKinds } from '../../../src/jobs/job-kinds.ts';
import { anonymous, type Organization, newOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { fileQuestion, text } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { addChart, newDashboard, share } from '../../support/dashboards.ts';
import { useWorkers } from '../../support/jobs.ts';
import { addImage, addSlide, newReport } from '../../support/reports.ts';
import { PNG } from '../../support/sample-files.ts';
import { findInFiles, findInTables } from '../../support/search-storage.ts';
import { startResponse } from '../../support/start-response.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readZip } from '../../support/read-zip.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const test = useApp();
const queue = useWorkers(test);
const { folder, remove } = temporaryFolder('erasure');
afterAll(remove);
let organization: Organization;
let survey: PublishedSurvey;
let responseId: number;
let word: string;
let planted = 0;

/** Plants a word in everything that can be stored about one response. */
beforeEach(async () => {
  organization = await newOrganization(test);
  const { admin } = organization;
  word = `plantedword${(planted += 1)}x`;
  survey = await publishedSurvey(admin, {
    settings: { hidden_values: ['source'] },
    pages: [[text('Q1'), fileQuestion('F', { allowed_extensions: ['txt'] })]],
  });
  const response = await startResponse(anonymous(test), survey.linkToken, {
    submission_id: `id-${word}`,
    external_id: `external-${word}`,
    hidden: { source: `from ${word}` },
  });
  responseId = response.responseId;
  const upload = await response.upload('F', Buffer.from(`A file with ${word}`), `${word}.txt`).expect(201);
  await response.complete({ Q1: `First ${word}`, F: [upload.body.data.file_id] }).expect(200);
  const at = `/api/responses/${survey.surveyId}`;
  await admin
    .patch(`${at}/rows/${responseId}`, {
      values: { Q1: `Second ${word}` },
      reason: `They asked about ${word}`,
    })
    .expect(200);
  await admin
    .post(`${at}/find-replace`, { column_code: 'Q1', find: 'Second', replace: 'Third' })
    .set('Idempotency-Key', `key-${planted}`)
    .expect(200);
  await admin
    .post(`${at}/comments`, { response_id: responseId, comment_text: `Remember ${word}` })
    .set('Idempotency-Key', `comment-${planted}`)
    .expect(201);
  await admin
    .post('/api/ai/themes', { survey_id: survey.surveyId, question_id: survey.questionIds.Q1 })
    .set('Idempotency-Key', `themes-${planted}`);
  await admin.post(`${at}/export`, { format: 'csv' }).set('Prefer', 'respond-async').expect(202);
  await admin.get(`${at}/grid`).expect(200);
});

const dataFolder = () => test.container.config.dataDir;

async function expectNoTrace(): Promise<void> {
  expect(await findInTables(test, word)).toEqual([]);
  expect(findInFiles(dataFolder(), word)).toEqual([]);
  const backup = path.join(folder, `${planted}.zip`);
  await test.container.services.backups.write(backup);
  for (const [name, bytes] of await readZip(readFileSync(backup)))
    expect(bytes.includes(word), name).toBe(false);
}

const appAfter = (days: number) =>
  appOn(test.database, {}, { clock: { now: () => new Date(Date.now() + days * DAY_MS) } });

describe('erasing a response', () => {
  it('leaves no trace of it in any table, file or new backup', async () => {
    expect(await findInTables(test, word)).toEqual(
      expect.arrayContaining([
        'data_change_rows.before',
        'data_changes.reason',
        'response_comments.comment_text',
        'responses.answers',
        'responses.originals',
      ]),
    );
    expect(findInFiles(dataFolder(), word)).not.toEqual([]);
    const { admin } = organization;
    const at = `/api/responses/${survey.surveyId}`;
    const reply = await admin.post(`${at}/rows/${responseId}/erase`).expect(200);
    expect(reply.body.data).toEqual({
      response_id: responseId,
      erased: { changes: 2, comments: 1, files: 1 },
    });
    await expectNoTrace();
    expect((await admin.get(`${at}/grid`).expect(200)).body.data.rows).toEqual([]);
    const { body } = await admin.get('/api/audit?action=data.erased').expect(200);
    expect(body.data[0]).toMatchObject({ action: 'data.erased', details: { response_id: responseId } });
    // A repeated request is not done again and returns nothing.
    const repeated = await admin
      .post(`${at}/comments`, { response_id: responseId, comment_text: `Remember ${word}` })
      .set('Idempotency-Key', `comment-${planted}`);
    expect(repeated.body).toMatchObject({ code: 'reply_erased' });
  });

  it('returns 404 for a response of another survey', async () => {
    const { admin } = organization;
    const other = await publishedSurvey(admin, [[text('Q1')]]);
    await expectRefused(
      admin.post(`/api/responses/${other.surveyId}/rows/${responseId}/erase`),
      404,
      'not_found',
    );
  });
});

/** Plants the word in everything of a dashboard and a report. */
async function plantContent() {
  const { admin, slug } = organization;
  const board = await newDashboard(admin, {
    dashboard_name: `Board ${word}`,
    dashboard_description: word,
    dashboard_slug: word,
  });
  await admin.put(`${board.at}/pages/${board.pageId}`, { page_title: word }).expect(200);
  await addChart(admin, board, 'text', { text: word });
  await share(admin, board, { share_type: 'public' });
  await anonymous(test).get(`/api/public/d/${slug}/${word}`).expect(200);
  const report = await newReport(admin, { report_name: `Report ${word}`, report_description: word });
  await admin.put(report.at, { report_settings: { footer: word } }).expect(200);
  await addSlide(admin, report, { slide_type: 'text', slide_title: word, slide_content: { text: word } });
  await addImage(admin, report, PNG);
  const started = await admin.post(`${report.at}/export/pdf`).set('Prefer', 'respond-async').expect(202);
  queue.worker(createJobKinds(test.container.services));
  const job = `/api/jobs/${started.body.data.job_id}`;
  await expect
    .poll(async () => (await admin.get(job).expect(200)).body.data.status as string, { timeout: 15_000 })
    .toBe('done');
  return { board, report };
}

const fileNames = () =>
  readdirSync(dataFolder(), { recursive: true, encoding: 'utf8' }).map((name) => path.basename(name));

const CONTENT_COLUMNS = [
  'dashboard_charts.chart_config',
  'dashboard_pages.page_title',
  'dashboards.dashboard_slug',
  'job_files.file_name',
  'report_slides.slide_content',
  'reports.report_settings',
];

describe('deleted data', () => {
  it('is erased 30 days after dashboards and reports were deleted, with pages, pictures, shares and files', async () => {
    const { admin } = organization;
    await admin.post(`/api/responses/${survey.surveyId}/rows/${responseId}/erase`).expect(200);
    const { board, report } = await plantContent();
    const [stored] = await test.database
      .db('job_files')
      .whereLike('file_name', `%${word}%`)
      .pluck('stored_name');
    expect(fileNames()).toContain(stored);
    for (const { at } of [board, report]) await admin.delete(at).expect(204);
    await appAfter(29).container.services.deletedDataPurge.run();
    expect(await findInTables(test, word)).toEqual(expect.arrayContaining(CONTENT_COLUMNS));
    for (let run = 0; run < 2; run += 1) await appAfter(31).container.services.deletedDataPurge.run();
    await test.database.db('idempotency_keys').delete();
    await expectNoTrace();
    const { db } = test.database;
    expect(await db('dashboard_shares').where({ dashboard_id: board.id })).toEqual([]);
    expect(await db('report_images').where({ report_id: report.id })).toEqual([]);
    expect(fileNames()).not.toContain(stored);
    for (const { at } of [board, report]) await expectRefused(admin.post(`${at}/restore`), 404, 'not_found');
  });

  it('leaves restored dashboards and reports, and what was deleted later', async () => {
    const { admin } = organization;
    const { board, report } = await plantContent();
    for (const { at } of [board, report]) await admin.delete(at).expect(204);
    for (const { at } of [board, report]) await admin.post(`${at}/restore`).expect(200);
    await appAfter(31).container.services.deletedDataPurge.run();
    for (const { at } of [board, report]) await admin.get(at).expect(200);
  });

  it('is erased 30 days after a response was deleted', async () => {
    const { admin } = organization;
    await admin
      .post(`/api/responses/${survey.surveyId}/bulk`, { action: 'delete', response_ids: [responseId] })
      .expect(200);
    await appAfter(29).container.services.deletedDataPurge.run();
    expect(await findInTables(test, word)).toContain('responses.answers');
    await appAfter(31).container.services.jobSweep.run();
    await appAfter(31).container.services.deletedDataPurge.run();
    await test.database.db('idempotency_keys').delete();
    await expectNoTrace();
  });

  it('is erased 30 days after a survey was deleted, with its texts', async () => {
    const { admin } = organization;
    const named = await admin
      .put(`/api/surveys/${survey.surveyId}`, { survey_name: `About ${word}`, survey_description: word })
      .expect(200);
    expect(named.body.data.survey_name).toContain(word);
    await admin.delete(`/api/surveys/${survey.surveyId}`).expect(204);
    await appAfter(29).container.services.deletedDataPurge.run();
    expect(await findInTables(test, word)).toContain('surveys.survey_name');
    for (let run = 0; run < 2; run += 1) await appAfter(31).container.services.deletedDataPurge.run();
    await test.database.db('idempotency_keys').delete();
    await expectNoTrace();
    await expectRefused(admin.post(`/api/surveys/${survey.surveyId}/restore`), 404, 'not_found');
  });
});
