import { beforeAll, describe, expect, it, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { asBytes } from '../../support/file-transfer.ts';
import {
  BLUE,
  GREEN,
  greyPng,
  readPicture,
  nearestColor,
  RED,
  stripedPicture,
  withExif,
} from '../../support/pictures.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { addImage, addSlide, type TestReport, newReport } from '../../support/reports.ts';
import { GIF, HTML, PDF, PNG, SVG } from '../../support/sample-files.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let report: TestReport;

beforeAll(async () => {
  report = await newReport(admin);
});

const upload = (picture: Buffer, field = 'image') =>
  admin.post(`${report.at}/images`).attach(field, picture, { filename: 'a.png' });
const getImage = async (id: number): Promise<Buffer> =>
  (await asBytes(admin.get(`${report.at}/images/${id}`)).expect(200)).body as Buffer;

describe('a report picture', () => {
  it('is scaled down if large, and stays lossless PNG unless it is a photograph', async () => {
    const { body } = await upload(await stripedPicture(3_000, 300, [RED, BLUE, GREEN]).png()).expect(201);
    expect(body.data).toEqual({
      image_id: expect.any(Number),
      content_type: 'image/png',
      width: 2_400,
      height: 240,
      size_bytes: expect.any(Number),
      created_at: expect.any(String),
    });
    const reply = await asBytes(admin.get(`${report.at}/images/${body.data.image_id}`)).expect(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringContaining('inline'),
      'content-security-policy': "sandbox; default-src 'none'",
    });
    const pixels = await readPicture(reply.body as Buffer);
    expect([0.1, 0.5, 0.9].map((x) => nearestColor(pixels.at(x, 0.5)))).toEqual(['red', 'blue', 'green']);
    const list = await admin.get(`${report.at}/images`).expect(200);
    expect(list.body.data).toContainEqual(body.data);
  });

  it('from a camera stays a JPEG, upright and without metadata', async () => {
    const photo = await stripedPicture(90, 30, [RED, BLUE, GREEN]).jpeg(90);
    const { body } = await upload(withExif(photo, 6, 'Secret camera')).expect(201);
    expect(body.data).toMatchObject({ content_type: 'image/jpeg', width: 30, height: 90 });
    const bytes = await getImage(body.data.image_id);
    expect(bytes.includes('Secret')).toBe(false);
    expect(bytes.includes('Exif')).toBe(false);
    expect(nearestColor((await readPicture(bytes)).at(0.5, 0.1))).toBe('red');
  });

  it('as WebP is converted to PNG or JPEG', async () => {
    const { body } = await upload(await stripedPicture(90, 30, [RED, BLUE, GREEN]).webp(90)).expect(201);
    expect(body.data).toMatchObject({ content_type: 'image/png', width: 90, height: 30 });
    expect((await readPicture(await getImage(body.data.image_id))).format).toBe('png');
  });

  test.each([
    ['GIF', GIF],
    ['SVG', SVG],
    ['HTML', HTML],
    ['PDF', PDF],
    ['an empty file', Buffer.alloc(0)],
    ['a truncated PNG', PNG.subarray(0, 45)],
    ['a picture of 30 million pixels', greyPng(6_000, 5_000)],
  ])('that is %s is rejected', async (_name, bytes) => {
    await expectInvalidField(upload(bytes), 'image');
  });

  it('is rejected under another field name or beyond 10 MB', async () => {
    await expectInvalidField(upload(PNG, 'picture'), 'picture');
    await expectRefused(upload(Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)])), 413);
  });

  it('cannot be deleted while it is in use', async () => {
    const image_id = await addImage(admin, report, PNG);
    const at = `${report.at}/images/${image_id}`;
    const slideId = await addSlide(admin, report, { slide_type: 'image', slide_content: { image_id } });
    await admin.put(report.at, { report_settings: { logo_image_id: image_id } }).expect(200);
    const inUse = await expectRefused(admin.delete(at), 409, 'image_in_use');
    expect(inUse.message).toMatch(/slide 1, the logo$/);
    await admin.delete(`${report.at}/slides/${slideId}`).expect(204);
    await admin.put(report.at, { report_settings: { logo_image_id: null } }).expect(200);
    await admin.delete(at).expect(204);
    await expectRefused(admin.get(at), 404, 'not_found');
    await expectRefused(admin.delete(at), 404, 'not_found');
  });

  it('is rejected when the report has 100 pictures', async () => {
    const full = await newReport(admin);
    await addImage(admin, full, PNG);
    await app.database.db.raw(
      `INSERT INTO report_images (organization_id, report_id, content_type, picture, width, height)
       SELECT organization_id, report_id, content_type, picture, width, height FROM report_images, generate_series(1, 99)
       WHERE report_id = ?`,
      [full.id],
    );
    const request = admin.post(`${full.at}/images`).attach('image', PNG, { filename: 'a.png' });
    await expectRefused(request, 409, 'too_many_images');
  });
});
