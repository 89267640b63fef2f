import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let surveyId: number;

beforeAll(async () => {
  ({ surveyId } = await publishedSurvey(author, [[choice('Q1'), number('Q2'), number('Q3')]]));
  const rows = ['1', '1', '2'].map((Q1, index) => ({ answers: { Q1, Q2: index + 1, Q3: 2 } }));
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
});

const post = (path: string, body: object) => author.post(`/api/responses/${surveyId}/${path}`, body);
const one = { Q1: ['1'] };

/** Everything that takes a filter in its body, with what else it needs. */
const FILTERED: [string, object][] = [
  ['crosstab', { rows: ['Q1'] }],
  ['export', { format: 'csv' }],
  ['quality-check', { dry_run: true }],
  [
    'weighting/preview',
    {
      dimensions: [
        {
          column_code: 'Q2',
          targets: [
            { value: 1, target: 40 },
            { value: 2, target: 60 },
          ],
        },
      ],
    },
  ],
  ['bulk', { action: 'flag', dry_run: true }],
  ['find-replace', { column_code: 'Q2', find: '1', replace: '2', dry_run: true }],
  ['restore-originals', { dry_run: true }],
  ['transform/recode', { column_code: 'Q2', mapping: { '1': 'few' }, dry_run: true }],
  ['transform/normalize', { column_code: 'Q2', dry_run: true }],
  ['transform/z-scores', { column_code: 'Q2', dry_run: true }],
  ['transform/bin', { column_code: 'Q2', bins: 2, dry_run: true }],
];

describe('names that mean the same', () => {
  test.each(FILTERED)('%s takes filter and filters, not two that differ', async (path, body) => {
    const first = (await post(path, { ...body, filter: one }).expect(200)).text;
    const second = (await post(path, { ...body, filters: one }).expect(200)).text;
    expect(second).toBe(first);
    await post(path, { ...body, filter: one, filters: one }).expect(200);
    await expectInvalidField(post(path, { ...body, filter: one, filters: { Q1: ['2'] } }), 'filters');
  });

  test.each(FILTERED)('what is wrong in %s is told by the name that was sent', async (path, body) => {
    const nothing = { nothing: ['1'] };
    for (const name of ['filter', 'filters']) {
      const { message, details } = await expectRefused(post(path, { ...body, [name]: nothing }), 400);
      expect(details[0]!.field).toBe(`${name}.nothing`);
      expect(message).toContain(`${name}.nothing: `);
    }
  });

  test.each(['weight', 'weight_column'])('a bad %s is told by that name', async (name) => {
    const ways = (value: string) => [
      post('crosstab', { rows: ['Q1'], [name]: value }),
      post('export', { [name]: value }),
      author.get(`/api/responses/${surveyId}/distribution/Q1?${name}=${value}`),
    ];
    for (const way of ways('nope')) await expectInvalidField(way, name);
    for (const way of ways('Q1')) {
      const { message, details } = await expectRefused(way, 422, 'not_a_weight');
      expect(details.map(({ field }) => field)).toEqual([name]);
      expect(message).toContain(`${name}: Q1 is of type`);
    }
  });

  test('weight and weight_column', async () => {
    for (const [path, body] of [
      ['crosstab', { rows: ['Q1'] }],
      ['export', { columns: ['Q1'] }],
    ] as const) {
      const first = (await post(path, { ...body, weight: 'Q2' }).expect(200)).text;
      expect((await post(path, { ...body, weight_column: 'Q2' }).expect(200)).text).toBe(first);
      await expectInvalidField(post(path, { ...body, weight: 'Q2', weight_column: 'Q3' }), 'weight_column');
    }
    const figures = `/api/responses/${surveyId}/distribution/Q1`;
    await author.get(`${figures}?weight=Q2&weight_column=Q2`).expect(200);
    await expectInvalidField(author.get(`${figures}?weight=Q2&weight_column=Q3`), 'weight_column');
  });

  test('workspace_id in the body narrows as in the query', async () => {
    const { workspaceId } = organization;
    const other = (await newOrganization(app)).workspaceId;
    const body = { rows: ['Q1'] };
    await post('crosstab', { ...body, workspace_id: workspaceId }).expect(200);
    await expectRefused(post('crosstab', { ...body, workspace_id: other }), 404, 'not_found');
    const both = post(`crosstab?workspace_id=${workspaceId}`, { ...body, workspace_id: other });
    await expectInvalidField(both, 'workspace_id');
  });
});
