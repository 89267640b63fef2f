import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
let survey: PublishedSurvey;
const respondent = anonymous(app);

beforeAll(async () => {
  survey = await publishedSurvey(author, [
    [
      choice('Q1', { question_required: true }),
      number('Q2', { question_settings: { min: 0, max: 120 } }),
      text('Q3', {
        question_required: true,
        question_settings: { logic: { display: { left: { code: 'Q1' }, operator: 'equals', right: '2' } } },
      }),
    ],
    [
      multiple('Q4'),
      {
        question_type: 'matrix',
        question_code: 'Q5',
        question_text: 'Rate',
        question_settings: {
          rows: [
            { row_code: 'r1', row_label: 'Price' },
            { row_code: 'r2', row_label: 'Taste' },
          ],
        },
        options: [
          { option_label: 'Bad', option_value: '1' },
          { option_label: 'Good', option_value: '2' },
        ],
      },
      { question_type: 'nps', question_code: 'Q6', question_text: 'Recommend?' },
      {
        question_type: 'ranking',
        question_code: 'Q7',
        question_text: 'Rank',
        options: [
          { option_label: 'A', option_value: '1' },
          { option_label: 'B', option_value: '2' },
        ],
      },
    ],
  ]);
});

const submit = (body: object, token = survey.linkToken) =>
  respondent.post(`/api/public/s/${token}/responses`, body);

async function storedResponses(surveyId = survey.surveyId) {
  const result = await app.database.db.raw(
    'SELECT * FROM responses WHERE survey_id = ? ORDER BY response_id',
    [surveyId],
  );
  return (
    result as { rows: { response_id: number; answers: Record<string, unknown>; [column: string]: unknown }[] }
  ).rows;
}

describe('a respondent', () => {
  test('gets the questions, and no internal settings', async () => {
    const reply = await respondent.get(`/api/public/s/${survey.linkToken}`).expect(200);
    const { data } = reply.body;
    expect(
      data.pages.map((page: { questions: { question_code: string }[] }) =>
        page.questions.map((q) => q.question_code),
      ),
    ).toEqual([
      ['Q1', 'Q2', 'Q3'],
      ['Q4', 'Q5', 'Q6', 'Q7'],
    ]);
    expect(Object.keys(data).sort()).toEqual([
      'blocks',
      'is_preview',
      'link_type',
      'opened',
      'pages',
      'previous_answers',
      'previous_questions',
      'respondent',
      'survey_arrangement',
      'survey_description',
      'survey_name',
      'survey_settings',
      'survey_version',
    ]);
    expect(Object.keys(data.survey_settings)).not.toContain('redirect_url');
  });

  test('submits a response that is stored correctly', async () => {
    const reply = await submit({
      submission_id: 'as-meant',
      answers: { Q1: 2, Q2: '42', Q3: 'Because', Q4: ['3', '1'], Q5: { r1: '2' }, Q6: 9, Q7: ['2', '1'] },
      language: 'de',
      external_id: 'panel-7',
    }).expect(201);
    expect(reply.body.data).toMatchObject({
      response_status: 'complete',
      status_reason: null,
      redirect_url: null,
    });
    const row = (await storedResponses()).find(
      (stored) => stored.response_id === reply.body.data.response_id,
    )!;
    expect(row.answers).toEqual({
      Q1: '2',
      Q2: 42,
      Q3: 'Because',
      Q4: ['1', '3'],
      Q5: { r1: '2' },
      Q6: 9,
      Q7: ['2', '1'],
    });
    expect(row).toMatchObject({
      submission_id: 'as-meant',
      language: 'de',
      external_id: 'panel-7',
      is_test: false,
    });
    expect(row.completed_at).toBeInstanceOf(Date);
  });

  test('distinguishes skipped from not shown', async () => {
    const reply = await submit({ answers: { Q1: '1', Q3: 'never shown' } }).expect(201);
    const row = (await storedResponses()).find(
      (stored) => stored.response_id === reply.body.data.response_id,
    )!;
    expect(row.answers.Q2).toBeNull();
    expect(row.answers).not.toHaveProperty('Q3');
  });

  test('gets the missing required question by name', async () => {
    const reply = await submit({ answers: { Q1: '2' } }).expect(400);
    expect(reply.body.details).toEqual([
      { field: 'answers.Q3', message: expect.stringContaining('required') },
    ]);
  });

  test('gets the first result again for the same submission_id and client_secret', async () => {
    const attempt = {
      submission_id: 'twice',
      client_secret: 'a-random-text-of-this-client',
      answers: { Q1: '1' },
    };
    const first = await submit(attempt).expect(201);
    const retry = await submit(attempt).expect(200);
    expect(retry.body.data).toEqual(first.body.data);
    expect((await storedResponses()).filter((row) => row.submission_id === 'twice')).toHaveLength(1);
  });

  test('gets the same response_id and status, but no token, on a retry without client_secret', async () => {
    const attempt = { submission_id: 'twice-without-secret', answers: { Q1: '1' } };
    const first = await submit(attempt).expect(201);
    expect((await submit(attempt).expect(200)).body.data).toEqual({
      response_id: first.body.data.response_id,
      response_status: 'complete',
      status_reason: null,
      redirect_url: null,
      response_token: null,
    });
    expect(
      (await storedResponses()).filter((row) => row.submission_id === attempt.submission_id),
    ).toHaveLength(1);
  });

  test('continues a response whose first reply was lost', async () => {
    const start = {
      submission_id: 'lost-start',
      client_secret: 'a-random-text-of-this-client',
      status: 'partial',
      answers: {},
    };
    await submit(start).expect(201);
    const token: string = (await submit(start).expect(200)).body.data.response_token;
    const ended = await respondent
      .post(`/api/public/s/${survey.linkToken}/responses/${token}/complete`, { answers: { Q1: '1' } })
      .expect(200);
    // This reply is lost too: the start is repeated, and returns the outcome.
    const repeated = await submit(start).expect(200);
    expect(repeated.body.data).toEqual(ended.body.data);
  });

  test('cannot send a short client_secret, or one without a submission_id', async () => {
    const secret = 'a-random-text-of-this-client';
    const short = { submission_id: 'short', client_secret: 'short', answers: { Q1: '1' } };
    expect((await submit(short).expect(400)).body.details[0].field).toBe('client_secret');
    const alone = await submit({ client_secret: secret, answers: { Q1: '1' } }).expect(400);
    expect(alone.body.details).toEqual([
      { field: 'client_secret', message: expect.stringContaining('submission_id') },
    ]);
  });

  test('is stored once when sending the same submission twenty times concurrently', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => submit({ submission_id: 'racing', answers: { Q1: '1' } })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(new Set(replies.map((reply) => reply.body.data.response_id)).size).toBe(1);
  });

  test('saves page by page and completes', async () => {
    const startReply = await submit({ status: 'partial', answers: { Q1: '2' } }).expect(201);
    const { response_token: responseToken, response_id: responseId } = startReply.body.data;
    const address = `/api/public/s/${survey.linkToken}/responses/${responseToken}`;
    const page = { answers: { Q2: 30 }, page_id: survey.pageIds[0] };
    const reply = await respondent.patch(address, page).expect(400);
    expect(reply.body.details[0].field).toBe('answers.Q3');
    const refused = await respondent.post(`${address}/complete`, { answers: { Q6: 3 } }).expect(400);
    expect(refused.body.details[0].field).toBe('answers.Q3');
    const saved = await respondent.patch(address, { ...page, answers: { Q2: 30, Q3: 'So' } }).expect(200);
    expect(saved.body.data).toEqual({
      response_id: responseId,
      response_status: 'partial',
      status_reason: null,
      redirect_url: null,
      next_page_id: survey.pageIds[1],
      ended: false,
      survey_closed: false,
    });
    await respondent.post(`${address}/complete`, { answers: { Q6: 3 } }).expect(200);
    const row = (await storedResponses()).find((stored) => stored.response_id === responseId)!;
    expect(row.answers).toMatchObject({ Q1: '2', Q2: 30, Q3: 'So', Q6: 3, Q4: null });
    expect(row).toMatchObject({ response_status: 'complete', last_page_id: survey.pageIds[0] });
    expect(row.duration_seconds).toBeGreaterThanOrEqual(0);
    await respondent.post(`${address}/complete`, { answers: { Q3: 'again' } }).expect(200);
    await respondent.patch(address, { answers: { Q2: 31 } }).expect(409);
    expect((await storedResponses()).find((stored) => stored.response_id === responseId)!.answers).toEqual(
      row.answers,
    );
  });
});

describe('a forged answer is rejected and not stored', () => {
  const forged: [string, object, string][] = [
    ["another survey's question", { Q1: '1', Zed: '1' }, 'answers.Zed'],
    ['an unknown option', { Q1: '9' }, 'answers.Q1'],
    ['two values for one choice', { Q1: ['1', '2'] }, 'answers.Q1'],
    ['an object for a choice', { Q1: { $ne: 1 } }, 'answers.Q1.value'],
    ['a number out of bounds', { Q1: '1', Q2: 121 }, 'answers.Q2'],
    ['an invalid number', { Q1: '1', Q2: '1e400' }, 'answers.Q2'],
    ['an unknown matrix row', { Q1: '1', Q5: { r9: '1' } }, 'answers.Q5'],
    ['a repeated matrix column', { Q1: '1', Q5: { r1: ['1', '2'] } }, 'answers.Q5.r1'],
    ['a repeated rank', { Q1: '1', Q7: ['1', '1'] }, 'answers.Q7[1]'],
    ['nps 11', { Q1: '1', Q6: 11 }, 'answers.Q6'],
    ['a prototype key', { Q1: '1', toString: 'x' }, 'answers.toString'],
  ];
  test.each(forged)('%s', async (_, answers, field) => {
    const before = (await storedResponses()).length;
    const reply = await submit({ answers }).expect(400);
    expect(reply.body.code).toBe('validation_failed');
    expect(reply.body.details[0].field).toBe(field);
    expect((await storedResponses()).length).toBe(before);
  });

  test.each(['is_test', 'started_at', 'completed_at', 'response_id', 'duration_seconds', 'survey_version'])(
    'the server-owned field %s',
    async (field) => {
      const reply = await submit({ answers: { Q1: '1' }, [field]: true }).expect(400);
      expect(reply.body.details).toEqual([{ field, message: 'is not a known field' }]);
    },
  );

  test('a lone surrogate and NUL in a text', async () => {
    for (const bad of ['a\u0000b', '\ud800']) {
      const reply = await submit({ answers: { Q1: '2', Q3: bad } }).expect(400);
      expect(reply.body.message).toContain('Q3');
    }
  });

  test("another respondent's token, through another survey's link", async () => {
    const other = await publishedSurvey(author, { survey_name: 'Another', pages: [[choice('Q1')]] });
    const startReply = await submit({ status: 'partial', answers: { Q1: '1' } }).expect(201);
    const foreign = `/api/public/s/${other.linkToken}/responses/${startReply.body.data.response_token}`;
    await respondent.patch(foreign, { answers: { Q1: '3' } }).expect(404);
    await respondent.post(`${foreign}/complete`).expect(404);
  });

  test("a submission_id of another link's respondent, without revealing their response", async () => {
    const first = await submit({ submission_id: 'guessed', answers: { Q1: '1' } }).expect(201);
    const link = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'open', link_name: 'Second' })
      .expect(201);
    const stolen = await submit(
      { submission_id: 'guessed', answers: { Q1: '1' } },
      link.body.data.link_token,
    ).expect(409);
    expect(JSON.stringify(stolen.body)).not.toContain(first.body.data.response_token);
  });
});

describe('a link', () => {
  test('returns 404 if it does not exist, whatever its format', async () => {
    await respondent.get('/api/public/s/NoSuchTokenAtAll123').expect(404);
    await submit({ answers: {} }, 'NoSuchTokenAtAll123').expect(404);
    await respondent.get('/api/public/s/a%00b').expect(400);
  });

  test('of a closed survey accepts no new responses, but lets started ones finish', async () => {
    const closing = await publishedSurvey(author, { survey_name: 'Closing', pages: [[choice('Q1')]] });
    const startReply = await submit({ status: 'partial', answers: {} }, closing.linkToken).expect(201);
    await author.put(`/api/surveys/${closing.surveyId}`, { survey_status: 3 }).expect(200);
    expect((await submit({ answers: { Q1: '1' } }, closing.linkToken).expect(409)).body.code).toBe(
      'survey_closed',
    );
    const address = `/api/public/s/${closing.linkToken}/responses/${startReply.body.data.response_token}`;
    await respondent.post(`${address}/complete`, { answers: { Q1: '1' } }).expect(200);
  });

  test('never exceeds its quota under concurrent submissions', async () => {
    const limited = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'open', link_name: 'Ten', link_quota: 10 })
      .expect(201);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => submit({ answers: { Q1: '1' } }, limited.body.data.link_token)),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(10);
    expect(new Set(replies.filter((reply) => reply.status !== 201).map((reply) => reply.body.code))).toEqual(
      new Set(['quota_full']),
    );
  });
});
