import { describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { asBytes } from '../../support/file-transfer.ts';
import { text } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { HTML, PNG } from '../../support/sample-files.ts';
import { M4A, MP3, MP4, OGG, QUICKTIME, VTT, WEBM } from '../../support/sample-media.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const { admin } = organization;
const visitor = anonymous(test);
const DAY_MS = 24 * 60 * 60 * 1000;

const upload = (surveyId: number, bytes: Buffer, filename = 'spot.bin') =>
  admin.post(`/api/surveys/${surveyId}/media`).attach('media', bytes, { filename });
const address = async (surveyId: number, bytes: Buffer): Promise<string> =>
  (await upload(surveyId, bytes).expect(201)).body.data.media_url;
const storedBytes = async (): Promise<number> => {
  const row = await test.database.db('upload_totals').first('bytes');
  return Number(row?.bytes ?? 0);
};

describe('uploading sound, video and captions', () => {
  it.each([
    ['mp3', 'audio', 'audio/mpeg', MP3],
    ['m4a', 'audio', 'audio/mp4', M4A],
    ['ogg', 'audio', 'audio/ogg', OGG],
    ['mp4', 'video', 'video/mp4', MP4],
    ['webm', 'video', 'video/webm', WEBM],
    ['vtt', 'captions', 'text/vtt; charset=utf-8', VTT],
  ] as const)('accepts %s by its content', async (type, kind, contentType, bytes) => {
    const { surveyId } = await draftSurvey(admin);
    const { body } = await upload(surveyId, bytes).expect(201);
    expect(body.data).toEqual({
      media_url: expect.stringMatching(new RegExp(`^/media/[A-Za-z0-9]{32}\\.${type}$`)),
      kind,
      size_bytes: bytes.length,
    });
    const reply = await asBytes(visitor.get(body.data.media_url)).expect(200);
    expect(reply.body).toEqual(bytes);
    expect(reply.headers).toMatchObject({
      'content-type': contentType,
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['an image', PNG, 'image/png'],
    ['a QuickTime film', QUICKTIME, 'video/quicktime'],
    ['HTML', HTML, 'must be sound (MP3, M4A, OGG), a video (MP4, WebM) or captions (WebVTT)'],
    ['an empty file', Buffer.alloc(0), 'must not be empty'],
    ['captions without a time', Buffer.from('WEBVTT\n\nHello'), 'must have at least one caption'],
    ['captions with a wrong time', Buffer.from('WEBVTT\n\n0:1 --> 0:2\nHello'), 'line 3 must be a time'],
    [
      'captions that end too early',
      Buffer.from('WEBVTT\n\n00:02.000 --> 00:01.000\nHello'),
      'line 3 ends before',
    ],
    [
      'captions in another encoding',
      Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n\xe9', 'latin1'),
      'UTF-8',
    ],
  ])('refuses %s', async (_name, bytes, reason) => {
    const { surveyId } = await draftSurvey(admin);
    const before = await storedBytes();
    const { details } = await expectRefused(upload(surveyId, bytes, 'spot.mp4'), 400);
    expect(details).toEqual([{ field: 'media', message: expect.stringContaining(reason) }]);
    expect(await storedBytes()).toBe(before);
  });

  it('refuses more than 50 MB, and leaves nothing of it', async () => {
    const { surveyId } = await draftSurvey(admin);
    const before = await storedBytes();
    await upload(surveyId, Buffer.concat([MP4, Buffer.alloc(50 * 1024 * 1024)])).expect(413);
    expect(await storedBytes()).toBe(before);
    await test.container.services.surveyMedia.deleteUnused();
    expect(await test.database.db('survey_media').where({ survey_id: surveyId })).toEqual([]);
  });

  it('refuses the 101st file of a survey', async () => {
    const { surveyId } = await draftSurvey(admin);
    await address(surveyId, VTT);
    await test.database.db.raw(
      `INSERT INTO survey_media (media_token, organization_id, survey_id, media_type, stored_name, size_bytes, uploaded_by)
       SELECT lpad(n::text, 32, '0'), organization_id, survey_id, media_type, gen_random_uuid(), size_bytes, uploaded_by
       FROM survey_media, generate_series(1, 99) AS n WHERE survey_id = ?`,
      [surveyId],
    );
    await expectRefused(upload(surveyId, VTT), 409, 'too_many_media');
    await test.database.db('survey_media').where('media_token', 'like', '000%').delete();
  });

  it('needs an existing survey and is recorded in the audit log', async () => {
    const { surveyId } = await draftSurvey(admin);
    await upload(surveyId + 100_000, MP4).expect(404);
    await address(surveyId, MP4);
    const { body } = await admin.get('/api/audit?action=survey.media_added').expect(200);
    expect(body.data[0]).toMatchObject({
      object_id: String(surveyId),
      details: { media_type: 'mp4', size_bytes: MP4.length },
    });
  });
});

describe('reading a part of a file', () => {
  const range = async (value: string, more: Record<string, string> = {}) => {
    const { surveyId } = await draftSurvey(admin);
    return asBytes(visitor.get(await address(surveyId, MP4)).set({ Range: value, ...more }));
  };

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=10-', 10, MP4.length - 1],
    ['bytes=-5', MP4.length - 5, MP4.length - 1],
    ['bytes=0-999999', 0, MP4.length - 1],
  ])('sends %s', async (value, start, end) => {
    const reply = await range(value);
    expect(reply.status).toBe(206);
    expect(reply.headers['content-range']).toBe(`bytes ${start}-${end}/${MP4.length}`);
    expect(reply.body).toEqual(MP4.subarray(start, end + 1));
  });

  it('replies 416 to a range after the end', async () => {
    const reply = await range('bytes=999999-');
    expect(reply.status).toBe(416);
    expect(reply.headers['content-range']).toBe(`bytes */${MP4.length}`);
  });

  it.each(['bytes=5', 'lines=1-2', 'bytes=0-1,5-6'])('sends the whole file for %s', async (value) => {
    const reply = await range(value);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(MP4);
  });

  it('sends the whole file if the client has another version', async () => {
    expect((await range('bytes=0-1', { 'If-Range': '"other"' })).status).toBe(200);
  });

  it('replies 404 to unknown addresses', async () => {
    const { surveyId } = await draftSurvey(admin);
    const known = await address(surveyId, MP4);
    for (const path of [
      known.replace('.mp4', '.webm'),
      '/media/x.mp4',
      `/media/${'a'.repeat(32)}.mp4`,
      '/media/%00',
    ])
      await visitor.get(path).expect(404);
  });
});

describe('a question with a video', () => {
  const settingsOf = async (surveyId: number, questionId: number, question_settings: object) =>
    admin.put(`/api/surveys/${surveyId}/questions/${questionId}`, { question_settings });

  it('has captions and a text, which the publish check asks for', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[text('Q1')]]);
    const media_url = await address(surveyId, MP4);
    await settingsOf(surveyId, questionIds.Q1!, { media_url }).then(({ status }) => expect(status).toBe(200));
    const warnings = async () =>
      (await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200)).body.data.warnings.map(
        ({ code, field }: { code: string; field: string }) => `${code} ${field}`,
      );
    expect(await warnings()).toEqual([
      'media_without_text pages[0].questions[0].question_settings.media_alt',
      'video_without_captions pages[0].questions[0].question_settings.media_captions',
    ]);
    const captions = await address(surveyId, VTT);
    await settingsOf(surveyId, questionIds.Q1!, { media_alt: 'A cup', media_captions: { en: captions } });
    expect(await warnings()).toEqual([]);
    const exported = (await admin.get(`/api/surveys/${surveyId}/export`).expect(200)).body.data;
    const copy = await admin.post('/api/surveys/import', exported).expect(201);
    const { questions } = (await admin.get(`/api/surveys/${copy.body.data.survey_id}`).expect(200)).body.data;
    expect(questions[0].question_settings).toMatchObject({
      media_url,
      media_alt: 'A cup',
      media_captions: { en: captions },
    });
  });

  it('refuses other addresses', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[text('Q1')]]);
    const captions = await address(surveyId, VTT);
    for (const media_url of ['https://a.example/x.mp4', '/media/short.mp4', captions, '/images/x'])
      expect((await settingsOf(surveyId, questionIds.Q1!, { media_url })).status).toBe(400);
    const reply = await settingsOf(surveyId, questionIds.Q1!, { media_captions: { en: '/x.vtt' } });
    expect(reply.status).toBe(400);
  });
});

describe('files that no survey refers to', () => {
  const age = () => test.database.db('survey_media').update({ used_at: new Date(Date.now() - 2 * DAY_MS) });

  it('are deleted a day later, with their bytes, and no others', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[text('Q1')]]);
    const [used, captions, unused] = [
      await address(surveyId, MP4),
      await address(surveyId, VTT),
      await address(surveyId, MP3),
    ];
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1!}`, {
        question_settings: { media_url: used, media_captions: { en: captions } },
      })
      .expect(200);
    const before = await storedBytes();
    await test.container.services.surveyMedia.deleteUnused();
    await visitor.get(unused).expect(200);
    await age();
    await test.container.services.surveyMedia.deleteUnused();
    await visitor.get(unused).expect(404);
    await visitor.get(used).expect(200);
    await visitor.get(captions).expect(200);
    expect(await storedBytes()).toBeLessThan(before);
  });
});
