import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobKinds } from '../../../src/jobs/job-kinds.ts';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { asBytes, exportResponses } from '../../support/file-transfer.ts';
import { useWorkers } from '../../support/jobs.ts';
import { choice, fileQuestion } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { PNG } from '../../support/sample-files.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { uploadFile } from '../../support/uploaded-files.ts';

const test = useApp();
const organization = useOrganization(test);
const workers = useWorkers(test);
const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let survey: PublishedSurvey;
let fileId: string;
let responseId: number;
beforeAll(async () => {
  survey = await publishedSurvey(organization.admin, [[choice('Q1'), fileQuestion('F')]]);
  const response = await startResponse(anonymous(test), survey.linkToken);
  ({ responseId } = response);
  fileId = await uploadFile(response, 'F', PNG, 'private-name.png');
  await response.complete({ Q1: '1', F: [fileId] }).expect(200);
  const other = await startResponse(anonymous(test), survey.linkToken);
  await other.complete({ Q1: '2' }).expect(200);
});

const listEntries = async (action: string) =>
  (await organization.admin.get('/api/audit').query({ action }).expect(200)).body.data as {
    object_type: string;
    object_id: string;
    user_id: number | null;
    credential: string | null;
    details: Record<string, unknown>;
  }[];

describe('the audit log', () => {
  it('records the user, format, counts and filter of a response export, without answers', async () => {
    const filters = { Q1: ['1'] };
    expect(
      (await exportResponses(organization.admin, survey.surveyId, { filters, columns: ['Q1'] })).status,
    ).toBe(200);
    const [entry] = await listEntries('responses.exported');
    expect(entry).toMatchObject({
      object_type: 'survey',
      object_id: String(survey.surveyId),
      user_id: organization.admin.userId,
      credential: 'api_key',
      details: { format: 'csv', responses: 1, columns: 1, filter: filters, status: ['complete'] },
    });
  });

  it('does not record a rejected export', async () => {
    const before = await listEntries('responses.exported');
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/export`, { columns: ['NO_SUCH'] })
      .expect(400);
    const otherAdmin = (await newOrganization(test)).admin;
    await expectRefused(otherAdmin.post(`/api/responses/${survey.surveyId}/export`, {}), 404);
    expect(await listEntries('responses.exported')).toHaveLength(before.length);
  });

  it('records only the length of a very long filter', async () => {
    const filters = { Q1: Array.from({ length: 1_000 }, () => '1') };
    expect((await exportResponses(organization.admin, survey.surveyId, { filters })).status).toBe(200);
    const [entry] = await listEntries('responses.exported');
    expect(entry!.details).not.toHaveProperty('filter');
    expect(entry!.details.filter_length).toBeGreaterThan(4_000);
  });

  it('records an export that runs as a job, and each download of its file', async () => {
    const job = await organization.admin
      .post(`/api/responses/${survey.surveyId}/export`, { format: 'xlsx' })
      .set('Prefer', 'respond-async')
      .expect(202);
    const jobId = job.body.data.job_id as number;
    workers.worker(createJobKinds(test.container.services));
    await expect.poll(async () => (await workers.stored(jobId)).status, { timeout: 10_000 }).toBe('done');
    expect((await listEntries('responses.exported'))[0]!.details).toMatchObject({
      format: 'xlsx',
      responses: 2,
    });
    await asBytes(organization.admin.get(`/api/jobs/${jobId}/file`)).expect(200);
    const [entry] = await listEntries('job.file_downloaded');
    expect(entry).toMatchObject({
      object_id: String(jobId),
      user_id: organization.admin.userId,
      credential: 'api_key',
      details: { kind: 'response_export', survey_id: survey.surveyId },
    });
  });

  it('records downloads of uploaded files, single or archived, without file names', async () => {
    const filesPath = `/api/responses/${survey.surveyId}/files`;
    await asBytes(organization.admin.get(`${filesPath}/${fileId}`)).expect(200);
    const [entry] = await listEntries('responses.file_downloaded');
    expect(entry).toMatchObject({ object_id: String(survey.surveyId), user_id: organization.admin.userId });
    expect(entry!.details).toMatchObject({ file_id: fileId, response_id: responseId });
    await asBytes(organization.admin.get(`${filesPath}/archive`)).expect(200);
    const [many] = await listEntries('responses.files_downloaded');
    expect(many!.details).toMatchObject({ responses: 2, filter: null });
    expect(JSON.stringify([entry, many])).not.toContain('private-name');
  });

  it('records a report export', async () => {
    const { body } = await organization.admin.post('/api/reports', { report_name: 'A report' }).expect(201);
    const reportId = body.data.report_id as number;
    await asBytes(organization.admin.post(`/api/reports/${reportId}/export/pptx`, {})).expect(200);
    const [entry] = await listEntries('report.exported');
    expect(entry).toMatchObject({ object_id: String(reportId), user_id: organization.admin.userId });
    expect(entry!.details).toEqual({ format: 'pptx', slides: 0 });
  });

  it('records a backup in every organization', async () => {
    const other = await newOrganization(test);
    await test.container.services.backups.write(path.join(folder, 'all.zip'));
    for (const admin of [organization.admin, other.admin]) {
      const { body } = await admin.get('/api/audit').query({ action: 'backup.created' }).expect(200);
      expect(body.data).toHaveLength(1);
      expect(body.data[0]).toMatchObject({
        user_id: null,
        object_id: 'all.zip',
        details: { started_by: 'command_line' },
      });
    }
  });
});
