import { beforeAll, describe, expect, test } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { daysFromNow, type Wave, createWave } from '../../support/waves.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
const WAVES = '/api/surveys/waves';
let survey: PublishedSurvey;
let stranger: Actor;

beforeAll(async () => {
  survey = await publishedSurvey(author);
  stranger = (await newOrganization(app)).admin;
});

const make = (body: object, who = author) =>
  who.post(WAVES, { survey_id: survey.surveyId, wave_name: 'Wave', ...body });
const change = (wave: Wave, body: object, who = author) => who.put(`${WAVES}/${wave.wave_id}`, body);
const list = async (query: string, who = author): Promise<Wave[]> =>
  (await who.get(`${WAVES}?${query}`).expect(200)).body.data;
const read = async (wave: Wave): Promise<Wave> =>
  (await author.get(`${WAVES}/${wave.wave_id}`).expect(200)).body.data;

describe('a wave', () => {
  test('is created with only a survey and a name: open immediately, without an end', async () => {
    const { body } = await make({ wave_name: '  Spring ' }).expect(201);
    expect(body.data).toEqual({
      wave_id: expect.any(Number),
      survey_id: survey.surveyId,
      wave_name: 'Spring',
      wave_status: 'active',
      wave_start_date: null,
      wave_end_date: null,
      completed: 0,
      target: null,
      created_at: expect.any(String),
    });
    expect(await read(body.data)).toEqual(body.data);
  });

  test('derives its status from its dates; a plain date is the start of the day, or all of it as an end', async () => {
    const day = { wave_start_date: '2031-03-01', wave_end_date: '2031-03-01', target: 400 };
    expect(await createWave(author, survey.surveyId, day)).toMatchObject({
      wave_status: 'scheduled',
      wave_start_date: '2031-03-01T00:00:00.000Z',
      wave_end_date: '2031-03-02T00:00:00.000Z',
      target: 400,
    });
    const past = { wave_end_date: '2021-03-01T09:30:00+02:00' };
    expect(await createWave(author, survey.surveyId, past)).toMatchObject({
      wave_status: 'ended',
      wave_end_date: '2021-03-01T07:30:00.000Z',
    });
  });

  test('changes only the given fields, and accepts an unchanged copy', async () => {
    const wave = await createWave(author, survey.surveyId, {
      wave_name: 'May',
      wave_end_date: daysFromNow(2),
      target: 50,
    });
    expect((await change(wave, wave).expect(200)).body.data).toEqual(wave);
    const named = await change(wave, { wave_name: 'June' }).expect(200);
    expect(named.body.data).toEqual({ ...wave, wave_name: 'June' });
    const open = await change(wave, { wave_end_date: null, target: null }).expect(200);
    expect(open.body.data).toEqual({ ...wave, wave_name: 'June', wave_end_date: null, target: null });
    const ended = await change(wave, { wave_end_date: daysFromNow(-1) }).expect(200);
    expect(ended.body.data.wave_status).toBe('ended');
  });

  test('records changes in the audit log, with old and new dates', async () => {
    const wave = await createWave(author, survey.surveyId);
    await change(wave, {}).expect(200);
    const end = daysFromNow(3);
    await change(wave, { wave_end_date: end }).expect(200);
    const { rows } = await app.database.db.raw(
      `SELECT action, details FROM audit_log WHERE object_type = 'wave' AND object_id = ? ORDER BY audit_id`,
      [wave.wave_id],
    );
    expect(rows).toMatchObject([
      { action: 'wave.created' },
      {
        action: 'wave.updated',
        details: {
          fields: ['wave_end_date'],
          before: { wave_end_date: null },
          after: { wave_end_date: end },
          responses: 0,
        },
      },
    ]);
  });

  test('can be deleted', async () => {
    const wave = await createWave(author, survey.surveyId);
    await author.delete(`${WAVES}/${wave.wave_id}`).expect(204);
    await expectRefused(author.get(`${WAVES}/${wave.wave_id}`), 404);
    await expectRefused(change(wave, { wave_name: 'Again' }), 404);
    await expectRefused(author.delete(`${WAVES}/${wave.wave_id}`), 404);
    expect((await list('')).map((wave) => wave.wave_id)).not.toContain(wave.wave_id);
  });

  test('cannot be deleted while a link belongs to it', async () => {
    const wave = await createWave(author, survey.surveyId);
    const link = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { wave_id: wave.wave_id })
      .expect(201);
    const refusal = await expectRefused(author.delete(`${WAVES}/${wave.wave_id}`), 409, 'wave_has_links');
    expect(refusal.message).toContain('1 link');
    await author.delete(`/api/surveys/${survey.surveyId}/links/${link.body.data.link_id}`).expect(204);
    await author.delete(`${WAVES}/${wave.wave_id}`).expect(204);
  });
});

describe('invalid input', () => {
  test.each([
    ['survey_id', undefined],
    ['survey_id', '1'],
    ['survey_id', 1.5],
    ['survey_id', -1],
    ['wave_name', undefined],
    ['wave_name', ''],
    ['wave_name', '   '],
    ['wave_name', 'x'.repeat(201)],
    ['wave_name', { $ne: 1 }],
    ['wave_start_date', 'tomorrow'],
    ['wave_start_date', 'infinity'],
    ['wave_start_date', '2026-02-30'],
    ['wave_start_date', '2026-03-01T09:30:00'],
    ['wave_end_date', 1772323200],
    ['wave_end_date', '2026-02-30T00:00:00Z'],
    ['wave_end_date', ''],
    ['target', 0],
    ['target', 1.5],
    ['target', 1e12],
    ['target', '5'],
    ['quotas', []],
    ['wave_status', 'active'],
  ])('%s %j is rejected by name, and nothing is created', async (field, value) => {
    const before = (await author.get(`${WAVES}/count`).expect(200)).body.data.count;
    await expectInvalidField(make({ [field]: value }), field);
    expect((await author.get(`${WAVES}/count`).expect(200)).body.data.count).toBe(before);
  });

  test('quotes an invalid date', async () => {
    const { body } = await make({ wave_start_date: '2026-02-30' }).expect(400);
    expect(body.details[0].message).toMatch(/^must be a date such as .*, not "2026-02-30"$/);
  });

  test('rejects an end that is not after the start, also against stored dates', async () => {
    const reversed = { wave_start_date: '2026-03-02', wave_end_date: '2026-03-01T12:00:00Z' };
    await expectInvalidField(make(reversed), 'wave_end_date');
    const same = { wave_start_date: '2026-03-02T08:00:00Z', wave_end_date: '2026-03-02T09:00:00+01:00' };
    await expectInvalidField(make(same), 'wave_end_date');
    const wave = await createWave(author, survey.surveyId, {
      wave_start_date: '2026-03-02',
      wave_end_date: '2026-03-31',
    });
    await expectInvalidField(change(wave, { wave_end_date: '2026-03-01' }), 'wave_end_date');
    await expectInvalidField(change(wave, { wave_start_date: '2026-04-02' }), 'wave_start_date');
    await expectInvalidField(change(wave, { wave_name: null }), 'wave_name');
    expect(await read(wave)).toEqual(wave);
  });

  test('accepts dates from the year 1 to 9999-12-31', async () => {
    const wave = await createWave(author, survey.surveyId, {
      wave_start_date: '0001-01-01',
      wave_end_date: '9999-12-31',
    });
    expect(await read(wave)).toMatchObject({
      wave_status: 'active',
      wave_start_date: '0001-01-01T00:00:00.000Z',
      wave_end_date: '9999-12-31T23:59:59.999Z',
    });
    await expectInvalidField(make({ wave_start_date: '0000-12-31' }), 'wave_start_date');
    await expectInvalidField(make({ wave_end_date: '0000-01-01T00:00:00Z' }), 'wave_end_date');
  });

  test('rejects a change of the survey', async () => {
    const other = await publishedSurvey(author);
    const wave = await createWave(author, survey.surveyId);
    await expectInvalidField(change(wave, { survey_id: other.surveyId }), 'survey_id');
    await change(wave, { survey_id: survey.surveyId }).expect(200);
  });
});

describe('other callers', () => {
  test('get 404 for the survey and the wave', async () => {
    await expectRefused(make({}, stranger), 404);
    await expectRefused(make({ survey_id: MISSING_ID }), 404);
    const wave = await createWave(author, survey.surveyId);
    for (const id of [wave.wave_id, MISSING_ID]) {
      await expectRefused(stranger.get(`${WAVES}/${id}`), 404);
      await expectRefused(stranger.put(`${WAVES}/${id}`, { wave_name: 'Mine' }), 404);
      await expectRefused(stranger.delete(`${WAVES}/${id}`), 404);
    }
    expect(await list('', stranger)).toEqual([]);
    expect(await list(`survey_id=${survey.surveyId}`, stranger)).toEqual([]);
    expect((await stranger.get(`${WAVES}/active-by-survey`).expect(200)).body.data).toEqual({});
    expect(await read(wave)).toEqual(wave);
  });

  test('filters by workspace_id', async () => {
    const wave = await createWave(author, survey.surveyId);
    const elsewhere = await author.post('/api/workspaces', { workspace_name: 'Elsewhere' }).expect(201);
    const workspaceId: number = elsewhere.body.data.workspace_id;
    await expectRefused(author.get(`${WAVES}/${wave.wave_id}?workspace_id=${workspaceId}`), 404);
    await expectRefused(author.put(`${WAVES}/${wave.wave_id}?workspace_id=${workspaceId}`, {}), 404);
    expect(await list(`workspace_id=${workspaceId}`)).toEqual([]);
  });
});

describe('the wave list', () => {
  let own: { admin: Actor; surveyIds: number[]; waves: Wave[] };

  beforeAll(async () => {
    const { admin } = await newOrganization(app);
    const surveys = [await publishedSurvey(admin), await publishedSurvey(admin)];
    const waves: Wave[] = [];
    for (const { surveyId } of surveys) {
      waves.push(await createWave(admin, surveyId, { wave_name: 'Past', wave_end_date: daysFromNow(-1) }));
      waves.push(
        await createWave(admin, surveyId, { wave_name: 'Present', wave_start_date: daysFromNow(-1) }),
      );
      waves.push(await createWave(admin, surveyId, { wave_name: 'Future', wave_start_date: daysFromNow(1) }));
    }
    waves.push(await createWave(admin, surveys[1]!.surveyId, { wave_name: 'Always' }));
    own = { admin, surveyIds: surveys.map(({ surveyId }) => surveyId), waves };
  });

  test('is newest first, and returns each wave once over its pages', async () => {
    const listedWaves: Wave[] = [];
    let cursor = '';
    do {
      const { body } = await own.admin.get(`${WAVES}?limit=3${cursor}`).expect(200);
      expect(body.meta).toMatchObject({ limit: 3, total: 7 });
      listedWaves.push(...body.data);
      cursor = body.meta.next_cursor === null ? '' : `&cursor=${body.meta.next_cursor}`;
    } while (cursor !== '');
    expect(listedWaves).toEqual([...own.waves].reverse());
    expect(await list('limit=3&page=3', own.admin)).toEqual([own.waves[0]]);
  });

  test('filters by survey and status, and so does the count', async () => {
    const [first, second] = own.surveyIds;
    const names = async (query: string) => (await list(query, own.admin)).map((wave) => wave.wave_name);
    expect(await names(`survey_id=${first}`)).toEqual(['Future', 'Present', 'Past']);
    expect(await names('wave_status=ended')).toEqual(['Past', 'Past']);
    expect(await names(`wave_status=active&survey_id=${second}`)).toEqual(['Always', 'Present']);
    const count = async (query: string) =>
      (await own.admin.get(`${WAVES}/count?${query}`).expect(200)).body.data;
    expect(await count('')).toEqual({ count: 7, scheduled: 2, active: 3, ended: 2 });
    expect(await count(`wave_status=active&survey_id=${second}`)).toEqual({
      count: 2,
      scheduled: 0,
      active: 2,
      ended: 0,
    });
    await expectInvalidField(own.admin.get(`${WAVES}?wave_status=open`), 'wave_status');
    await expectInvalidField(own.admin.get(`${WAVES}?survey_id=x`), 'survey_id');
    await expectInvalidField(own.admin.get(`${WAVES}?cursor=x`), 'cursor');
  });

  test('of active waves is by survey', async () => {
    const { body } = await own.admin.get(`${WAVES}/active-by-survey`).expect(200);
    const [first, second] = own.surveyIds;
    expect(body.data).toEqual({ [first!]: [own.waves[1]], [second!]: [own.waves[4], own.waves[6]] });
  });

  test('excludes deleted surveys', async () => {
    const deletedSurvey = await publishedSurvey(own.admin);
    const wave = await createWave(own.admin, deletedSurvey.surveyId);
    await own.admin.delete(`/api/surveys/${deletedSurvey.surveyId}`).expect(204);
    expect((await list('', own.admin)).map((wave) => wave.wave_id)).not.toContain(wave.wave_id);
    await expectRefused(own.admin.get(`${WAVES}/${wave.wave_id}`), 404);
  });
});
