import { describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { asBytes } from '../../support/file-transfer.ts';
import { BLUE, GREEN, RED, readPicture, stripedPicture, withExif } from '../../support/pictures.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField, expectRefused } from '../../support/refusals.ts';
import { GIF, HTML, PDF, PNG, SVG, XML_SVG } from '../../support/sample-files.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const { admin } = organization;
const visitor = anonymous(test);
const DAY_MS = 24 * 60 * 60 * 1000;

const upload = (surveyId: number, bytes: Buffer, filename = 'cup.png') =>
  admin.post(`/api/surveys/${surveyId}/images`).attach('image', bytes, { filename });
const uploadPng = async (surveyId: number): Promise<string> =>
  (await upload(surveyId, PNG).expect(201)).body.data.image_url;
const striped = (width = 60) => stripedPicture(width, 30, [RED, BLUE, GREEN]);

/** Makes every image look as if it had been uploaded two days ago. */
const ageImages = () =>
  test.database.db('survey_images').update({ used_at: new Date(Date.now() - 2 * DAY_MS) });
const sweep = () => test.container.services.surveyImages.deleteUnused();

describe('uploading an image', () => {
  it('accepts PNG, JPEG, GIF and WebP by their content, whatever the name says', async () => {
    const { surveyId } = await draftSurvey(admin);
    const files: [string, Buffer][] = [
      ['image/png', await striped().png()],
      ['image/jpeg', await striped().jpeg()],
      ['image/webp', await striped().webp()],
      ['image/gif', GIF],
    ];
    for (const [contentType, bytes] of files) {
      const { body } = await upload(surveyId, bytes, 'cup.txt').expect(201);
      expect(body.data).toEqual({
        image_url: expect.stringMatching(/^\/images\/[A-Za-z0-9]{32}$/),
        content_type: contentType,
        size_bytes: expect.any(Number),
      });
      const reply = await asBytes(visitor.get(body.data.image_url)).expect(200);
      expect(reply.headers['content-type']).toBe(contentType);
      expect((reply.body as Buffer).length).toBe(body.data.size_bytes);
    }
  });

  it.each([
    ['SVG', SVG],
    ['SVG in XML', XML_SVG],
    ['HTML', HTML],
    ['PDF', PDF],
    ['an empty file', Buffer.alloc(0)],
    ['a damaged PNG', PNG.subarray(0, 40)],
  ])('refuses %s named .png', async (_name, bytes) => {
    const { surveyId } = await draftSurvey(admin);
    await expectInvalidField(upload(surveyId, bytes), 'image');
  });

  it('says what is allowed', async () => {
    const { surveyId } = await draftSurvey(admin);
    const { body } = await upload(surveyId, SVG).expect(400);
    expect(JSON.stringify(body)).toContain('must be a PNG, JPEG, GIF or WebP image');
  });

  it('stores a GIF without what follows its end, and refuses a damaged one', async () => {
    const { surveyId } = await draftSurvey(admin);
    const { body } = await upload(surveyId, Buffer.concat([GIF, HTML])).expect(201);
    const stored = (await asBytes(visitor.get(body.data.image_url)).expect(200)).body as Buffer;
    expect(stored).toEqual(GIF);
    await expectInvalidField(upload(surveyId, Buffer.concat([GIF.subarray(0, -1), HTML])), 'image');
  });

  it('refuses more than 2 MB and more than 200 images', async () => {
    const { surveyId } = await draftSurvey(admin);
    const { body } = await upload(surveyId, Buffer.concat([GIF, Buffer.alloc(2 * 1024 * 1024)])).expect(413);
    expect(JSON.stringify(body)).toContain('2 MB');
    const address = await uploadPng(surveyId);
    await test.database.db.raw(
      `INSERT INTO survey_images (image_token, organization_id, survey_id, content_type, picture, uploaded_by)
       SELECT lpad(n::text, 32, '0'), organization_id, survey_id, content_type, picture, uploaded_by
       FROM survey_images, generate_series(1, 199) AS n WHERE image_token = ?`,
      [address.split('/').at(-1)!],
    );
    await expectRefused(upload(surveyId, PNG), 409, 'too_many_images');
    await test.database.db('survey_images').where('image_token', 'like', '000%').delete();
  });

  it('removes where and with what a photograph was taken, and turns it upright', async () => {
    const { surveyId } = await draftSurvey(admin);
    const photograph = withExif(await striped().jpeg(), 6, 'SecretCamera');
    const { body } = await upload(surveyId, photograph).expect(201);
    const stored = (await asBytes(visitor.get(body.data.image_url)).expect(200)).body as Buffer;
    expect(stored.includes('SecretCamera')).toBe(false);
    expect(await readPicture(stored)).toMatchObject({ width: 30, height: 60 });
  });

  it('needs permission to edit the survey, and is recorded in the audit log', async () => {
    const { surveyId } = await draftSurvey(admin);
    const owner = await organization.addUser('member');
    const viewer = await organization.addUser('member');
    const workspace = await owner
      .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
      .expect(201);
    const workspaceId: number = workspace.body.data.workspace_id;
    await owner
      .post(`/api/workspaces/${workspaceId}/members`, { user_id: viewer.userId, role: 'viewer' })
      .expect(201);
    const shared = await owner
      .post('/api/surveys', { survey_name: 'Cups', workspace_id: workspaceId })
      .expect(201);
    await expectRefused(
      viewer
        .post(`/api/surveys/${shared.body.data.survey_id}/images`)
        .attach('image', PNG, { filename: 'cup.png' }),
      403,
    );
    await upload(surveyId + 100_000, PNG).expect(404);
    const before = (await admin.get(`/api/surveys/${surveyId}`).expect(200)).body.data.revision;
    await uploadPng(surveyId);
    const entries = await test.database
      .db('audit_log')
      .where({ object_type: 'survey', object_id: String(surveyId), action: 'survey.image_added' });
    expect(entries).toHaveLength(1);
    expect((await admin.get(`/api/surveys/${surveyId}`).expect(200)).body.data.revision).toBe(before);
  });
});

describe('an uploaded image', () => {
  it('is served to anyone, for good, and runs nothing', async () => {
    const { surveyId } = await draftSurvey(admin);
    const { headers } = await visitor.get(await uploadPng(surveyId)).expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    });
    for (const token of ['A'.repeat(32), '%00', '..%2f..', 'a'.repeat(5_000)])
      await visitor.get(`/images/${token}`).expect(404);
  });

  it('can be set for questions and options, and copies of the survey keep it', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const image = await uploadPng(surveyId);
    const at = `/api/surveys/${surveyId}`;
    await admin
      .put(`${at}/questions/${questionIds.Q1}`, {
        question_settings: { image_url: image },
        options: [{ option_label: 'Tea', option_image: image }, 'Coffee'],
      })
      .expect(200);
    const exported = (await admin.get(`${at}/export`).expect(200)).body;
    for (const copy of [
      await admin.post(`${at}/duplicate`).expect(201),
      await admin.post('/api/surveys/import', exported.data ?? exported).expect(201),
    ]) {
      const { question_settings: settings, options } = (
        await admin.get(`/api/surveys/${copy.body.data.survey_id}`).expect(200)
      ).body.data.questions[0];
      expect(settings.image_url).toBe(image);
      expect(options[0].option_image).toBe(image);
    }
    await expectInvalidField(
      admin.put(`${at}/questions/${questionIds.Q1}`, { question_settings: { image_url: '/images/cup.png' } }),
      'question_settings.image_url',
    );
  });

  it('stays as long as a draft or a published version refers to it, and is deleted a day later', async () => {
    const { surveyId, questionIds } = await publishedSurvey(admin, [[choice('Q1')]]);
    const at = `/api/surveys/${surveyId}`;
    const setImage = (image_url: string | null) =>
      admin.put(`${at}/questions/${questionIds.Q1}`, { question_settings: { image_url } }).expect(200);
    const [published, unused] = [await uploadPng(surveyId), await uploadPng(surveyId)];
    await setImage(published);
    await admin.post(`${at}/publish`).expect(200);
    const drafted = await uploadPng(surveyId);
    await setImage(drafted);
    expect(await sweep()).toBe(0);
    await ageImages();
    await sweep();
    await visitor.get(published).expect(200);
    await visitor.get(drafted).expect(200);
    await visitor.get(unused).expect(404);

    const copy = await admin.post(`${at}/duplicate`).expect(201);
    await admin.delete(at).expect(204);
    await ageImages();
    await sweep();
    await visitor.get(published).expect(200);
    await test.database
      .db('surveys')
      .where({ survey_id: surveyId })
      .update({ deleted_at: new Date(0) });
    await ageImages();
    await sweep();
    await visitor.get(published).expect(404);
    await visitor.get(drafted).expect(200);
    expect(copy.body.data.survey_id).not.toBe(surveyId);
  });
});
