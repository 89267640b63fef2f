import { describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp({ TRUST_PROXY: '1' });
const author = useOrganization(app).admin;
const respondent = anonymous(app);

const PAGES = [
  [choice('Q1')],
  [
    {
      question_type: 'matrix',
      question_code: 'M',
      question_text: 'Rate',
      question_settings: { rows: ['a', 'b', 'c', 'd'].map((code) => ({ row_code: code, row_label: code })) },
      options: ['1', '2', '3'].map((value) => ({ option_label: value, option_value: value })),
    },
    text('T'),
  ],
];
const STRAIGHT = { a: '2', b: '2', c: '2', d: '2' };
const VARIED = { a: '2', b: '1', c: '2', d: '3' };

/** A survey of two pages with these settings; `check` makes Q1 an attention check that wants option 2. */
async function surveyWith(quality: object, settings: object = {}, check = false): Promise<PublishedSurvey> {
  const survey = await publishedSurvey(author, PAGES);
  const attention_checks = check ? [{ question_id: survey.questionIds.Q1, expected: '2' }] : [];
  await author
    .put(`/api/surveys/${survey.surveyId}`, {
      quality_settings: { ...quality, attention_checks },
      survey_settings: settings,
    })
    .expect(200);
  return survey;
}

const submit = (survey: PublishedSurvey, body: object, address = '192.0.2.1') =>
  respondent
    .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '2' }, ...body })
    .set('X-Forwarded-For', address);

async function begun(survey: PublishedSurvey, body: object = {}) {
  const reply = await submit(survey, { status: 'partial', answers: {}, ...body });
  expect(reply.status, reply.text).toBe(201);
  const path = `/api/public/s/${survey.linkToken}/responses/${reply.body.data.response_token}`;
  return {
    responseId: reply.body.data.response_id as number,
    save: (patch: object) => respondent.patch(path, patch),
    complete: (answers: object = {}) => respondent.post(`${path}/complete`, { answers }),
  };
}

interface StoredRow {
  response_id: number;
  response_status: string;
  status_reason: string | null;
  quality: { flags: { check: string; metric: string; value: unknown }[] } | null;
  page_times: Record<string, number> | null;
  address_hash: string | null;
  fingerprint: string | null;
  external_id: string | null;
  consented_at: Date | null;
  duration_seconds: number | null;
}
async function stored(survey: PublishedSurvey): Promise<StoredRow[]> {
  const result = await app.database.db.raw(
    'SELECT * FROM responses WHERE survey_id = ? ORDER BY response_id',
    [survey.surveyId],
  );
  return (result as { rows: StoredRow[] }).rows;
}
const checksOf = (row: StoredRow | undefined) => row?.quality?.flags.map((flag) => flag.check) ?? null;

/** As if this many had completed it in so many seconds each. */
async function completedBefore(survey: PublishedSurvey, count: number, seconds: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    answers: { Q1: '2' },
    started_at: '2026-01-01T10:00:00Z',
    completed_at: new Date(Date.UTC(2026, 0, 1, 10, 0, seconds)).toISOString(),
  }));
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
}

/** Moves the start of the response back by this many seconds. */
async function ago(responseId: number, seconds: number): Promise<void> {
  const responses = () => app.database.db('responses').where({ response_id: responseId });
  const [row] = await responses().select('started_at');
  await responses().update({ started_at: new Date(row!.started_at.getTime() - seconds * 1_000) });
}

describe('a failed attention check', () => {
  test('screens out with the action screen_out, in one call or page by page', async () => {
    const survey = await surveyWith({ action: 'screen_out' }, {}, true);
    const atOnce = await submit(survey, { answers: { Q1: '1' } }).expect(201);
    expect(atOnce.body.data).toMatchObject({ response_status: 'screened_out', status_reason: 'quality' });
    const { save, complete } = await begun(survey);
    await save({ answers: { Q1: '3' }, page_id: survey.pageIds[0] }).expect(200);
    const ended = await complete().expect(200);
    expect(ended.body.data).toMatchObject({ response_status: 'screened_out', status_reason: 'quality' });
    // A retry says the same.
    expect((await complete().expect(200)).body.data).toEqual(ended.body.data);
    for (const row of await stored(survey)) {
      expect(row).toMatchObject({ response_status: 'screened_out', status_reason: 'quality' });
      expect(checksOf(row)).toEqual(['attention_check']);
    }
  });

  test('only flags with the action flag', async () => {
    const survey = await surveyWith({ action: 'flag' }, {}, true);
    const reply = await submit(survey, { answers: { Q1: '1' } }).expect(201);
    expect(reply.body.data).toMatchObject({ response_status: 'complete', status_reason: null });
    const { complete } = await begun(survey);
    expect((await complete({ Q1: '1' }).expect(200)).body.data.response_status).toBe('complete');
    expect((await stored(survey)).map(checksOf)).toEqual([['attention_check'], ['attention_check']]);
  });

  test('sets no flag when it is passed', async () => {
    const survey = await surveyWith({ action: 'screen_out' }, {}, true);
    await submit(survey, { answers: { Q1: '2', M: VARIED } }).expect(201);
    expect(await stored(survey)).toMatchObject([{ response_status: 'complete', quality: null }]);
  });
});

test('shows the flags in the grid', async () => {
  const survey = await surveyWith({ action: 'flag' }, {}, true);
  await submit(survey, { answers: { Q1: '1' } }).expect(201);
  await submit(survey, { answers: { Q1: '2' } }).expect(201);
  const grid = await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
  expect(grid.body.data.rows.map((row: { quality: unknown }) => row.quality)).toEqual([
    {
      status: 'pending',
      flags: [
        {
          check: 'attention_check',
          severity: 'high',
          metric: 'answer',
          value: '1',
          threshold: '2',
          column_codes: ['Q1'],
          review: 'pending',
          reviewed_by: null,
          reviewed_at: null,
        },
      ],
    },
    null,
  ]);
});

describe('a straightliner', () => {
  const answers = { Q1: '2', M: STRAIGHT };

  test('is screened out with the action screen_out', async () => {
    const survey = await surveyWith({ action: 'screen_out' });
    await submit(survey, { answers }).expect(201);
    await submit(survey, { answers: { ...answers, M: VARIED } }).expect(201);
    const rows = await stored(survey);
    expect(rows.map((row) => row.status_reason)).toEqual(['quality', null]);
    expect(rows[0]!.quality!.flags).toMatchObject([{ check: 'straightliner', value: 1 }]);
  });

  test('is left to the later check with the action flag, or if disabled', async () => {
    for (const quality of [{}, { action: 'screen_out', straightliner: { enabled: false } }]) {
      const survey = await surveyWith(quality);
      await submit(survey, { answers }).expect(201);
      expect(await stored(survey)).toMatchObject([{ response_status: 'complete', quality: null }]);
    }
  });
});

describe('a speeder', () => {
  const quality = { action: 'screen_out', speeder: { min_completes: 3 } };

  test('took less than half the median of the completes, once there are enough', async () => {
    const survey = await surveyWith(quality);
    await completedBefore(survey, 2, 300);
    const early = await begun(survey);
    await ago(early.responseId, 10);
    expect((await early.complete().expect(200)).body.data.response_status).toBe('complete');
    await completedBefore(survey, 3, 300);
    const fast = await begun(survey);
    await ago(fast.responseId, 149);
    expect((await fast.complete().expect(200)).body.data).toMatchObject({
      response_status: 'screened_out',
      status_reason: 'quality',
    });
    const slow = await begun(survey);
    await ago(slow.responseId, 155);
    expect((await slow.complete().expect(200)).body.data.response_status).toBe('complete');
    expect(checksOf((await stored(survey)).find((row) => row.response_id === fast.responseId))).toEqual([
      'speeder',
    ]);
  });

  test('is screened out below the minimum duration from the first response on', async () => {
    const survey = await surveyWith({ action: 'screen_out', speeder: { min_seconds: 30 } });
    const { complete } = await begun(survey);
    expect((await complete().expect(200)).body.data.status_reason).toBe('quality');
  });

  test('is not detected without a known duration', async () => {
    const survey = await surveyWith({ action: 'screen_out', speeder: { min_seconds: 30 } });
    const reply = await submit(survey, {}).expect(201);
    expect(reply.body.data.response_status).toBe('complete');
    expect(await stored(survey)).toMatchObject([{ duration_seconds: null }]);
  });
});

describe('a second response from the same address', () => {
  const block = { duplicate: { block_ip: true } };

  test('is rejected before anything is stored, whether started or submitted in one call', async () => {
    const survey = await surveyWith(block);
    await submit(survey, { status: 'partial', submission_id: 'mine' }).expect(201);
    await expectRefused(submit(survey, { status: 'partial' }), 409, 'duplicate_response');
    await expectRefused(submit(survey, {}), 409, 'duplicate_response');
    // The first one may be retried.
    await submit(survey, { status: 'partial', submission_id: 'mine' }).expect(200);
    await submit(survey, {}, '192.0.2.2').expect(201);
    expect(await stored(survey)).toHaveLength(2);
  });

  test('is rejected under concurrent submissions', async () => {
    const survey = await surveyWith(block);
    const replies = await Promise.all(Array.from({ length: 20 }, () => submit(survey, {})));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201, 409]));
    expect(await stored(survey)).toHaveLength(1);
  });

  test('is rejected for the same IPv6 network, whose addresses rotate', async () => {
    const survey = await surveyWith(block);
    await submit(survey, {}, '2001:db8:1:2::1').expect(201);
    await expectRefused(submit(survey, {}, '2001:db8:1:2:a:b:c:d'), 409, 'duplicate_response');
    await submit(survey, {}, '2001:db8:1:3::1').expect(201);
  });

  test('is accepted by default, without storing an address', async () => {
    const survey = await surveyWith({});
    await submit(survey, { fingerprint: 'f'.repeat(32) }).expect(201);
    await submit(survey, {}).expect(201);
    expect(await stored(survey)).toMatchObject([
      { address_hash: null, fingerprint: null, quality: null },
      { address_hash: null },
    ]);
  });

  test('is accepted after the first was deleted', async () => {
    const survey = await surveyWith(block);
    await submit(survey, {}).expect(201);
    await app.database.db.raw('UPDATE responses SET deleted_at = now() WHERE survey_id = ?', [
      survey.surveyId,
    ]);
    await submit(survey, {}).expect(201);
  });

  test('is flagged if configured, while the first is not', async () => {
    const survey = await surveyWith({ duplicate: { ip: true, fingerprint: true } });
    await submit(survey, { fingerprint: 'abcdefgh12345678' }).expect(201);
    await submit(survey, {}).expect(201);
    const other = await begun(survey, { fingerprint: 'abcdefgh12345678' });
    await other.complete({ Q1: '1' }).expect(200);
    const rows = await stored(survey);
    expect(rows.map((row) => row.quality?.flags.map((flag) => flag.metric) ?? [])).toEqual([
      [],
      ['address'],
      ['address', 'fingerprint'],
    ]);
    expect(rows.every((row) => row.response_status === 'complete')).toBe(true);
  });
});

describe('an address', () => {
  test('is stored as a hash that differs between surveys', async () => {
    const surveys = [
      await surveyWith({ duplicate: { block_ip: true } }),
      await surveyWith({ duplicate: { block_ip: true } }),
    ];
    const hashes: (string | null)[] = [];
    for (const survey of surveys) {
      await submit(survey, {}, '192.0.2.77').expect(201);
      hashes.push((await stored(survey))[0]!.address_hash);
    }
    expect(hashes[0]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(hashes[1]).not.toBe(hashes[0]);
    expect(JSON.stringify(await stored(surveys[0]!))).not.toContain('192.0.2.77');
  });
});

describe('an anonymous survey', () => {
  test('stores no address, fingerprint or external id, whatever the settings', async () => {
    const duplicate = { block_ip: true, ip: true, fingerprint: true };
    const survey = await surveyWith({ duplicate }, { anonymous: true });
    for (let i = 0; i < 2; i += 1) {
      await submit(survey, { fingerprint: 'abcdefgh12345678', external_id: 'p-1' }).expect(201);
    }
    for (const row of await stored(survey)) {
      expect(row).toMatchObject({
        address_hash: null,
        fingerprint: null,
        external_id: null,
        respondent_id: null,
        quality: null,
      });
    }
  });
});

describe('a panel member', () => {
  async function panel(quality: object = {}) {
    const survey = await surveyWith(quality);
    const link = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'panel' })
      .expect(201);
    return { ...survey, linkToken: link.body.data.link_token as string };
  }

  test('completes once', async () => {
    const survey = await panel();
    await submit(survey, { external_id: 'm-1', submission_id: 'first' }).expect(201);
    await expectRefused(submit(survey, { external_id: 'm-1' }), 409, 'duplicate_response');
    await submit(survey, { external_id: 'm-1', submission_id: 'first' }).expect(200);
    await submit(survey, { external_id: 'm-2' }).expect(201);
    expect(await stored(survey)).toHaveLength(2);
  });

  test('completes once after starting twice', async () => {
    const survey = await panel();
    const first = await begun(survey, { external_id: 'm-1' });
    const second = await begun(survey, { external_id: 'm-1' });
    await first.complete().expect(200);
    await expectRefused(second.complete(), 409, 'duplicate_response');
    await first.complete().expect(200);
    expect((await stored(survey)).map((row) => row.response_status)).toEqual(['complete', 'partial']);
  });

  test('completes once when ending two responses concurrently', async () => {
    const survey = await panel();
    const all = await Promise.all(Array.from({ length: 6 }, () => begun(survey, { external_id: 'm-1' })));
    const replies = await Promise.all(all.map((one) => one.complete()));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(5);
  });

  test('may respond again if the setting is off', async () => {
    const survey = await panel({ duplicate: { external_id: false } });
    await submit(survey, { external_id: 'm-1' }).expect(201);
    await submit(survey, { external_id: 'm-1' }).expect(201);
  });
});

describe('consent', () => {
  test('is required to start, and its time is stored', async () => {
    const survey = await surveyWith({}, { consent_text: 'We keep your answers for ten years.' });
    for (const body of [{}, { status: 'partial' }, { consent: false }]) {
      await expectInvalidField(submit(survey, body), 'consent');
    }
    expect(await stored(survey)).toEqual([]);
    await submit(survey, { consent: true }).expect(201);
    const { complete } = await begun(survey, { consent: true });
    await complete().expect(200);
    for (const row of await stored(survey)) expect(row.consented_at).toBeInstanceOf(Date);
  });

  test('is not stored if the survey does not ask for it', async () => {
    const survey = await surveyWith({});
    await submit(survey, { consent: true }).expect(201);
    expect(await stored(survey)).toMatchObject([{ consented_at: null }]);
  });
});

describe('page times', () => {
  test('are stored as reported, up to the elapsed time', async () => {
    const survey = await surveyWith({});
    const [first, second] = survey.pageIds as [number, number];
    const { responseId, save } = await begun(survey);
    await ago(responseId, 60);
    await save({ answers: { Q1: '1' }, page_id: first, page_seconds: 41.5 }).expect(200);
    await ago(responseId, 20);
    await save({ answers: { T: 'x' }, page_id: second, page_seconds: 86_000 }).expect(200);
    const [row] = await stored(survey);
    expect(row!.page_times![first]).toBe(41.5);
    expect(row!.page_times![second]).toBeGreaterThanOrEqual(20);
    expect(row!.page_times![second]).toBeLessThan(40);
    await ago(responseId, 10);
    await save({ answers: { Q1: '2' }, page_id: first, page_seconds: 3 }).expect(200);
    expect((await stored(survey))[0]!.page_times![first]).toBe(44.5);
  });

  test.each([-1, 86_401, '7', null, true])('is never %j', async (seconds) => {
    const survey = await surveyWith({});
    const { save } = await begun(survey);
    await expectInvalidField(
      save({ answers: {}, page_id: survey.pageIds[0], page_seconds: seconds }),
      'page_seconds',
    );
  });

  test('start when the server showed the survey, not at a forged time', async () => {
    const survey = await surveyWith({ action: 'screen_out', speeder: { min_seconds: 30 } });
    const opened = (await respondent.get(`/api/public/s/${survey.linkToken}`).expect(200)).body.data.opened;
    const later = new Date(Date.now() - 3_600_000).getTime();
    const forged = String(opened).replace(/^\d+/, String(later));
    const replies = [await submit(survey, { opened }), await submit(survey, { opened: forged })];
    expect(replies.map((reply) => reply.body.data.status_reason)).toEqual(['quality', null]);
    const rows = await stored(survey);
    expect(rows[0]!.duration_seconds).toBeGreaterThanOrEqual(0);
    expect(rows[0]!.duration_seconds).toBeLessThan(30);
    expect(rows[1]!.duration_seconds).toBeNull();
  });
});
