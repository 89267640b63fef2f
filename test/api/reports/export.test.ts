import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Actor, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { asBytes } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { addSlide, type TestReport, newReport } from '../../support/reports.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { storedFiles } from '../../support/uploaded-files.ts';
import { readZip } from '../../support/read-zip.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let report: TestReport;
let long: TestReport;
let chart: { chart_type: string; chart_config: Record<string, unknown> };

const SIGNATURES = { pdf: '%PDF-', pptx: 'PK\u0003\u0004' };
const TYPES = {
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};
const FORMATS = ['pdf', 'pptx'] as const;

beforeAll(async () => {
  const survey = await publishedSurvey(admin, [[choice('Q1')]]);
  const rows = ['1', '1', '2'].map((Q1) => ({ answers: { Q1 } }));
  await admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  report = await newReport(admin, { report_name: 'Über: “all” / 2026' });
  chart = {
    chart_type: 'bar',
    chart_config: { survey_id: survey.surveyId, dimension: 'Q1', aggregation: 'percent' },
  };
  await addSlide(admin, report, { slide_title: 'Begin' });
  const bar = {
    slide_type: 'chart',
    slide_title: 'Bars',
    slide_content: chart,
  };
  await addSlide(admin, report, bar);
  await addSlide(admin, report, { slide_type: 'appendix', slide_content: {} });
  long = await newReport(admin);
  await addSections(long, 61);
  app.container.jobWorker.start();
});
afterAll(() => app.container.jobWorker.stop(1_000));

const addSections = (to: TestReport, count: number) =>
  app.database.db.raw(
    `INSERT INTO report_slides (organization_id, report_id, slide_order, slide_type, slide_title, slide_content)
     SELECT organization_id, report_id, n, 'section', 'Section ' || n, '{}' FROM reports, generate_series(1, ?) AS n
     WHERE report_id = ?`,
    [count, to.id],
  );
const requestExport = (of: TestReport, format: string, prefer: string | null = null, by: Actor = admin) => {
  const request = by.post(`${of.at}/export/${format}`);
  return prefer === null ? request : request.set('Prefer', prefer);
};
const getJob = async (jobId: number) => (await admin.get(`/api/jobs/${jobId}`).expect(200)).body.data;

async function unfinishedJobs(): Promise<number> {
  const { rows } = await app.database.db.raw<{ rows: { count: number }[] }>(
    'SELECT count(*) FROM jobs WHERE finished_at IS NULL',
  );
  return rows[0]!.count;
}

it('writes the numbers of chart-data into PowerPoint charts', async () => {
  const { chart_type, chart_config } = chart;
  const board = await newDashboard(admin);
  const { body } = await admin.post(`${board.at}/chart-data`, { chart_type, ...chart_config }).expect(200);
  const { values } = body.data.series[0] as { values: number[] };
  expect(values).toEqual([200 / 3, 100 / 3, 0]);
  const parts = await readZip((await asBytes(requestExport(report, 'pptx')).expect(200)).body as Buffer);
  const [path] = [...parts.keys()].filter((name) => /^ppt\/charts\/chart\d+\.xml$/.test(name));
  const [, drawn] = /<c:val>([\s\S]*?)<\/c:val>/.exec(parts.get(path!)!.toString())!;
  expect([...drawn!.matchAll(/<c:v>([^<]*)<\/c:v>/g)].map(([, value]) => Number(value))).toEqual(values);
});

describe.each(FORMATS)('a report as %s', (format) => {
  it('is downloaded under the report name', async () => {
    const reply = await asBytes(requestExport(report, format)).expect(200);
    expect(reply.headers).toMatchObject({
      'content-type': TYPES[format],
      'content-disposition': `attachment; filename="_ber _all_ 2026.${format}"; filename*=UTF-8''%C3%9Cber%20%E2%80%9Call%E2%80%9D%202026.${format}`,
    });
    const file = reply.body as Buffer;
    expect(file.toString('latin1', 0, SIGNATURES[format].length)).toBe(SIGNATURES[format]);
    expect(file.length).toBeGreaterThan(5_000);
  });

  it('runs as a job on request or for many slides', async () => {
    const started = await requestExport(report, format, 'respond-async').expect(202);
    const { job_id: longId } = (await requestExport(long, format).expect(202)).body.data;
    const { job_id: jobId } = started.body.data;
    await expect.poll(async () => (await getJob(jobId)).status, { timeout: 15_000 }).toBe('done');
    expect(await getJob(jobId)).toMatchObject({
      kind: 'report_export',
      report_id: report.id,
      survey_id: null,
      progress: 1,
      result: { content_type: TYPES[format], file_name: `Über “all” 2026.${format}` },
    });
    const file = await asBytes(admin.get(`/api/jobs/${jobId}/file`)).expect(200);
    expect((file.body as Buffer).toString('latin1', 0, SIGNATURES[format].length)).toBe(SIGNATURES[format]);
    await expect.poll(async () => (await getJob(longId)).status, { timeout: 15_000 }).toBe('done');
  });
});

describe('the export of a report', () => {
  it('requires view access, including for its job', async () => {
    const workspace = await admin
      .post('/api/workspaces', { workspace_name: 'S', workspace_visibility: 3 })
      .expect(201);
    const { workspace_id } = workspace.body.data;
    const viewer = await organization.addUser('member');
    const members = `/api/workspaces/${workspace_id}/members`;
    await admin.post(members, { user_id: viewer.userId, role: 'viewer' }).expect(201);
    const shared = await newReport(admin, { workspace_id });
    await requestExport(shared, 'pdf', null, viewer).expect(200);
    const { job_id: jobId } = (await requestExport(shared, 'pdf', 'respond-async', viewer).expect(202)).body
      .data;
    await viewer.get(`/api/jobs/${jobId}`).expect(200);
    const countJobs = async () => (await viewer.get('/api/jobs').expect(200)).body.data.length;
    expect(await countJobs()).toBe(1);
    await admin.delete(`${members}/${viewer.userId}`).expect(204);
    await expectRefused(requestExport(shared, 'pdf', null, viewer), 404, 'not_found');
    await expectRefused(viewer.get(`/api/jobs/${jobId}`), 404, 'not_found');
    await expectRefused(viewer.get(`/api/jobs/${jobId}/file`), 404, 'not_found');
    expect(await countJobs()).toBe(0);
  });

  it('reports its progress in slides', async () => {
    const { access, reportFiles } = app.container.services;
    const progress: string[] = [];
    const scope = await access.report({ caller: admin as never, reportId: long.id, need: 'view' });
    const { signal } = new AbortController();
    const file = await reportFiles.createFile({
      by: admin as never,
      scope,
      format: 'pdf',
      signal,
      onSlide: (done, of) => progress.push(`${done}/${of}`),
    });
    const chunks = file.chunks[Symbol.asyncIterator]();
    while ((await chunks.next()).done !== true);
    expect(progress).toEqual(Array.from({ length: 61 }, (_, index) => `${index}/61`));
  });

  it('stops when its job is cancelled and leaves no files behind', async () => {
    await expect.poll(() => unfinishedJobs(), { timeout: 15_000 }).toBe(0);
    const before = storedFiles(app);
    const { paused, aborted } = pauseAfterSlides(20);
    const { job_id: jobId } = (await requestExport(long, 'pdf').expect(202)).body.data;
    await paused;
    await expect.poll(async () => (await getJob(jobId)).progress, { timeout: 15_000 }).toBeGreaterThan(0);
    await admin.delete(`/api/jobs/${jobId}`).expect(204);
    expect((await getJob(jobId)).status).toBe('cancelled');
    await expectRefused(admin.get(`/api/jobs/${jobId}/file`), 404, 'not_found');
    await aborted;
    await expect.poll(() => storedFiles(app), { timeout: 15_000 }).toEqual(before);
  });
});

/** Pauses the next export after `slides` slides, until its signal aborts. */
function pauseAfterSlides(slides: number): { paused: Promise<unknown>; aborted: Promise<unknown> } {
  const { reportFiles } = app.container.services;
  const createFile = reportFiles.createFile.bind(reportFiles);
  const events = new EventEmitter();
  const createPausingFile: typeof createFile = async ({ signal, onSlide, ...request }) => {
    let drawnCount = 0;
    const file = await createFile({
      ...request,
      signal,
      onSlide: (done, of) => {
        drawnCount = done;
        onSlide?.(done, of);
      },
    });
    async function* chunks() {
      for await (const chunk of file.chunks) {
        yield chunk;
        if (drawnCount < slides || signal.aborted) continue;
        events.emit('paused');
        await once(signal, 'abort', { signal: AbortSignal.timeout(30_000) });
        events.emit('aborted');
      }
    }
    return { ...file, chunks: chunks() };
  };
  vi.spyOn(reportFiles, 'createFile').mockImplementationOnce(createPausingFile);
  return { paused: once(events, 'paused'), aborted: once(events, 'aborted') };
}
