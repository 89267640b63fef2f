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
const FILTER = { Q1: ['1'] };

/** All operations with a filter in the body, with their other required fields. */
const FILTERED_OPERATIONS: [string, object][] = [
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

describe('synonymous parameters', () => {
  test.each(FILTERED_OPERATIONS)(
    '%s accepts filter or filters, but not two different ones',
    async (path, body) => {
      const first = (await post(path, { ...body, filter: FILTER }).expect(200)).text;
      const second = (await post(path, { ...body, filters: FILTER }).expect(200)).text;
      expect(second).toBe(first);
      await post(path, { ...body, filter: FILTER, filters: FILTER }).expect(200);
      await expectInvalidField(post(path, { ...body, filter: FILTER, filters: { Q1: ['2'] } }), 'filters');
    },
  );

  test.each(FILTERED_OPERATIONS)(
    'an error in %s uses the parameter name that was sent',
    async (path, body) => {
      const unknownColumn = { nothing: ['1'] };
      for (const name of ['filter', 'filters']) {
        const { message, details } = await expectRefused(post(path, { ...body, [name]: unknownColumn }), 400);
        expect(details[0]!.field).toBe(`${name}.nothing`);
        expect(message).toContain(`${name}.nothing: `);
      }
    },
  );

  test.each(['weight', 'weight_column'])('an invalid %s is reported under that name', async (name) => {
    const createRequests = (value: string) => [
      post('crosstab', { rows: ['Q1'], [name]: value }),
      post('export', { [name]: value }),
      author.get(`/api/responses/${surveyId}/distribution/Q1?${name}=${value}`),
    ];
    for (const request of createRequests('nope')) await expectInvalidField(request, name);
    for (const request of createRequests('Q1')) {
      const { message, details } = await expectRefused(request, 422, 'not_a_weight');
      expect(details.map(({ field }) => field)).toEqual([name]);
      expect(message).toContain(`${name}: must be a number column; Q1 is of type`);
    }
  });

  test('weight and weight_column can be used interchangeably', async () => {
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

  test('workspace_id works in the body as in the query', async () => {
    const { workspaceId } = organization;
    const other = (await newOrganization(app)).workspaceId;
    const body = { rows: ['Q1'] };
    await post('crosstab', { ...body, workspace_id: workspaceId }).expect(200);
    await expectRefused(post('crosstab', { ...body, workspace_id: other }), 404, 'not_found');
    const both = post(`crosstab?workspace_id=${workspaceId}`, { ...body, workspace_id: other });
    await expectInvalidField(both, 'workspace_id');
  });
});
