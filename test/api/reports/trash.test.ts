import { describe, expect, it } from 'vitest';
import { createJobKinds } from '../../../src/jobs/job-kinds.ts';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { useWorkers } from '../../support/jobs.ts';
import { addImage, addSlide, newReport } from '../../support/reports.ts';
import { expectRefused } from '../../support/refusals.ts';
import { PNG } from '../../support/sample-files.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const test = useApp();
const home = useOrganization(test);
const queue = useWorkers(test);
const { admin } = home;

const appAfter = (days: number) =>
  appOn(test.database, {}, { clock: { now: () => new Date(Date.now() + days * DAY_MS) } });
const listDeleted = async (actor: Actor, query = '') =>
  (await actor.get(`/api/reports?deleted=true${query}`).expect(200)).body.data as Record<string, unknown>[];

async function filledReport(fields: object = {}) {
  const report = await newReport(admin, fields);
  const imageId = await addImage(admin, report, PNG);
  await addSlide(admin, report, { slide_type: 'image', slide_content: { image_id: imageId } });
  return { ...report, imageId };
}

describe('a deleted report', () => {
  it('is listed and restored with its slides and pictures', async () => {
    const report = await filledReport();
    const before = (await admin.get(report.at).expect(200)).body.data;
    await admin.delete(report.at).expect(204);
    expect(await listDeleted(admin)).toEqual([
      expect.objectContaining({ report_id: report.id, slide_count: 1, deleted_at: expect.any(String) }),
    ]);
    const restored = await admin.post(`${report.at}/restore`).expect(200);
    expect(restored.body.data).toMatchObject({ report_id: report.id, slide_count: 1 });
    const after = (await admin.get(report.at).expect(200)).body.data;
    const changing = { revision: 0, updated_at: '' };
    expect({ ...after, ...changing }).toEqual({ ...before, ...changing });
    await admin.get(`${report.at}/images/${report.imageId}`).expect(200);
    expect(await listDeleted(admin)).toEqual([]);
    await expectRefused(admin.post(`${report.at}/restore`), 404, 'not_found');
    const { body } = await admin.get('/api/audit?action=report&limit=2').expect(200);
    expect(body.data).toMatchObject([
      { action: 'report.restored', object_id: String(report.id) },
      { action: 'report.deleted', object_id: String(report.id) },
    ]);
  });

  it('does not answer on its pages, files, jobs, searches, copies and moves', async () => {
    const report = await filledReport({ report_name: 'Hidden report' });
    const started = await admin.post(`${report.at}/export/pdf`).set('Prefer', 'respond-async').expect(202);
    const jobUrl = `/api/jobs/${started.body.data.job_id}`;
    queue.worker(createJobKinds(test.container.services));
    await expect
      .poll(async () => (await admin.get(jobUrl).expect(200)).body.data.status as string, { timeout: 15_000 })
      .toBe('done');
    await admin.delete(report.at).expect(204);
    const other = await admin.post('/api/workspaces', { workspace_name: 'Other' }).expect(201);
    await admin.get(report.at).expect(404);
    await admin.put(report.at, { workspace_id: other.body.data.workspace_id }).expect(404);
    await admin.post(`${report.at}/duplicate`, {}).expect(404);
    await admin.get(`${report.at}/images/${report.imageId}`).expect(404);
    for (const format of ['pdf', 'pptx']) await admin.post(`${report.at}/export/${format}`).expect(404);
    await admin.get(jobUrl).expect(404);
    await admin.get(`${jobUrl}/file`).expect(404);
    const jobs = await admin.get('/api/jobs').expect(200);
    expect(jobs.body.data).not.toContainEqual(expect.objectContaining({ report_id: report.id }));
    const found = await admin.get(`/api/workspaces/${home.workspaceId}/search?q=Hidden%20report`).expect(200);
    expect(found.body.data.reports).toEqual([]);
    await admin.post(`${report.at}/restore`).expect(200);
    await admin.get(`${jobUrl}/file`).expect(200);
  });

  it('is restored by editors of its workspace only, and listed for them only', async () => {
    const created = await admin
      .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
      .expect(201);
    const workspaceId: number = created.body.data.workspace_id;
    const editor = await home.addUser('member');
    const viewer = await home.addUser('member');
    for (const [actor, role] of [
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const)
      await admin.post(`/api/workspaces/${workspaceId}/members`, { user_id: actor.userId, role }).expect(201);
    const report = await newReport(admin, { workspace_id: workspaceId });
    const ofShared = `&workspace_id=${workspaceId}`;
    await viewer.delete(report.at).expect(403);
    await editor.delete(report.at).expect(204);
    await viewer.post(`${report.at}/restore`).expect(403);
    await (await home.addUser('member')).post(`${report.at}/restore`).expect(404);
    await (await newOrganization(test)).admin.post(`${report.at}/restore`).expect(404);
    await anonymous(test).post(`${report.at}/restore`).expect(401);
    expect(await listDeleted(viewer, ofShared)).toEqual([]);
    expect(await listDeleted(editor, ofShared)).toHaveLength(1);
    await editor.post(`${report.at}/restore`).expect(200);
  });

  it('cannot be restored or listed after 30 days', async () => {
    const report = await newReport(admin);
    await admin.delete(report.at).expect(204);
    const scope = {
      userId: admin.userId,
      organizationId: admin.organizationId,
      workspaceId: home.workspaceId,
      reportId: report.id,
      role: 'owner',
    } as const;
    const { reportTrash } = appAfter(31).container.services;
    const page = { after: null, skip: 0, limit: 10, search: null };
    expect(await reportTrash.list(scope, page)).toEqual({ found: [], total: 0 });
    await expect(reportTrash.restore(scope)).rejects.toMatchObject({ kind: 'not_found' });
    await admin.post(`${report.at}/restore`).expect(200);
  });
});
