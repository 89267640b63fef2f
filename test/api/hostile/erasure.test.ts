import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobKinds } from '../../../src/jobs/job-kinds.ts';
import { anonymous, type Organization, newOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice, fileQuestion, number, text } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { addChart, newDashboard, share } from '../../support/dashboards.ts';
import { invite } from '../../support/invitations.ts';
import { useWorkers } from '../../support/jobs.ts';
import { addImage, addSlide, newReport } from '../../support/reports.ts';
import { PNG } from '../../support/sample-files.ts';
import { findInFiles, findInTables } from '../../support/search-storage.ts';
import { startResponse } from '../../support/start-response.ts';
import { draftSurvey, publish, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
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
    .post(`${at}/ai/themes`, { question_id: survey.questionIds.Q1 })
    .set('Idempotency-Key', `themes-${planted}`)
    .expect(200);
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

  it('is erased 30 days after derived columns were deleted, with stored values and the change log', async () => {
    const { admin } = organization;
    await admin.post(`/api/responses/${survey.surveyId}/rows/${responseId}/erase`).expect(200);
    const { surveyId } = await publishedSurvey(admin, [[choice('Q1'), number('Q2')]]);
    const at = `/api/responses/${surveyId}`;
    const rows = [1, 2, 2, 1].map((n) => ({ answers: { Q1: String(n), Q2: n } }));
    await admin.post(`${at}/rows`, { rows }).expect(201);
    const edited: number = (await admin.get(`${at}/grid`).expect(200)).body.data.rows[0].response_id;
    await admin.patch(`${at}/rows/${edited}`, { values: { Q2: 9 } }).expect(200);
    await admin
      .post(`${at}/transform/recode`, {
        column_code: 'Q1',
        target_column_code: 'NET1',
        rules: [{ from: ['1'], to: 1, label: word }],
        reason: `Because of ${word}`,
      })
      .expect(201);
    await admin.patch(`${at}/derived-columns/NET1`, { label: `Better net of ${word}` }).expect(200);
    await admin
      .post(`${at}/weighting/create`, {
        name: `Weight ${word}`,
        column_code: 'WEIGHT1',
        dimensions: [
          {
            column_code: 'Q1',
            targets: [
              { value: '1', target: 60 },
              { value: '2', target: 40 },
            ],
          },
        ],
      })
      .expect(201);
    for (const code of ['NET1', 'WEIGHT1']) await admin.delete(`${at}/derived-columns/${code}`).expect(204);
    const { db } = test.database;
    const changes = async () =>
      (await admin.get(`${at}/changes`).expect(200)).body.data as { change_id: number }[];
    const undo = (id: number) => admin.post(`${at}/changes/${id}/undo`);
    const [weightGone, netGone, weighted, changed, created, edit] = (await changes()).map(
      (row) => row.change_id,
    );
    await undo(weightGone!).expect(200);
    await admin.delete(`${at}/derived-columns/WEIGHT1`).expect(204);
    await appAfter(29).container.services.deletedDataPurge.run();
    expect(await findInTables(test, word)).toEqual(
      expect.arrayContaining([
        'data_changes.columns_before',
        'data_changes.reason',
        'derived_columns.column_values',
        'derived_columns.label',
      ]),
    );
    expect(await db('frozen_values').where({ survey_id: surveyId })).not.toEqual([]);
    for (let run = 0; run < 2; run += 1) await appAfter(31).container.services.deletedDataPurge.run();
    await db('idempotency_keys').delete();
    await expectNoTrace();
    expect(await db('frozen_values').where({ survey_id: surveyId })).toEqual([]);
    for (const id of [netGone, weighted, changed, created]) {
      const { message } = await expectRefused(undo(id!), 409, 'column_erased');
      expect(message).toMatch(
        new RegExp(`^Change ${id} cannot be undone: .*(NET1|WEIGHT1).* is erased since$`),
      );
    }
    // What the log stores of other columns and of responses stays, and older changes of them can be undone.
    await undo(edit!).expect(200);
    // The code is free again.
    await admin.post(`${at}/computed-columns`, { column_code: 'NET1', expression: 'Q2 + 1' }).expect(201);
  });

  it('is erased 30 days after a workspace was deleted, with everything in it', async () => {
    const { admin } = organization;
    await admin.post(`/api/responses/${survey.surveyId}/rows/${responseId}/erase`).expect(200);
    const created = await admin.post('/api/workspaces', { workspace_name: `About ${word}` }).expect(201);
    const workspaceId: number = created.body.data.workspace_id;
    const { surveyId } = await draftSurvey(
      admin,
      { survey_name: `Survey ${word}`, pages: [[text('Q1', { question_text: word })]] },
      { workspaceId },
    );
    const { linkId } = await publish(admin, surveyId);
    await admin.post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: word } }] }).expect(201);
    const board = await newDashboard(admin, { dashboard_name: word, workspace_id: workspaceId });
    const report = await newReport(admin, { report_name: word, workspace_id: workspaceId });
    const inTrash = await newReport(admin, { report_name: `Deleted ${word}`, workspace_id: workspaceId });
    await admin.delete(inTrash.at).expect(204);
    await invite(admin, { surveyId, linkId }, [
      { email: `${word}@example.com`, name: word, attributes: { note: word } },
    ]).expect(202);
    const workspace = `/api/workspaces/${workspaceId}`;
    await admin.delete(workspace).expect(204);
    await appAfter(29).container.services.deletedDataPurge.run();
    expect(await findInTables(test, word)).toEqual(
      expect.arrayContaining([
        'respondents.respondent_email',
        'responses.answers',
        'surveys.survey_name',
        'workspaces.workspace_name',
      ]),
    );
    await expect(
      appAfter(31).container.services.workspaces.restore(admin as never, workspaceId),
    ).rejects.toMatchObject({ kind: 'not_found' });
    for (let run = 0; run < 2; run += 1) await appAfter(31).container.services.deletedDataPurge.run();
    await test.database.db('idempotency_keys').delete();
    await expectNoTrace();
    await expectRefused(admin.post(`${workspace}/restore`), 404, 'not_found');
    for (const { at } of [board, report]) await expectRefused(admin.post(`${at}/restore`), 404, 'not_found');
    // The other workspace is as before.
    await admin.get(`/api/surveys/${survey.surveyId}`).expect(200);
  });

  it('stays in a workspace that was restored', async () => {
    const { admin } = organization;
    const created = await admin.post('/api/workspaces', { workspace_name: 'Back' }).expect(201);
    const workspaceId: number = created.body.data.workspace_id;
    const board = await newDashboard(admin, { workspace_id: workspaceId });
    const { surveyId } = await draftSurvey(admin, [[text('Q1')]], { workspaceId });
    await admin.delete(`/api/workspaces/${workspaceId}`).expect(204);
    await admin.post(`/api/workspaces/${workspaceId}/restore`).expect(200);
    await appAfter(31).container.services.deletedDataPurge.run();
    await admin.get(board.at).expect(200);
    await admin.get(`/api/surveys/${surveyId}`).expect(200);
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
    const arms = ['A', 'B'].map((arm_code) => ({ arm_code, arm_label: word }));
    await admin
      .post(`/api/surveys/${survey.surveyId}/blocks`, { block_title: word, arms, page_ids: survey.pageIds })
      .expect(201);
    await admin.delete(`/api/surveys/${survey.surveyId}`).expect(204);
    await appAfter(29).container.services.deletedDataPurge.run();
    expect(await findInTables(test, word)).toEqual(
      expect.arrayContaining(['surveys.survey_name', 'survey_blocks.arms']),
    );
    for (let run = 0; run < 2; run += 1) await appAfter(31).container.services.deletedDataPurge.run();
    await test.database.db('idempotency_keys').delete();
    await expectNoTrace();
    await expectRefused(admin.post(`/api/surveys/${survey.surveyId}/restore`), 404, 'not_found');
  });
});
