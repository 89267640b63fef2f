import { beforeAll, describe, expect, test } from 'vitest';
import { bigFiveResponses, bigFiveSurvey } from '../../../seeds/demo/big-five.ts';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

interface Flag {
  check: string;
  metric: string;
  value: unknown;
  review: string;
  reviewed_by: number | null;
  reviewed_at: string | null;
  column_codes: string[];
}
interface Report {
  change_id: number | null;
  checked: number;
  flagged: number;
  updated: number;
  summary: {
    check: string;
    checked: number;
    flagged: number;
    share: number | null;
    thresholds: object;
    metrics: object[];
  }[];
  responses: { response_id: number; flags: Flag[] }[];
  responses_truncated: boolean;
}

const at = (survey: { surveyId: number }, path: string) => `/api/responses/${survey.surveyId}/${path}`;

async function runCheck(survey: { surveyId: number }, body: object): Promise<Report> {
  const reply = await author.post(at(survey, 'quality-check'), body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data as Report;
}

const MATRIX = {
  question_type: 'matrix',
  question_code: 'M',
  question_text: 'Rate',
  question_settings: { rows: ['a', 'b', 'c', 'd'].map((code) => ({ row_code: code, row_label: code })) },
  options: ['1', '2', '3'].map((value) => ({ option_label: value, option_value: value })),
};
const STRAIGHT = { a: '2', b: '2', c: '2', d: '2' };
const VARIED = { a: '2', b: '1', c: '2', d: '3' };

/** Answers and duration of each respondent by submission_id; the twins share an `external_id`. */
const ROWS: Record<string, { answers: object; seconds: number; external_id?: string; status?: string }> = {
  fine: { answers: { Q1: '2', M: VARIED, T: 'I like the colors of it', U: 'Nothing more' }, seconds: 300 },
  fast: { answers: { Q1: '2', M: VARIED, T: 'It is a good thing' }, seconds: 20 },
  straight: { answers: { Q1: '2', M: STRAIGHT, T: 'Could be cheaper' }, seconds: 310 },
  inattentive: { answers: { Q1: '1', M: VARIED, T: 'The taste' }, seconds: 290 },
  masher: { answers: { Q1: '2', M: VARIED, T: 'asdfgh jkl' }, seconds: 280 },
  'first-twin': { answers: { Q1: '2', M: VARIED, T: 'A' }, seconds: 320, external_id: 'twin' },
  'second-twin': { answers: { Q1: '2', M: VARIED, T: 'B' }, seconds: 330, external_id: 'twin' },
  half: { answers: { Q1: '1', M: STRAIGHT }, seconds: 5, status: 'partial' },
};

async function createSurveyWithResponses(quality: object = {}): Promise<PublishedSurvey> {
  const survey = await publishedSurvey(author, [
    [choice('Q1'), MATRIX],
    [text('T'), text('U')],
  ]);
  const attention_checks = [{ question_id: survey.questionIds.Q1, expected: '2' }];
  await author
    .put(`/api/surveys/${survey.surveyId}/quality-settings`, {
      speeder: { min_completes: 5 },
      open_end: { enabled: true, min_length: 1 },
      attention_checks,
      ...quality,
    })
    .expect(200);
  const rows = Object.entries(ROWS).map(([submission_id, { answers, seconds, external_id, status }]) => ({
    submission_id,
    answers,
    status: status ?? 'complete',
    ...(external_id === undefined ? {} : { external_id }),
    started_at: '2026-01-02T10:00:00Z',
    ...(status === undefined
      ? { completed_at: new Date(Date.UTC(2026, 0, 2, 10, 0, seconds)).toISOString() }
      : {}),
  }));
  const added = await author.post(at(survey, 'rows'), { rows });
  expect(added.status, added.text).toBe(201);
  return survey;
}

interface Row {
  response_id: number;
  submission_id: string;
  quality: { flags: Flag[]; status: string } | null;
}
async function listRows(survey: PublishedSurvey, query = ''): Promise<Row[]> {
  const reply = await author.get(at(survey, `grid${query}`)).expect(200);
  return reply.body.data.rows as Row[];
}
const filterBy = (filter: object) => `?filter=${encodeURIComponent(JSON.stringify(filter))}`;
const names = (rows: Row[]) => rows.map((row) => row.submission_id);
async function findId(survey: PublishedSurvey, name: string): Promise<number> {
  return (await listRows(survey)).find((row) => row.submission_id === name)!.response_id;
}
const flagsOf = (rows: Row[]) =>
  Object.fromEntries(
    rows.map((row) => [
      row.submission_id,
      row.quality?.flags.map((flag) => `${flag.check} ${flag.metric}`) ?? [],
    ]),
  );

const EXPECTED_FLAGS = {
  fine: [],
  fast: ['speeder duration_seconds'],
  straight: ['straightliner identical_share'],
  inattentive: ['attention_check answer'],
  masher: ['open_end keyboard_share'],
  'first-twin': [],
  'second-twin': ['duplicate external_id'],
  half: [],
};

describe('a quality check', () => {
  test('finds each kind of low quality among the complete responses and stores it as pending', async () => {
    const survey = await createSurveyWithResponses();
    const report = await runCheck(survey, {});
    expect(report).toMatchObject({ checked: 7, flagged: 5, updated: 5, responses_truncated: false });
    expect(report.change_id).toEqual(expect.any(Number));
    expect(report.summary).toMatchObject([
      { check: 'speeder', checked: 7, flagged: 1, share: 1 / 7, thresholds: { duration_seconds: 150 } },
      {
        check: 'straightliner',
        checked: 7,
        flagged: 1,
        metrics: [{ metric: 'identical_share', column_codes: ['M_a', 'M_b', 'M_c', 'M_d'], flagged: 1 }],
      },
      { check: 'duplicate', checked: 7, flagged: 1 },
      { check: 'open_end', checked: 7, flagged: 1 },
      { check: 'attention_check', checked: 7, flagged: 1 },
    ]);
    const rows = await listRows(survey);
    expect(flagsOf(rows)).toEqual(EXPECTED_FLAGS);
    expect(rows.find((row) => row.submission_id === 'fast')!.quality).toEqual({
      status: 'pending',
      flags: [
        {
          check: 'speeder',
          severity: 'high',
          metric: 'duration_seconds',
          value: 20,
          threshold: 150,
          column_codes: [],
          review: 'pending',
          reviewed_by: null,
          reviewed_at: null,
        },
      ],
    });
    const { quality } = rows.find((row) => row.submission_id === 'masher')!;
    expect(report.responses.find((response) => response.flags[0]!.check === 'open_end')!.flags).toEqual(
      quality!.flags,
    );
  });

  test('returns the same result in a dry run without storing', async () => {
    const survey = await createSurveyWithResponses();
    const preview = await runCheck(survey, { dry_run: true });
    expect(preview.change_id).toBeNull();
    expect(flagsOf(await listRows(survey)).fast).toEqual([]);
    expect({ ...(await runCheck(survey, {})), change_id: null }).toEqual(preview);
  });

  test('accepts settings and a list of checks for one run', async () => {
    const survey = await createSurveyWithResponses();
    const relaxed = await runCheck(survey, { checks: ['speeder'], speeder: { ratio: 1 }, dry_run: true });
    expect(relaxed.summary).toMatchObject([{ check: 'speeder', flagged: 3, thresholds: { ratio: 1 } }]);
    const limited = await runCheck(survey, {
      checks: ['speeder'],
      speeder: { ratio: 1 },
      dry_run: true,
      limit: 1,
    });
    expect(limited).toMatchObject({ flagged: 3, responses_truncated: true });
    expect(limited.responses).toHaveLength(1);
    // A named check runs even if the settings disable it.
    const named = await runCheck(survey, {
      checks: ['open_end'],
      open_end: { enabled: false },
      dry_run: true,
    });
    expect(named.summary).toMatchObject([{ check: 'open_end', flagged: 1 }]);
    const partials = await runCheck(survey, {
      status: ['partial'],
      checks: ['straightliner'],
      dry_run: true,
    });
    expect(partials).toMatchObject({ checked: 1, flagged: 1 });
    const filtered = await runCheck(survey, { filter: { Q1: ['1'] }, dry_run: true });
    expect(filtered).toMatchObject({ checked: 1, flagged: 1 });
    expect(flagsOf(await listRows(survey))).toEqual(
      flagsOf((await listRows(survey)).map((row) => ({ ...row, quality: null }))),
    );
  });

  test('changes nothing when repeated; with other limits replaces pending flags and keeps reviewed ones', async () => {
    const survey = await createSurveyWithResponses();
    await runCheck(survey, {});
    expect(await runCheck(survey, {})).toMatchObject({ flagged: 5, updated: 0, change_id: null });
    const fast = await findId(survey, 'fast');
    const reviewed = await author
      .patch(at(survey, 'quality-flags'), { response_ids: [fast], review: 'dismissed' })
      .expect(200);
    expect(reviewed.body.data).toMatchObject({ processed: 1, updated: 1, unchanged: 0 });
    const repeated = await runCheck(survey, { speeder: { ratio: 0.2 }, straightliner: { enabled: false } });
    expect(repeated.responses.find((response) => response.response_id === fast)!.flags).toMatchObject([
      { review: 'dismissed', reviewed_by: author.userId, threshold: 60 },
    ]);
    // The check that did not run keeps its flag.
    expect(flagsOf(await listRows(survey))).toEqual(EXPECTED_FLAGS);
    await runCheck(survey, {
      checks: ['speeder', 'open_end'],
      speeder: { ratio: 0.01 },
      open_end: { gibberish: false },
    });
    expect(flagsOf(await listRows(survey))).toEqual({ ...EXPECTED_FLAGS, masher: [] });
  });

  test('is one change that can be undone', async () => {
    const survey = await createSurveyWithResponses();
    const { change_id: changeId } = await runCheck(survey, {});
    const changes = await author.get(at(survey, 'changes')).expect(200);
    expect(changes.body.data).toMatchObject([
      { change_id: changeId, operation: 'quality_check', rows_changed: 5 },
    ]);
    await author.post(at(survey, `changes/${changeId}/undo`)).expect(200);
    expect((await listRows(survey)).map((row) => row.quality)).toEqual(Array(8).fill(null));
  });

  test('finds duplicates by answers and by address', async () => {
    const items = Array.from({ length: 10 }, (_, index) => choice(`I${index}`));
    const survey = await publishedSurvey(author, [items]);
    const answers = (last: string) =>
      Object.fromEntries(items.map((_, index) => [`I${index}`, index === 9 ? last : '2']));
    const lastAnswers = ['1', '2', '1', '3', '1'];
    await author
      .post(at(survey, 'rows'), { rows: lastAnswers.map((last) => ({ answers: answers(last) })) })
      .expect(201);
    await app.database.db.raw(
      `UPDATE responses SET address_hash = 'here' WHERE survey_id = ? AND response_id % 2 = 0`,
      [survey.surveyId],
    );
    const body = { checks: ['duplicate'], duplicate: { ip: true }, dry_run: true };
    const { summary, responses } = await runCheck(survey, body);
    const metrics = responses.flatMap((response) => response.flags.map((flag) => [flag.metric, flag.value]));
    expect(metrics.filter(([metric]) => metric === 'identical_answers')).toEqual([
      ['identical_answers', 1],
      ['identical_answers', 2],
    ]);
    expect(metrics.filter(([metric]) => metric === 'address').length).toBeGreaterThan(0);
    expect(summary[0]!.metrics).toContainEqual({ metric: 'identical_answers', column_codes: [], flagged: 2 });
    const more = await runCheck(survey, { ...body, duplicate: { min_identical_answers: 11 } });
    expect(more.flagged).toBe(0);
    // The filter excludes all identical responses, so no duplicates remain.
    const one = await runCheck(survey, { ...body, duplicate: {}, filter: { I9: ['2', '3'] } });
    expect(one.flagged).toBe(0);
  });

  test.each([
    [
      'a battery of unknown columns',
      { straightliner: { batteries: [{ column_codes: ['M_a', 'M_z'] }] } },
      'straightliner.batteries[0].column_codes[1]',
    ],
    ['unknown open ends', { open_end: { column_codes: ['Nowhere'] } }, 'open_end.column_codes[0]'],
    [
      'a question that the survey does not have',
      { attention_checks: [{ question_id: 999999, expected: '1' }] },
      'attention_checks[0].question_id',
    ],
    ['an unknown check', { checks: ['mood'] }, 'checks[0]'],
    ['a misspelt setting', { speeder: { ratoi: 1 } }, 'speeder.ratoi'],
    ['a filter on an unknown column', { filter: { Nowhere: ['1'] } }, 'filter.Nowhere'],
    ['a limit above the maximum', { limit: 10_001 }, 'limit'],
  ])('rejects %s', async (_what, body, field) => {
    await expectInvalidField(author.post(at(shared, 'quality-check'), body), field);
  });

  test('rejects columns of the wrong type with the reason', async () => {
    for (const body of [
      { straightliner: { batteries: [{ column_codes: ['Q1', 'T'] }] } },
      { open_end: { column_codes: ['Q1'] } },
    ]) {
      const { message } = await expectRefused(
        author.post(at(shared, 'quality-check'), body),
        422,
        'wrong_column_type',
      );
      expect(message).toMatch(/is of type (text|categorical)/);
    }
  });
});

let shared: PublishedSurvey;
beforeAll(async () => {
  shared = await createSurveyWithResponses();
  await runCheck(shared, {});
});

describe('a survey that most respondents rush through', () => {
  test('flags fifteen questions in three seconds, and text without meaning', async () => {
    const questions = Array.from({ length: 14 }, (_, index) => choice(`Q${index + 1}`));
    const survey = await publishedSurvey(author, [[...questions, text('T')]]);
    const answers = Object.fromEntries(questions.map((_, index) => [`Q${index + 1}`, '1']));
    const durations = [...Array.from({ length: 12 }, () => 3), 15, 40];
    await author
      .post(at(survey, 'rows'), {
        rows: durations.map((seconds, index) => ({
          answers: { ...answers, T: index === 0 ? 'asdf asdf' : `Answer number ${index}` },
          started_at: '2026-01-02T10:00:00Z',
          completed_at: new Date(Date.UTC(2026, 0, 2, 10, 0, seconds)).toISOString(),
        })),
      })
      .expect(201);
    const checks = ['speeder', 'open_end'];
    const report = await runCheck(survey, { checks, dry_run: true });
    expect(report.summary.map(({ check, flagged }) => [check, flagged])).toEqual([
      ['speeder', 12],
      ['open_end', 1],
    ]);
    expect(report.change_id).toBeNull();
    const off = await runCheck(survey, {
      checks,
      dry_run: true,
      speeder: { min_seconds_per_question: 0 },
    });
    expect(off.summary[0]).toMatchObject({ flagged: 0 });
  });
});

describe('a review', () => {
  test('is stored with user and time and sets the status of the response', async () => {
    const survey = await createSurveyWithResponses();
    await runCheck(survey, {});
    const [fast, straight] = [await findId(survey, 'fast'), await findId(survey, 'straight')];
    const patch = (body: object) => author.patch(at(survey, 'quality-flags'), body);
    const preview = await patch({ response_ids: [fast], review: 'confirmed', dry_run: true }).expect(200);
    expect(preview.body.data).toEqual({ change_id: null, processed: 1, updated: 1, unchanged: 0 });
    expect((await listRows(survey))[1]!.quality!.status).toBe('pending');
    const ids = { response_ids: [fast, straight, fast] };
    const confirmed = await patch({
      ...ids,
      check: 'speeder',
      review: 'confirmed',
      reason: 'Checked',
    }).expect(200);
    expect(confirmed.body.data).toMatchObject({ processed: 2, updated: 1, unchanged: 1 });
    const [, row] = await listRows(survey);
    expect(row!.quality).toMatchObject({
      status: 'confirmed',
      flags: [{ review: 'confirmed', reviewed_by: author.userId, reviewed_at: expect.stringMatching(/Z$/) }],
    });
    await patch({ filter: { quality_flags: ['straightliner'] }, review: 'dismissed' }).expect(200);
    expect(names(await listRows(survey, filterBy({ quality_status: ['confirmed'] })))).toEqual(['fast']);
    expect(names(await listRows(survey, filterBy({ quality_status: ['dismissed'] })))).toEqual(['straight']);
    expect(names(await listRows(survey, filterBy({ quality_status: ['pending'] })))).toHaveLength(3);
    const reset = await patch({ filter: {}, review: 'pending' }).expect(200);
    expect(reset.body.data).toMatchObject({ processed: 8, updated: 2, unchanged: 6 });
    expect((await listRows(survey))[1]!.quality!.flags[0]).toMatchObject({
      review: 'pending',
      reviewed_by: null,
    });
  });

  test('is counted by check and state', async () => {
    const survey = await createSurveyWithResponses();
    await runCheck(survey, {});
    await author
      .patch(at(survey, 'quality-flags'), { filter: { quality_flags: ['duplicate'] }, review: 'confirmed' })
      .expect(200);
    const counts = await author.get(at(survey, 'quality')).expect(200);
    expect(counts.body.data).toEqual({
      responses: 7,
      counted: {
        responses: 7,
        test_responses_included: 0,
        test_responses_excluded: 0,
        quality_included: 1,
        quality_excluded: 0,
      },
      flagged: 5,
      pending: 4,
      confirmed: 1,
      dismissed: 0,
      checks: ['speeder', 'straightliner', 'duplicate', 'open_end', 'attention_check', 'manual'].map(
        (name) => ({
          check: name,
          responses: name === 'manual' ? 0 : 1,
          pending: ['duplicate', 'manual'].includes(name) ? 0 : 1,
          confirmed: name === 'duplicate' ? 1 : 0,
          dismissed: 0,
        }),
      ),
    });
    const none = await author.get(at(survey, 'quality?status=partial')).expect(200);
    expect(none.body.data).toMatchObject({ responses: 1, flagged: 0 });
  });

  test('is visible in filters, counts and exports, also for columns loaded before it', async () => {
    const survey = await createSurveyWithResponses();
    const distribution = async () => {
      const reply = await author
        .get(at(survey, 'distribution/quality_status?base=all&quality=include_all'))
        .expect(200);
      return (reply.body.data.categories as { value: string; count: number }[]).map(
        (category) => category.count,
      );
    };
    expect(await distribution()).toEqual([0, 0, 0]);
    await runCheck(survey, {});
    await author
      .patch(at(survey, 'quality-flags'), { filter: { quality_flags: ['speeder'] }, review: 'confirmed' })
      .expect(200);
    // The loaded column was updated.
    expect(await distribution()).toEqual([4, 1, 0]);
    const file = await author
      .post(at(survey, 'export'), {
        columns: ['submission_id', 'quality_status', 'quality_flags'],
        filter: { quality_status: ['confirmed'] },
        quality: 'include_all',
      })
      .expect(200);
    expect(file.text).toBe('submission_id,quality_status,quality_flags\r\nfast,confirmed,speeder\r\n');
  });

  test.each([
    ['no responses', {}, 'response_ids'],
    ['both ids and a filter', { response_ids: [1], filter: {} }, 'response_ids'],
    ['a missing response', { response_ids: [999999999] }, 'response_ids[0]'],
    ['an unknown column', { filter: { Nowhere: ['1'] } }, 'filter.Nowhere'],
    ['an unknown state', { filter: {}, review: 'maybe' }, 'review'],
  ])('of %s is rejected', async (_what, body, field) => {
    await expectInvalidField(
      author.patch(at(shared, 'quality-flags'), { review: 'confirmed', ...body }),
      field,
    );
  });
});

describe('a caller with view access', () => {
  test('sees the counts but cannot run checks or review', async () => {
    const viewer = await organization.addUser('member');
    const workspace = await author
      .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
      .expect(201);
    const workspaceId = workspace.body.data.workspace_id as number;
    await author
      .post(`/api/workspaces/${workspaceId}/members`, { user_id: viewer.userId, role: 'viewer' })
      .expect(201);
    const created = await author
      .post('/api/surveys', { survey_name: 'S', workspace_id: workspaceId })
      .expect(201);
    const survey = { surveyId: created.body.data.survey_id as number };
    await viewer.get(at(survey, 'quality')).expect(200);
    for (const dry_run of [true, false]) {
      await expectRefused(viewer.post(at(survey, 'quality-check'), { dry_run }), 403);
      await expectRefused(
        viewer.patch(at(survey, 'quality-flags'), { filter: {}, review: 'confirmed', dry_run }),
        403,
      );
    }
    const otherAdmin = (await newOrganization(app)).admin;
    await expectRefused(otherAdmin.get(at(survey, 'quality')), 404);
    await expectRefused(otherAdmin.post(at(survey, 'quality-check'), {}), 404);
  });
});

describe('the Big Five responses', () => {
  test('have 4 straightliners on all 25 items among 2,436 complete cases', async () => {
    const imported = await author.post('/api/surveys/import', bigFiveSurvey()).expect(201);
    const surveyId = imported.body.data.survey_id as number;
    await author.post(`/api/surveys/${surveyId}/publish`).expect(200);
    await author.post(`/api/responses/${surveyId}/rows`, { rows: bigFiveResponses() }).expect(201);
    const items = ['A', 'C', 'E', 'N', 'O'].flatMap((trait) => [1, 2, 3, 4, 5].map((n) => `${trait}${n}`));
    const report = await runCheck(
      { surveyId },
      {
        checks: ['straightliner'],
        straightliner: { min_rows: 25, batteries: [{ column_codes: items }] },
        dry_run: true,
      },
    );
    expect(report.summary).toMatchObject([{ check: 'straightliner', checked: 2436, flagged: 4 }]);
    expect(report.checked).toBe(2800);
    expect(report.responses.map((response) => response.flags[0]!.value)).toEqual([1, 1, 1, 1]);
  });
});
