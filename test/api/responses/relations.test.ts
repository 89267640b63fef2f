import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number, text } from '../../support/questions.ts';
import { expectInvalidField, expectRefused } from '../../support/refusals.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const { admin: author } = useOrganization(app);
let survey: PublishedSurvey;

const TRUST = {
  question_type: 'matrix',
  question_text: 'How much do you trust them?',
  question_code: 'trust',
  options: [1, 2, 3].map((value) => ({ option_label: `Level ${value}`, option_value: String(value) })),
  question_settings: {
    rows: [
      { row_code: '1', row_label: 'Banks' },
      { row_code: '2', row_label: 'Courts' },
    ],
  },
};
const X = [1, 2, 3, 4, 5, 6, 7, 8];
const Y = [2, 1, 4, 3, 7, 8, 6, 9];

beforeAll(async () => {
  survey = await publishedSurvey(author, [
    [number('x'), number('y'), number('w'), choice('region'), text('why'), TRUST],
  ]);
  const rows = X.map((x, index) => ({
    answers: {
      x,
      ...(index === 7 ? {} : { y: Y[index] }),
      w: 1 + (index % 2),
      region: '1',
      why: 'no',
      trust: { 1: String(1 + (index % 3)), 2: String(1 + ((index + 1) % 3)) },
    },
  }));
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
});

const post = (path: 'correlations' | 'reliability', body: object, actor = author) =>
  actor.post(`/api/responses/${survey.surveyId}/${path}`, body);
const compute = async (path: 'correlations' | 'reliability', body: object) =>
  (await post(path, body).expect(200)).body.data;

describe('correlations of columns', () => {
  it('count the responses with both answers', async () => {
    const found = await compute('correlations', { columns: ['x', 'y'] });
    expect(found).toMatchObject({
      method: 'pearson',
      missing: 'pairwise',
      weight_column: null,
      counted: { responses: 8 },
      columns: [{ column_code: 'x' }, { column_code: 'y' }],
      pairs: [{ columns: ['x', 'y'], base: 7, effective_base: null }],
    });
    // R: cor.test(1:7, c(2, 1, 4, 3, 7, 8, 6))
    const [pair] = found.pairs;
    expect(pair.r).toBeCloseTo(0.8485483, 6);
    expect(pair.p_value).toBeCloseTo(0.0157747, 6);
    expect(pair.ci_low).toBeCloseTo(0.2645203, 6);
    expect(pair.ci_high).toBeCloseTo(0.9771814, 6);
  });

  it('of ranks have no interval', async () => {
    const { pairs } = await compute('correlations', { columns: ['x', 'y'], method: 'spearman' });
    // R: cor(1:7, c(2, 1, 4, 3, 7, 8, 6), method = "spearman")
    expect(pairs[0].r).toBeCloseTo(0.8214286, 6);
    expect(pairs[0].ci_low).toBeNull();
  });

  it('apply weights and filters, and have all rows of a matrix', async () => {
    const found = await compute('correlations', {
      columns: ['trust', 'x'],
      weight: 'w',
      filter: 'x <= 6',
    });
    expect(found.weight_column).toBe('w');
    expect(found.counted.responses).toBe(6);
    expect(found.pairs).toHaveLength(3);
    expect(found.pairs[0].effective_base).toBeCloseTo(81 / 15, 9);
  });

  it('are null for a column without variance', async () => {
    const { pairs } = await compute('correlations', { columns: ['x', 'y'], filter: 'x = 3' });
    expect(pairs[0]).toMatchObject({ base: 1, r: null, p_value: null, ci_low: null });
  });

  it('reject columns that are unknown, too few, nominal, texts or given twice', async () => {
    await expectInvalidField(post('correlations', { columns: ['x', 'z'] }), 'columns[1]');
    await expectInvalidField(post('correlations', { columns: ['x'] }), 'columns');
    await expectInvalidField(post('correlations', { columns: ['x', 'x'] }), 'columns');
    await expectInvalidField(post('correlations', { columns: ['x', 'y'], method: 'kendall' }), 'method');
    await expectRefused(post('correlations', { columns: ['x', 'region'] }), 422, 'no_number');
    await expectRefused(post('correlations', { columns: ['x', 'why'] }), 422, 'no_number');
    await expectRefused(post('correlations', { columns: ['x', 'y'], weight: 'why' }), 422, 'not_a_weight');
  });

  it('are not shown to others', async () => {
    const stranger = (await newOrganization(app)).admin;
    const body = { columns: ['x', 'y'] };
    await expectRefused(post('correlations', body, stranger), 404, 'not_found');
    await expectRefused(post('reliability', body, stranger), 404, 'not_found');
    await expectRefused(post('correlations', body, anonymous(app)), 401, 'unauthenticated');
  });
});

describe('the reliability of items', () => {
  it('lists the items, and names those that run against the others', async () => {
    const plain = await compute('reliability', { columns: ['x', 'y', 'w'] });
    expect(plain.items.map(({ column_code: code }: { column_code: string }) => code)).toEqual([
      'x',
      'y',
      'w',
    ]);
    const reversed = await compute('reliability', { columns: ['x', 'y'], reversed: ['Y'] });
    expect(reversed.alpha).toBeLessThan(0);
    expect(reversed.notes).toHaveLength(2);
    expect(reversed.notes[1].message).toContain('Leave it out of `reversed`');
    expect(reversed.items[1]).toMatchObject({ reversed: true, mean: 31 / 7, alpha_if_deleted: null });
  });

  it('leaves out responses with a missing answer, or uses the median of the item', async () => {
    const columns = ['x', 'y'];
    // R: psych::alpha(cbind(1:7, c(2, 1, 4, 3, 7, 8, 6)))$total$raw_alpha
    const complete = await compute('reliability', { columns, missing: 'listwise' });
    expect(complete.alpha).toBeCloseTo(0.9082774, 6);
    expect(complete.items[0].base).toBe(7);
    const filled = await compute('reliability', { columns, missing: 'median' });
    expect(filled.items[1]).toMatchObject({ base: 8, mean: 35 / 8 });
  });

  it('rejects reversed items that are not among the columns', async () => {
    await expectInvalidField(post('reliability', { columns: ['x', 'y'], reversed: ['w'] }), 'reversed[0]');
  });
});
