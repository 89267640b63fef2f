import { beforeAll, describe, expect, it, test } from 'vitest';
import { newOrganization, type Organization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { addImage, addSlide, newReport } from '../../support/reports.ts';
import { PNG } from '../../support/sample-files.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let other: Organization;

beforeAll(async () => {
  other = await newOrganization(app);
});

const DEFAULTS = {
  page_size: '16:9',
  color: null,
  colors: [],
  font: null,
  logo_image_id: null,
  footer: null,
  language: 'en',
};

const titlesOf = (body: { data: { slides: { slide_title: string }[] } }) =>
  body.data.slides.map((slide) => slide.slide_title);

describe('a report', () => {
  it('needs only a name, changes field by field, and accepts its own reply', async () => {
    const created = await admin.post('/api/reports', { report_name: ' Käufer & Märkte ' }).expect(201);
    const { data } = created.body;
    expect(data).toEqual({
      report_id: expect.any(Number),
      workspace_id: organization.workspaceId,
      report_name: 'Käufer & Märkte',
      report_description: null,
      report_settings: DEFAULTS,
      revision: 1,
      slide_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const at = `/api/reports/${data.report_id}`;
    const detail = await admin.get(at).expect(200);
    expect(detail.body.data).toEqual({ ...data, my_role: 'owner', slides: [] });
    expect((await admin.put(at, detail.body.data).expect(200)).body.data).toEqual(data);
    const settings = { page_size: 'a4', colors: ['#112233'], language: 'pt-BR' };
    const changes = { report_description: 'All markets', report_settings: settings };
    const changed = await admin.put(at, changes).expect(200);
    expect(changed.body.data).toMatchObject({
      report_name: 'Käufer & Märkte',
      report_description: 'All markets',
      report_settings: { ...DEFAULTS, ...settings },
      revision: 2,
    });
    const reset = await admin.put(at, { report_settings: { colors: null, language: null } }).expect(200);
    expect(reset.body.data.report_settings).toEqual({ ...DEFAULTS, page_size: 'a4' });
    const cleared = await admin.put(at, { report_settings: null }).expect(200);
    expect(cleared.body.data.report_settings).toEqual(DEFAULTS);
  });

  it('is listed newest first with paging and search until deleted', async () => {
    const workspace = await admin.post('/api/workspaces', { workspace_name: 'Listed' }).expect(201);
    const workspace_id: number = workspace.body.data.workspace_id;
    const ids: number[] = [];
    for (const report_name of ['Alpha one', 'Beta', 'Alpha two'])
      ids.push((await newReport(admin, { report_name, workspace_id })).id);
    const list = async (query = '') =>
      (await admin.get(`/api/reports?workspace_id=${workspace_id}${query}`).expect(200)).body;
    const idsOf = (body: { data: { report_id: number }[] }) => body.data.map((report) => report.report_id);
    expect(idsOf(await list())).toEqual([...ids].reverse());
    expect(idsOf(await list('&search=ALPHA'))).toEqual([ids[2], ids[0]]);
    const first = await list('&limit=2');
    expect(first.meta).toEqual({ limit: 2, next_cursor: expect.any(String), total: 3 });
    expect(idsOf(await list(`&limit=2&cursor=${first.meta.next_cursor}`))).toEqual([ids[0]]);
    await admin.delete(`/api/reports/${ids[1]}`).expect(204);
    expect(idsOf(await list())).toEqual([ids[2], ids[0]]);
    await expectRefused(admin.get(`/api/reports/${ids[1]}`), 404, 'not_found');
    await expectRefused(admin.post(`/api/reports/${ids[1]}/slides`, {}), 404, 'not_found');
  });

  it('returns 404 for a report of another organization', async () => {
    const otherReport = await newReport(other.admin);
    for (const id of [otherReport.id, MISSING_ID]) {
      await expectRefused(admin.get(`/api/reports/${id}`), 404, 'not_found');
      await expectRefused(admin.put(`/api/reports/${id}`, { report_name: 'Ours' }), 404, 'not_found');
      await expectRefused(admin.post(`/api/reports/${id}/duplicate`, {}), 404, 'not_found');
    }
  });

  it('moves only to a workspace where the caller is an editor', async () => {
    const report = await newReport(admin);
    const workspace = await admin.post('/api/workspaces', { workspace_name: 'There' }).expect(201);
    const workspace_id: number = workspace.body.data.workspace_id;
    await expectRefused(admin.put(report.at, { workspace_id: MISSING_ID }), 404);
    const moved = await admin.put(report.at, { workspace_id }).expect(200);
    expect(moved.body.data.workspace_id).toBe(workspace_id);
    await expectRefused(admin.get(`${report.at}?workspace_id=${organization.workspaceId}`), 404);
  });

  it('is copied with its slides and copies of its pictures', async () => {
    const report = await newReport(admin, { report_name: 'Original' });
    const image_id = await addImage(admin, report, PNG);
    await addSlide(admin, report, { slide_title: 'Begin' });
    await addSlide(admin, report, { slide_type: 'image', slide_title: 'Photo', slide_content: { image_id } });
    await admin.put(report.at, { report_settings: { logo_image_id: image_id, footer: 'Ours' } }).expect(200);
    const copied = await admin.post(`${report.at}/duplicate`, {}).expect(201);
    expect(copied.body.data).toMatchObject({ report_name: 'Original (copy)', slide_count: 2 });
    const copy = `/api/reports/${copied.body.data.report_id}`;
    const detail = await admin.get(copy).expect(200);
    expect(titlesOf(detail.body)).toEqual(['Begin', 'Photo']);
    const { logo_image_id: copiedId, footer } = detail.body.data.report_settings;
    expect(footer).toBe('Ours');
    expect(copiedId).not.toBe(image_id);
    expect(detail.body.data.slides[1].slide_content).toEqual({ image_id: copiedId });
    await admin.get(`${copy}/images/${copiedId}`).expect(200);
    await expectRefused(admin.get(`${copy}/images/${image_id}`), 404);
    const renamed = await admin.post(`${report.at}/duplicate`, { report_name: 'Second' }).expect(201);
    expect(renamed.body.data.report_name).toBe('Second');
  });

  it('records changes in the audit log', async () => {
    const report = await newReport(admin);
    const slideId = await addSlide(admin, report, { slide_title: 'One' });
    await admin.put(report.at, { report_name: 'Renamed' }).expect(200);
    await admin.delete(report.at).expect(204);
    const log = await admin.get(`/api/audit?object_type=report&object_id=${report.id}`).expect(200);
    const entries = (log.body.data as { action: string; details: unknown }[]).map(({ action, details }) => [
      action,
      details,
    ]);
    expect(entries.reverse()).toEqual([
      ['report.created', null],
      ['report.slide_created', { slide_id: slideId }],
      ['report.updated', { fields: ['report_name'] }],
      ['report.deleted', null],
    ]);
  });

  test.each([
    [{}, 'report_name'],
    [{ report_name: '  ' }, 'report_name'],
    [{ report_name: 'x'.repeat(201) }, 'report_name'],
    [{ report_name: 'x', reprot_description: 'x' }, 'reprot_description'],
    [{ report_name: 'x', report_settings: { color: 'red' } }, 'report_settings.color'],
    [{ report_name: 'x', report_settings: { colors: ['#112233', 'x'] } }, 'report_settings.colors[1]'],
    [{ report_name: 'x', report_settings: { page_size: '4:3' } }, 'report_settings.page_size'],
    [{ report_name: 'x', report_settings: { font: 'A"><x' } }, 'report_settings.font'],
    [{ report_name: 'x', report_settings: { language: 'English!' } }, 'report_settings.language'],
    [{ report_name: 'x', report_settings: { logo_image_id: 1 } }, 'report_settings.logo_image_id'],
    [{ report_name: 'x', report_settings: { theme: 'dark' } }, 'report_settings.theme'],
  ])('is rejected with %j, naming %s', async (body, field) => {
    await expectInvalidField(admin.post('/api/reports', body), field);
  });
});

describe('slides', () => {
  it('are added, moved, copied, deleted and reordered', async () => {
    const report = await newReport(admin);
    const getTitles = async () => {
      const { body } = await admin.get(report.at).expect(200);
      expect(body.data.slides.map((slide: { slide_order: number }) => slide.slide_order)).toEqual(
        body.data.slides.map((_: unknown, index: number) => index + 1),
      );
      return titlesOf(body).join(' ');
    };
    const b = await addSlide(admin, report, { slide_title: 'B' });
    const d = await addSlide(admin, report, { slide_title: 'D', position: 99 });
    const a = await addSlide(admin, report, { slide_title: 'A', position: 1 });
    const c = await addSlide(admin, report, { slide_title: 'C', slide_order: 3 });
    expect(await getTitles()).toBe('A B C D');
    const moved = await admin.put(`${report.at}/slides/${a}`, { position: 3 }).expect(200);
    expect(moved.body.data).toMatchObject({ slide_id: a, slide_order: 3 });
    expect(await getTitles()).toBe('B C A D');
    const copied = await admin.post(`${report.at}/slides/${c}/duplicate`, {}).expect(201);
    expect(copied.body.data).toMatchObject({ slide_order: 3, slide_title: 'C' });
    expect(await getTitles()).toBe('B C C A D');
    await admin.delete(`${report.at}/slides/${copied.body.data.slide_id}`).expect(204);
    expect(await getTitles()).toBe('B C A D');
    const ordered = await admin.put(`${report.at}/slides/reorder`, { slide_ids: [a, b, c, d] }).expect(200);
    expect(titlesOf(ordered.body).join(' ')).toBe('A B C D');
    const before = ordered.body.data.revision;
    await admin.put(`${report.at}/slides/${b}`, { slide_title: 'B', slide_order: 2 }).expect(200);
    expect((await admin.get(report.at).expect(200)).body.data.revision).toBe(before);
  });

  it('are rejected with an invalid order or contradictory positions', async () => {
    const report = await newReport(admin);
    const [a, b] = [await addSlide(admin, report, {}), await addSlide(admin, report, {})];
    const reorder = (slide_ids: number[]) => admin.put(`${report.at}/slides/reorder`, { slide_ids });
    await expectInvalidField(reorder([a]), 'slide_ids');
    await expectInvalidField(reorder([a, a, b]), 'slide_ids[1]');
    await expectInvalidField(reorder([a, b, 2_000_000_000]), 'slide_ids[2]');
    await expectInvalidField(admin.post(`${report.at}/slides`, { position: 1, slide_order: 2 }), 'position');
    await expectInvalidField(admin.post(`${report.at}/slides`, { position: 0 }), 'position');
    await expectRefused(admin.put(`${report.at}/slides/${MISSING_ID}`, {}), 404, 'not_found');
  });

  it('get distinct positions when added concurrently', async () => {
    const report = await newReport(admin);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        addSlide(admin, report, { slide_title: `${index}`, position: 1 }),
      ),
    );
    const { body } = await admin.get(report.at).expect(200);
    expect(body.data.slides.map((slide: { slide_order: number }) => slide.slide_order)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(new Set(titlesOf(body)).size).toBe(8);
  });

  it('are limited to 500', async () => {
    const report = await newReport(admin);
    await app.database.db.raw(
      `INSERT INTO report_slides (organization_id, report_id, slide_order, slide_type, slide_content)
       SELECT organization_id, report_id, n, 'title', '{}' FROM reports, generate_series(1, 499) AS n WHERE report_id = ?`,
      [report.id],
    );
    const last = await addSlide(admin, report, {});
    await expectRefused(admin.post(`${report.at}/slides`, {}), 409, 'too_many_slides');
    await expectRefused(admin.post(`${report.at}/slides/${last}/duplicate`, {}), 409, 'too_many_slides');
  });
});
