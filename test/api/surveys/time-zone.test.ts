import { describe, expect, it, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { readSav } from '../../support/sav-reader.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';
import { createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;

const BERLIN = 'Europe/Berlin';

/** A survey with a response that began at each moment and took a minute. */
async function collected(moments: readonly string[], settings: object = {}) {
  const survey = await publishedSurvey(author, { settings, pages: [[choice('Q1')]] });
  const rows = moments.map((moment, index) => ({
    submission_id: `row-${index}`,
    answers: { Q1: '1' },
    started_at: moment,
    completed_at: new Date(Date.parse(moment) + 60_000).toISOString(),
  }));
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  return survey;
}

const change = (surveyId: number, survey_settings: object) =>
  author.put(`/api/surveys/${surveyId}`, { survey_settings });
const timezoneOf = async (surveyId: number) =>
  (await author.get(`/api/surveys/${surveyId}`).expect(200)).body.data.survey_settings.timezone as string;

async function momentsOf(surveyId: number): Promise<[string, string][]> {
  const reply = await author.get(`/api/responses/${surveyId}/grid?sort=submission_id`).expect(200);
  const rows = reply.body.data.rows as { started_at: string; completed_at: string }[];
  return rows.map(({ started_at, completed_at }) => [started_at, completed_at]);
}

describe('the survey time zone', () => {
  it('is UTC by default, and kept by exports, imports and duplicates', async () => {
    const plain = await draftSurvey(author);
    expect(await timezoneOf(plain.surveyId)).toBe('UTC');
    const created = await author
      .post('/api/surveys', { survey_name: 'Zones', survey_settings: { timezone: BERLIN } })
      .expect(201);
    const surveyId = created.body.data.survey_id as number;
    expect(await timezoneOf(surveyId)).toBe(BERLIN);
    const document = (await author.get(`/api/surveys/${surveyId}/export`).expect(200)).body as object;
    const imported = await author.post('/api/surveys/import', document).expect(201);
    expect(await timezoneOf(imported.body.data.survey_id)).toBe(BERLIN);
    const copy = await author.post(`/api/surveys/${surveyId}/duplicate`).expect(201);
    expect(await timezoneOf(copy.body.data.survey_id)).toBe(BERLIN);
    await change(surveyId, { timezone: null }).expect(200);
    expect(await timezoneOf(surveyId)).toBe('UTC');
  });

  it.each(['Berlin', 'Mars/Olympus', '+01:00', '', 1])('is rejected as %j', async (timezone) => {
    const { surveyId } = await draftSurvey(author);
    await expectInvalidField(change(surveyId, { timezone }), 'survey_settings.timezone');
    await expectInvalidField(
      author.post('/api/surveys', { survey_name: 'Zones', survey_settings: { timezone } }),
      'survey_settings.timezone',
    );
    expect(await timezoneOf(surveyId)).toBe('UTC');
  });
});

/** Around midnight in Berlin (UTC+1 in March 2026), and in the night that has 23 hours. */
const NIGHT = [
  '2026-03-01T22:59:59Z',
  '2026-03-01T23:00:00Z',
  '2026-03-28T23:30:00Z',
  '2026-03-29T21:59:00Z',
];

describe('days', () => {
  it('of charts follow the time zone as soon as it changes', async () => {
    const { surveyId } = await collected(NIGHT);
    const board = await newDashboard(author);
    const byPeriod = async (period: string) => {
      const reply = await author
        .post(`${board.at}/chart-data`, {
          survey_id: surveyId,
          chart_type: 'line',
          dimension: { column_code: 'started_at', period },
        })
        .expect(200);
      const { categories, series } = reply.body.data as {
        categories: { value: string }[];
        series: { counts: number[] }[];
      };
      const counted = categories.map(({ value }, index) => [value, series[0]!.counts[index]]);
      return counted.filter(([, count]) => count !== 0);
    };
    expect(await byPeriod('day')).toEqual([
      ['2026-03-01', 2],
      ['2026-03-28', 1],
      ['2026-03-29', 1],
    ]);
    await change(surveyId, { timezone: BERLIN }).expect(200);
    expect(await byPeriod('day')).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 1],
      ['2026-03-29', 2],
    ]);
    expect(await byPeriod('week')).toEqual([
      ['2026-02-23', 1],
      ['2026-03-02', 1],
      ['2026-03-23', 2],
    ]);
    await change(surveyId, { timezone: 'Pacific/Auckland' }).expect(200);
    expect(await byPeriod('day')).toEqual([
      ['2026-03-02', 2],
      ['2026-03-29', 1],
      ['2026-03-30', 1],
    ]);
  });

  it('of distributions and filters follow it too', async () => {
    const { surveyId } = await collected(NIGHT, { timezone: BERLIN });
    const reply = await author.get(`/api/responses/${surveyId}/distribution/started_at`).expect(200);
    const categories = reply.body.data.categories as { value: string; count: number }[];
    expect(categories.map(({ value, count }) => [value, count])).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 1],
      ['2026-03-29', 2],
    ]);
    const filtered = async (operator: string, right: string | string[]) => {
      const filter = JSON.stringify({ left: { code: 'started_at' }, operator, right });
      const grid = await author
        .get(`/api/responses/${surveyId}/grid?filter=${encodeURIComponent(filter)}`)
        .expect(200);
      return (grid.body.data.rows as { submission_id: string }[]).map((row) => row.submission_id);
    };
    expect(await filtered('equals', '2026-03-02')).toEqual(['row-1']);
    expect(await filtered('equals', '2026-03-29')).toEqual(['row-2', 'row-3']);
    expect(await filtered('before', '2026-03-02')).toEqual(['row-0']);
    expect(await filtered('gte', '2026-03-02T00:00:00+01:00')).toEqual(['row-1', 'row-2', 'row-3']);
    expect(await filtered('between', ['2026-03', '2026-03'])).toHaveLength(4);
  });

  it('of waves and links follow it too, including those of 23 hours', async () => {
    const { surveyId } = await draftSurvey(author, { settings: { timezone: BERLIN }, pages: [[]] });
    const wave = await createWave(author, surveyId, {
      wave_start_date: '2031-03-30',
      wave_end_date: '2031-03-30',
    });
    expect(wave).toMatchObject({
      wave_start_date: '2031-03-29T23:00:00.000Z',
      wave_end_date: '2031-03-30T22:00:00.000Z',
    });
    const moved = await author
      .put(`/api/surveys/waves/${wave.wave_id}`, { wave_end_date: '2031-10-26' })
      .expect(200);
    expect(moved.body.data.wave_end_date).toBe('2031-10-26T23:00:00.000Z');
    const exact = await author
      .put(`/api/surveys/waves/${wave.wave_id}`, { wave_start_date: '2031-03-30T00:00:00Z' })
      .expect(200);
    expect(exact.body.data.wave_start_date).toBe('2031-03-30T00:00:00.000Z');
    const link = await author
      .post(`/api/surveys/${surveyId}/links`, { expires_at: '2031-03-30' })
      .expect(201);
    expect(link.body.data.expires_at).toBe('2031-03-30T22:00:00.000Z');
    const batch = await author
      .post('/api/surveys/links/batch', {
        action: 'create',
        survey_id: surveyId,
        count: 1,
        expires_at: '2031-01-01',
      })
      .expect(201);
    expect(batch.body.data.links[0].expires_at).toBe('2031-01-01T23:00:00.000Z');
  });

  it('of an anonymous survey follow it too, in data, files, charts and windows of changes', async () => {
    const { surveyId } = await collected(NIGHT, { timezone: BERLIN, anonymous: true });
    const started = async () => (await momentsOf(surveyId)).map(([moment]) => moment);
    expect(await started()).toEqual([
      '2026-02-28T23:00:00.000Z',
      '2026-03-01T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
    ]);
    const file = await author
      .post(`/api/responses/${surveyId}/export`, { columns: ['started_at'], timezone: 'Asia/Tokyo' })
      .expect(200);
    expect(file.text.trim().split('\r\n').slice(1)).toEqual([
      '2026-03-01T00:00:00.000+01:00',
      '2026-03-02T00:00:00.000+01:00',
      '2026-03-29T00:00:00.000+01:00',
      '2026-03-29T00:00:00.000+01:00',
    ]);
    const grid = await author
      .get(`/api/responses/${surveyId}/grid?updated_since=2026-01-01T00:00:00Z`)
      .expect(200);
    const until = grid.body.meta.updated_until as string;
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: BERLIN });
    expect(clock.format(new Date(until))).toBe('00:00:00');
    const next = await author.get(`/api/responses/${surveyId}/grid?updated_since=${until}`).expect(200);
    expect(next.body.meta.updated_until).toBe(until);
  });

  it('of an anonymous survey with responses cannot be moved to another time zone', async () => {
    const { surveyId } = await collected(NIGHT, { timezone: BERLIN, anonymous: true });
    const before = await momentsOf(surveyId);
    for (const timezone of ['UTC', 'Asia/Kathmandu', null]) {
      const refusal = await expectRefused(change(surveyId, { timezone }), 409, 'anonymous_promised');
      expect(refusal.details).toEqual([
        {
          field: 'survey_settings.timezone',
          message: 'cannot be changed: the anonymous survey has responses',
        },
      ]);
    }
    expect(await timezoneOf(surveyId)).toBe(BERLIN);
    expect(await momentsOf(surveyId)).toEqual(before);
    await change(surveyId, { timezone: BERLIN, color: '#112233' }).expect(200);
  });

  it('of an anonymous survey with test responses only can be moved', async () => {
    const { surveyId } = await publishedSurvey(author, {
      settings: { timezone: BERLIN, anonymous: true },
      pages: [[choice('Q1')]],
    });
    await author.post(`/api/responses/${surveyId}/seed`, { count: 3 }).expect(201);
    await change(surveyId, { timezone: 'UTC' }).expect(200);
    expect(await timezoneOf(surveyId)).toBe('UTC');
  });
});

/** The hour that clocks leave out on 29 March, and the one that they show twice on 25 October, with what is around them. */
const SWITCHES = [
  '2025-03-30T00:59:30.000Z',
  '2025-03-30T01:00:00.000Z',
  '2025-10-25T23:59:59.500Z',
  '2025-10-26T00:30:00.000Z',
  '2025-10-26T02:00:00.000Z',
];

/** The second occurrence of the same wall-clock hour. */
const SECOND_OCCURRENCE = [
  '2025-10-26T00:59:30.000Z',
  '2025-10-26T01:00:00.000Z',
  '2025-10-26T01:30:00.250Z',
  '2025-10-26T01:59:59.999Z',
];

describe('a file', () => {
  const columns = ['submission_id', 'Q1', 'started_at', 'completed_at'];

  it('shows timestamps in the time zone of the survey, or of the request', async () => {
    const { surveyId } = await collected(SWITCHES, { timezone: BERLIN });
    const csv = async (body: object) =>
      (
        await author
          .post(`/api/responses/${surveyId}/export`, { columns: ['started_at'], ...body })
          .expect(200)
      ).text
        .trim()
        .split('\r\n')
        .slice(1, 3);
    expect(await csv({})).toEqual(['2025-03-30T01:59:30.000+01:00', '2025-03-30T03:00:00.000+02:00']);
    expect(await csv({ timezone: 'America/New_York' })).toEqual([
      '2025-03-29T20:59:30.000-04:00',
      '2025-03-29T21:00:00.000-04:00',
    ]);
    expect(await csv({ timezone: 'UTC' })).toEqual(SWITCHES.slice(0, 2));
    await expectInvalidField(
      author.post(`/api/responses/${surveyId}/export`, { timezone: 'Berlin' }),
      'timezone',
    );
  });

  it.each([
    ['spss', 'sav'],
    ['xlsx', 'xlsx'],
    ['csv', 'csv'],
  ])('of type %s keeps every timestamp when imported again', async (format, extension) => {
    // A sheet of .xlsx cannot tell the second occurrence of an hour from the first.
    const moments = format === 'xlsx' ? SWITCHES : [...SWITCHES, ...SECOND_OCCURRENCE];
    const original = await collected(moments, { timezone: BERLIN });
    const { file } = await exportResponses(author, original.surveyId, { format, columns });
    const copy = await publishedSurvey(author, {
      settings: { timezone: BERLIN },
      pages: [[choice('Q1')]],
    });
    await withFile(
      author.post(`/api/responses/${copy.surveyId}/import`),
      file,
      {},
      `file.${extension}`,
    ).expect(201);
    expect(await momentsOf(copy.surveyId)).toEqual(await momentsOf(original.surveyId));
  });

  it('in another time zone is read with the same timezone parameter', async () => {
    const original = await collected(SWITCHES, { timezone: BERLIN });
    const timezone = 'America/New_York';
    const { file } = await exportResponses(author, original.surveyId, { format: 'spss', columns, timezone });
    const copy = await publishedSurvey(author, [[choice('Q1')]]);
    const at = `/api/responses/${copy.surveyId}/import`;
    await expectInvalidField(
      withFile(author.post(at), file, { timezone: 'Nowhere' }, 'file.sav'),
      'timezone',
    );
    await withFile(author.post(at), file, { timezone }, 'file.sav').expect(201);
    expect(await momentsOf(copy.surveyId)).toEqual(await momentsOf(original.surveyId));
  });

  it('imported as a survey sets its time zone, so that it is exported unchanged', async () => {
    const original = await collected(SWITCHES, { timezone: BERLIN });
    const { file } = await exportResponses(author, original.surveyId, { format: 'spss', columns });
    const created = await withFile(
      author.post('/api/surveys/import-data'),
      file,
      { timezone: BERLIN },
      'file.sav',
    ).expect(201);
    const surveyId = created.body.data.survey_id as number;
    expect(await timezoneOf(surveyId)).toBe(BERLIN);
    expect(await momentsOf(surveyId)).toEqual(await momentsOf(original.surveyId));
    const repeated = await exportResponses(author, surveyId, { format: 'spss', columns });
    expect(readSav(repeated.file).rows).toEqual(readSav(file).rows);
  });

  it('uses the first of a repeated hour, but never an end before the start', async () => {
    const { surveyId } = await publishedSurvey(author, {
      settings: { timezone: BERLIN },
      pages: [[choice('Q1')]],
    });
    const lines = [
      'submission_id,Q1,started_at,completed_at',
      'row-0,1,2025-10-26T02:30:00,2025-10-26T02:40:00',
      'row-1,1,2025-10-26T02:50:00,2025-10-26T02:10:00',
      'row-2,1,2025-03-30T02:30:00,2025-03-30T03:40:00',
    ];
    const send = (...more: string[]) =>
      withFile(
        author.post(`/api/responses/${surveyId}/import`),
        [lines[0], ...more].join('\r\n'),
        {},
        'file.csv',
      );
    await send(...lines.slice(1)).expect(201);
    expect(await momentsOf(surveyId)).toEqual([
      ['2025-10-26T00:30:00.000Z', '2025-10-26T00:40:00.000Z'],
      ['2025-10-26T00:50:00.000Z', '2025-10-26T01:10:00.000Z'],
      ['2025-03-30T01:30:00.000Z', '2025-03-30T01:40:00.000Z'],
    ]);
    const withOffsets = 'row-3,1,2025-10-26T02:50:00+02:00,2025-10-26T02:10:00+02:00';
    expect((await expectRefused(send(withOffsets), 400)).message).toContain('before started_at');
  });
});

test('respondents do not get the time zone', async () => {
  const { surveyId, linkToken } = await publishedSurvey(author, {
    settings: { timezone: BERLIN },
    pages: [[choice('Q1')]],
  });
  expect(surveyId).toBeGreaterThan(0);
  const reply = await author.get(`/api/public/s/${linkToken}`).expect(200);
  expect(JSON.stringify(reply.body)).not.toContain(BERLIN);
});
