import { beforeAll, describe, expect, test } from 'vitest';
import type { Test } from 'supertest';
import { type Actor, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import {
  choice,
  multiple,
  number,
  publishedSurvey,
  type PublishedSurvey,
  text,
} from '../../support/published-survey.ts';

const app = useApp();
let organization: Organization;
let author: Actor;
let survey: PublishedSurvey;

const options = (...labels: string[]) =>
  labels.map((label, index) => ({ option_label: label, option_value: String.fromCharCode(97 + index) }));
const matrix = (question_code: string, matrix_type: string) => ({
  question_type: 'matrix',
  question_code,
  question_text: `Rows of ${question_code}`,
  question_settings: {
    matrix_type,
    rows: [
      { row_code: 'r1', row_label: 'Tea; green' },
      { row_code: 'r2', row_label: 'Coffee' },
    ],
  },
  options: options('Often', 'Never, ever; really'),
});
const other = [
  { option_label: 'One', option_value: '1' },
  { option_label: 'Other', option_value: '9', option_other: true },
  { option_label: 'Refused', option_value: '-99', option_missing: true },
];
const page = [
  choice('Q1', { options: other }),
  choice('Colour', { options: options('Red', 'Ünïcode ☕', '=Blue') }),
  multiple('Q2', {
    options: [
      ...options('Ja; oder', 'Nein'),
      { option_label: 'Else', option_value: 'x', option_other: true },
    ],
  }),
  number('Q3', { question_settings: { decimals: 2 } }),
  text('Q4'),
  {
    question_type: 'scale',
    question_code: 'Q5',
    question_text: 'Scale',
    question_settings: { min_label: 'low', max_label: 'high' },
  },
  { question_type: 'nps', question_code: 'Q6', question_text: 'Recommend?' },
  matrix('Q7', 'single'),
  matrix('Q8', 'multiple'),
  { question_type: 'ranking', question_code: 'Q9', question_text: 'Rank', options: options('A', 'B', 'C') },
  { question_type: 'date', question_code: 'Q10', question_text: 'Day' },
  {
    question_type: 'date',
    question_code: 'Q11',
    question_text: 'Moment',
    question_settings: { precision: 'datetime' },
  },
  {
    question_type: 'date',
    question_code: 'Q12',
    question_text: 'Clock',
    question_settings: { precision: 'time' },
  },
  {
    question_type: 'date',
    question_code: 'Q13',
    question_text: 'Month',
    question_settings: { precision: 'month' },
  },
  {
    question_type: 'date',
    question_code: 'Q14',
    question_text: 'Year',
    question_settings: { precision: 'year' },
  },
  text('Q15', {
    question_text: 'Only who said one',
    question_settings: {
      logic: {
        display: {
          connector: 'and',
          conditions: [{ left: { type: 'question', code: 'Q1' }, operator: 'equals', right: '1' }],
        },
      },
    },
  }),
];
const rows = [
  {
    submission_id: 'a',
    external_id: 'x-1',
    language: 'de',
    started_at: '2026-01-02T10:00:00Z',
    completed_at: '2026-01-02T10:05:30Z',
    answers: {
      Q1: { value: '9', other: '=1+1' },
      Colour: 'b',
      Q2: ['a', { value: 'x', other: 'said; "so"' }],
      Q3: -1.25,
      Q4: 'first line\nsecond, with comma; and ☕ Привет',
      Q5: 5,
      Q6: 0,
      Q7: { r1: 'a' },
      Q8: { r1: ['a', 'b'], r2: ['b'] },
      Q9: ['c', 'a', 'b'],
      Q10: '2026-02-28',
      Q11: '2026-02-28T23:59',
      Q12: '07:05',
      Q13: '2026-02',
      Q14: '1999',
    },
  },
  { submission_id: 'b', answers: { Q1: '1', Colour: 'c', Q2: ['b'], Q7: { r2: 'b' }, Q15: '-5' } },
  { submission_id: 'c', answers: { Q1: '-99', Q3: 7 } },
  { submission_id: 'd', answers: { Q1: '1' }, status: 'partial' },
  { submission_id: 'e', answers: { Q4: 'out' }, status: 'screened_out' },
];

beforeAll(async () => {
  organization = await newOrganization(app);
  author = organization.admin;
  survey = await publishedSurvey(author, [page]);
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
});

function send(
  surveyId: number,
  content: Buffer | string,
  fields: Record<string, string> = {},
  name = 'data',
): Test {
  let request = author.post(`/api/responses/${surveyId}/import`);
  for (const [field, value] of Object.entries(fields)) request = request.field(field, value);
  return request.attach('file', Buffer.from(content), { filename: name });
}

async function exported(surveyId: number, body: object): Promise<Buffer> {
  const reply = await author
    .post(`/api/responses/${surveyId}/export`, body)
    .buffer(true)
    .parse((response, done) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done(null, Buffer.concat(parts)));
    });
  expect(reply.status, String(reply.body)).toBe(200);
  return reply.body as Buffer;
}

async function grid(surveyId: number) {
  const reply = await author.get(`/api/responses/${surveyId}/grid`).expect(200);
  const all = reply.body.data.rows as (Record<string, unknown> & { values: Record<string, unknown> })[];
  return all.map(
    ({
      submission_id,
      response_status,
      status_reason,
      started_at,
      completed_at,
      duration_seconds,
      language,
      external_id,
      values,
    }) => ({
      ...{ submission_id, response_status, status_reason, started_at, completed_at, duration_seconds },
      ...{ language, external_id, values },
    }),
  );
}

const copyOf = () => publishedSurvey(author, [page], 'A copy');
const every = ['complete', 'partial', 'screened_out'];

describe('what our exports write comes back as the same data', () => {
  test.each([
    ['csv', {}, {}],
    ['csv', { values: 'label', headers: 'label', delimiter: ';', bom: true }, {}],
    ['csv', { values: 'both', headers: 'both', delimiter: '\t' }, {}],
    ['csv', { values: 'both', headers: 'label', multiple: 'both' }, {}],
    ['csv', { multiple: 'set', values: 'label', timezone: 'Europe/Berlin' }, {}],
    ['xlsx', {}, {}],
    ['xlsx', { values: 'label', headers: 'both' }, {}],
    ['spss', {}, {}],
  ])('%s %o', async (format, settings, fields) => {
    const copy = await copyOf();
    const file = await exported(survey.surveyId, { format, status: every, ...settings });
    const reply = await send(copy.surveyId, file, fields);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data).toMatchObject({
      created: 5,
      existing: 0,
      failed: 0,
      errors: [],
      missing_columns: [],
    });
    expect(await grid(copy.surveyId)).toEqual(await grid(survey.surveyId));
    for (const code of ['Q1', 'Q2', 'Q7_r1', 'Q8_r1', 'Q5', 'Q15']) {
      const path = (id: number) => `/api/responses/${id}/distribution/${code}?base=shown`;
      const [before, after] = [
        await author.get(path(survey.surveyId)),
        await author.get(path(copy.surveyId)),
      ];
      expect(after.body.data).toEqual(before.body.data);
    }
  });
});
