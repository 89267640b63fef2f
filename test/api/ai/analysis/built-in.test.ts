import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../../support/actors.ts';
import { useApp } from '../../../support/app.ts';
import { type OpenAnswers, createOpenAnswers } from '../../../support/open-answers.ts';
import { expectRefused, expectInvalidField } from '../../../support/refusals.ts';
import { insertResponse } from '../../../support/stored-responses.ts';

const test = useApp();
const organization = useOrganization(test);

/** By topic: price, staff, and nothing in particular. */
const TEXTS = [
  'The price is terrible, far too expensive for what you get',
  'The price is too high and the price keeps rising, I hate it',
  'Price and fees are awful',
  'A bad price for such coffee',
  'The staff was friendly and I love the staff',
  'Great staff, wonderful and helpful people',
  'The staff is excellent',
  'Friendly staff made me happy',
  '   ',
  null,
  'I came on a Tuesday',
];
const OF = 9;
const PLACE = 'Tuesday';
let survey: OpenAnswers;
const author = organization.admin;
const requestAnalysis = (operation: string, body: object = {}) =>
  author.post(survey.at(operation), { question_id: survey.questionId, ...body });
const balance = async (): Promise<number> =>
  (await author.get('/api/billing/balance').expect(200)).body.data.balance;

beforeAll(async () => {
  survey = await createOpenAnswers(author, TEXTS);
});

describe('sentiment', () => {
  it('returns each text with counts and the engine', async () => {
    const before = await balance();
    const { data } = (await requestAnalysis('sentiment').expect(200)).body;
    expect(data).toMatchObject({
      engine: 'built-in',
      method: expect.stringContaining('Lexicons'),
      question_id: survey.questionId,
      texts: { read: OF, of: OF, blank: 2 },
      saved_as: null,
    });
    expect(data.usage.input_tokens).toBeGreaterThan(0);
    expect(data.credits_used).toBe(1);
    expect(data.credits_remaining).toBe(before - 1);
    expect(await balance()).toBe(before - 1);
    const labels = new Map(
      data.results.map((response: { response_id: number }) => [response.response_id, response]),
    );
    expect(labels.size).toBe(OF);
    expect(labels.get(survey.responseIds[0])).toMatchObject({ sentiment: 'negative' });
    expect(labels.get(survey.responseIds[4])).toMatchObject({ sentiment: 'positive' });
    expect(labels.has(survey.responseIds[8])).toBe(false);
    const { base, counts, shares, mean } = data.summary;
    expect(base).toBe(OF);
    expect(counts.negative + counts.neutral + counts.positive).toBe(OF);
    expect(shares.negative).toBeCloseTo(counts.negative / OF, 12);
    expect(mean).toBeCloseTo((counts.positive - counts.negative) / OF, 12);
  });

  it('returns the same result without charge when repeated', async () => {
    const first = (await requestAnalysis('sentiment').expect(200)).body.data;
    const before = await balance();
    const repeated = (await requestAnalysis('sentiment').expect(200)).body.data;
    expect(repeated.credits_used).toBe(0);
    expect(repeated.usage).toEqual({ input_tokens: 0, output_tokens: 0 });
    expect(repeated.results).toEqual(first.results);
    expect(await balance()).toBe(before);
  });

  it('covers the responses of the filter and status', async () => {
    const { data } = (await requestAnalysis('sentiment', { filter: 'Q1 = 1' }).expect(200)).body;
    expect(data.texts).toEqual({ read: 5, of: 5, blank: 1 });
    const partial = await insertResponse(test, survey.surveyId, {
      status: 'partial',
      answers: { Q2: 'I love it' },
    });
    const partials = (await requestAnalysis('sentiment', { status: ['partial'] }).expect(200)).body.data;
    expect(partials.results).toEqual([
      { response_id: partial, sentiment: 'positive', confidence: expect.any(Number) },
    ]);
    const seeded = await insertResponse(test, survey.surveyId, {
      isTest: true,
      answers: { Q2: 'I love it' },
    });
    const without = (await requestAnalysis('sentiment', { include_test: false }).expect(200)).body.data;
    expect(without.results.map((response: { response_id: number }) => response.response_id)).not.toContain(
      seeded,
    );
    const withTests = (await requestAnalysis('sentiment', { include_test: true }).expect(200)).body.data;
    expect(withTests.texts.of).toBe(OF + 1);
    expect(withTests.counted).toMatchObject({ test_responses_included: 1, test_responses_excluded: 0 });
    const byDefault = (await requestAnalysis('sentiment').expect(200)).body.data;
    expect(byDefault.texts.of).toBe(OF);
    expect(byDefault.counted).toMatchObject({ test_responses_included: 0, test_responses_excluded: 1 });
    await author.post(`/api/responses/${survey.surveyId}/bulk`, {
      action: 'delete',
      response_ids: [seeded, partial],
    });
    expect((await requestAnalysis('sentiment').expect(200)).body.data.texts.of).toBe(OF);
  });

  it('is charged once for twenty concurrent identical requests', async () => {
    const own = await createOpenAnswers(author, ['Good for all', 'Bad for all']);
    const before = await balance();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        author.post(own.at('sentiment'), { question_id: own.questionId }).expect(200),
      ),
    );
    expect(replies.filter(({ body }) => body.data.credits_used > 0)).toHaveLength(1);
    expect(await balance()).toBe(before - 1);
  });

  it('is free without texts', async () => {
    const before = await balance();
    const { data } = (await requestAnalysis('sentiment', { filter: 'Q3 > 1000' }).expect(200)).body;
    expect(data).toMatchObject({
      texts: { read: 0, of: 0, blank: 0 },
      summary: { base: 0, mean: null },
      results: [],
      credits_used: 0,
    });
    expect(await balance()).toBe(before);
  });
});

describe('themes', () => {
  it('refer to responses and their texts', async () => {
    const { data } = (await requestAnalysis('themes').expect(200)).body;
    expect(data.texts).toEqual({ read: OF, of: OF, blank: 2 });
    expect(data.themes.length).toBeGreaterThan(0);
    const byId = new Map(survey.responseIds.map((id, index) => [id, TEXTS[index]]));
    for (const theme of data.themes) {
      expect(theme.response_ids).toHaveLength(theme.count);
      expect(theme.share).toBeCloseTo(theme.count / OF, 12);
      expect(theme.examples.length).toBeGreaterThan(0);
      expect(theme.examples.length).toBeLessThanOrEqual(5);
      for (const example of theme.examples) {
        expect(theme.response_ids).toContain(example.response_id);
        expect(example.text).toBe(byId.get(example.response_id));
      }
    }
    const counts = data.themes.map((theme: { count: number }) => theme.count);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect((await requestAnalysis('themes').expect(200)).body.data).toMatchObject({
      themes: data.themes,
      credits_used: 0,
    });
  });

  it('truncate long quotes', async () => {
    const long = `Delivery ${'🇵🇹 delivery was slow '.repeat(60)}`;
    const own = await createOpenAnswers(author, [
      long,
      `${long}!`,
      'Delivery late',
      'slow delivery again',
      'delivery!',
    ]);
    const { data } = (await author.post(own.at('themes'), { question_id: own.questionId }).expect(200)).body;
    const examples = data.themes.flatMap((theme: { examples: { text: string }[] }) => theme.examples);
    const cut = examples.filter(({ text }: { text: string }) => text.endsWith('…'));
    expect(cut.length).toBeGreaterThan(0);
    for (const { text } of cut) {
      expect(text.length).toBeLessThanOrEqual(500);
      expect(long.startsWith(text.slice(0, -1)) || `${long}!`.startsWith(text.slice(0, -1))).toBe(true);
      expect(text.slice(0, -1)).not.toMatch(/\p{RI}$(?<!\p{RI}\p{RI})/u);
    }
  });
});

describe('classification', () => {
  it('assigns one of the given categories or none', async () => {
    const { data } = (await requestAnalysis('classify', { categories: ['Price', 'Staff'] }).expect(200)).body;
    expect(data).toMatchObject({ proposed: false, base: OF });
    const classOf = new Map(
      data.results.map((result: { response_id: number; category: string | null }) => [
        result.response_id,
        result.category,
      ]),
    );
    expect(classOf.get(survey.responseIds[0])).toBe('Price');
    expect(classOf.get(survey.responseIds[6])).toBe('Staff');
    expect(classOf.get(survey.responseIds[TEXTS.findIndex((text) => text?.includes(PLACE))])).toBeNull();
    const [price, staff] = data.categories;
    expect(price).toMatchObject({ category: 'Price', description: null });
    expect(price.count + staff.count + data.uncategorized.count).toBe(OF);
    expect(price.share).toBeCloseTo(price.count / OF, 12);
  });

  it('proposes the suggested categories if none are given', async () => {
    const own = await createOpenAnswers(author, TEXTS.slice(0, 8));
    const request = { question_id: own.questionId };
    const { data } = (await author.post(own.at('classify'), request).expect(200)).body;
    expect(data.proposed).toBe(true);
    expect(data.categories.length).toBeGreaterThan(0);
    const suggested = (await author.post(own.at('suggest-categories'), request).expect(200)).body.data;
    expect(suggested.credits_used).toBe(0);
    expect(suggested.categories.map(({ category }: { category: string }) => category)).toEqual(
      data.categories.map(({ category }: { category: string }) => category),
    );
    for (const { examples } of suggested.categories) expect(examples.length).toBeGreaterThan(0);
    expect((await author.post(own.at('classify'), request).expect(200)).body.data.credits_used).toBe(0);
  });

  it.each([
    [['Price'], 'categories'],
    [['Price', ' price '], 'categories[1]'],
    [['Price', '  '], 'categories[1]'],
    [['Price', 'x'.repeat(101)], 'categories[1]'],
    [Array.from({ length: 51 }, (_, index) => `C${index}`), 'categories'],
    ['Price', 'categories'],
  ])('%j are rejected', async (categories, field) => {
    await expectInvalidField(requestAnalysis('classify', { categories }), field);
  });
});

describe('a summary', () => {
  it('describes the texts it is based on', async () => {
    const { data } = (await requestAnalysis('summarize').expect(200)).body;
    expect(data.summary).toEqual(expect.any(String));
    expect(data.basis).toContain(`All ${OF} texts`);
    expect(data.points.length).toBeGreaterThan(0);
    for (const point of data.points) {
      expect(point.count).toBeGreaterThan(0);
      expect(survey.responseIds).toEqual(expect.arrayContaining(point.response_ids));
      expect(point.examples.length).toBeGreaterThan(0);
    }
    expect((await requestAnalysis('summarize').expect(200)).body.data.credits_used).toBe(0);
  });

  it('is null without texts', async () => {
    const { data } = (await requestAnalysis('summarize', { filter: 'Q3 > 1000' }).expect(200)).body;
    expect(data).toMatchObject({ summary: null, points: [], credits_used: 0 });
    expect(data.basis).toContain('No text');
  });
});

describe('rejects', () => {
  it('a translation without a language model, before any charge', async () => {
    const before = await balance();
    const { body } = await requestAnalysis('translate', { target_language: 'de' }).expect(503);
    expect(body.code).toBe('ai_provider_required');
    expect(await balance()).toBe(before);
  });

  it.each(['xx', 'und', 'klingonese', 'e', '', 'de_', '../../etc', 'x'.repeat(36)])(
    'an invalid language: %j',
    async (target_language) => {
      await expectInvalidField(requestAnalysis('translate', { target_language }), 'target_language');
    },
  );

  it('a question that is not open, naming its type', async () => {
    const { body } = await requestAnalysis('sentiment', { question_id: survey.questionIds.Q1 }).expect(400);
    expect(body.details).toEqual([
      { field: 'question_id', message: expect.stringMatching(/Q1 .*single_choice/) },
    ]);
  });

  it.each([
    ['sentiment', { question_id: 999_999_999 }],
    ['themes', { question_id: 0 }],
    ['summarize', { question_id: '1' }],
    ['sentiment', { question_id: undefined }],
    ['sentiment', { engine: 'gpt' }, 'engine'],
    ['sentiment', { filter: 'Q9 = 1' }, 'filter'],
    ['sentiment', { status: ['finished'] }, 'status[0]'],
    ['sentiment', { save_as_column: 7 }, 'save_as_column'],
  ])('%s with %j', async (operation, body, field = 'question_id') => {
    await expectInvalidField(requestAnalysis(operation, body), field);
  });

  it('a question of another survey', async () => {
    const other = await createOpenAnswers(author, ['Well']);
    await expectInvalidField(requestAnalysis('sentiment', { question_id: other.questionId }), 'question_id');
  });

  it('requests that cost more than the remaining credits', async () => {
    const poor = await createOpenAnswers(author, ['One', 'Two']);
    await test.database.db.raw('UPDATE credit_accounts SET balance = 0 WHERE organization_id = ?', [
      organization.organizationId,
    ]);
    const reply = await author.post(poor.at('sentiment'), { question_id: poor.questionId });
    await test.database.db.raw('UPDATE credit_accounts SET balance = 900 WHERE organization_id = ?', [
      organization.organizationId,
    ]);
    expect(reply.status).toBe(402);
    expect(reply.body.code).toBe('insufficient_credits');
  });

  it('users without AI access', async () => {
    const member = await organization.addUser('member');
    await author.put(`/api/users/${member.userId}`, { ai_access: false }).expect(200);
    for (const operation of ['sentiment', 'themes', 'classify', 'suggest-categories', 'summarize']) {
      const { body } = await member
        .post(survey.at(operation), { question_id: survey.questionId })
        .expect(403);
      expect(body.code).toBe('ai_disabled');
    }
    await expectRefused(
      (await organization.addUser('client')).post(survey.at('sentiment'), { question_id: survey.questionId }),
      403,
    );
  });
});
