import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CreditReservation } from '../../../../src/domain/credits/credits.ts';
import { OpenAiModel } from '../../../../src/providers/language/openai-model.ts';
import type { FindingFact } from '../../../../src/services/ai/analysis/text-analyzer.ts';
import { ModelTextAnalyzer } from '../../../../src/services/ai/analysis/model/model-text-analyzer.ts';
import { dataOf } from '../../../support/fake-language-answers.ts';
import { type FakeLanguageServer, startFakeLanguageServer } from '../../../support/fake-language-server.ts';

let fake: FakeLanguageServer;
let analyst: ModelTextAnalyzer;
// One for each test: calls that were stopped may still arrive at it.
beforeEach(async () => {
  fake = await startFakeLanguageServer();
  const settings = { apiKey: null, model: 'test-model', concurrency: 4, timeoutSeconds: 20, backOffMs: 5 };
  analyst = new ModelTextAnalyzer(new OpenAiModel({ baseUrl: fake.url, ...settings }));
});
afterEach(() => fake.close());

const newReservation = () => new CreditReservation(1);
const { signal } = new AbortController();
const textsOf = (number: number) => dataOf(fake.requests[number]!).texts as { id: number; text: string }[];

const TEXTS = ['I love the coffee', 'I hate the queue', 'The shop is in town', 'Odio la espera'];
const FACT: FindingFact = {
  id: 'f-7',
  kind: 'difference',
  statement: 'Of those under 30, 62 % are satisfied, against 41 % of the others (p = 0.003, n = 1,204).',
  figures: { under_30: 62, others: 41, p: 0.003, n: 1204 },
};

describe('sentiment', () => {
  it('is returned for each text in order, matched by internal numbers', async () => {
    const results = await analyst.detectSentiments({ reservation: newReservation(), texts: TEXTS, signal });
    expect(results.map(({ sentiment }) => sentiment)).toEqual([
      'positive',
      'negative',
      'neutral',
      'negative',
    ]);
    expect(results.every(({ confidence }) => confidence === 0.9)).toBe(true);
    expect(textsOf(0)).toEqual(TEXTS.map((text, index) => ({ id: index + 1, text })));
  });

  it('of an omitted text is requested once more, then neutral without confidence', async () => {
    const about = (...ids: number[]) => ({
      content: { results: ids.map((id) => ({ id, sentiment: 'positive', confidence: 7 })) },
    });
    fake.reply([about(3, 1, 99, 1.5, -1), about(2, 1), {}]);
    const results = await analyst.detectSentiments({ reservation: newReservation(), texts: TEXTS, signal });
    expect(results).toEqual([
      { sentiment: 'positive', confidence: 1 },
      { sentiment: 'positive', confidence: 1 },
      { sentiment: 'positive', confidence: 1 },
      { sentiment: 'neutral', confidence: 0 },
    ]);
    expect(fake.requests).toHaveLength(2);
    expect(textsOf(1).map(({ id }) => id)).toEqual([2, 4]);
  });

  it('without a result for any text is a provider failure', async () => {
    fake.reply({ content: { results: [{ id: 77, sentiment: 'positive', confidence: 1 }] } });
    await expect(
      analyst.detectSentiments({ reservation: newReservation(), texts: TEXTS, signal }),
    ).rejects.toMatchObject({
      code: 'ai_provider_failed',
    });
  });

  it('is not requested repeatedly in the same job', async () => {
    fake.reply({ content: { results: [{ id: 1, sentiment: 'neutral', confidence: 0.5 }] } });
    const credits = newReservation();
    for (let piece = 0; piece < 12; piece++)
      await analyst.detectSentiments({ reservation: credits, texts: TEXTS, signal });
    expect(fake.requests).toHaveLength(12 + 2 + 12 / 4);
  });

  it('of many texts is requested in batches, some concurrently', async () => {
    const many = Array.from({ length: 130 }, (_, index) => `${TEXTS[index % 4]!} ${index}`);
    const results = await analyst.detectSentiments({ reservation: newReservation(), texts: many, signal });
    expect(results.map(({ sentiment }) => sentiment).slice(0, 4)).toEqual([
      'positive',
      'negative',
      'neutral',
      'negative',
    ]);
    expect(results.slice(128)).toEqual(results.slice(0, 2));
    expect(fake.requests).toHaveLength(4);
    for (const [number] of fake.requests.entries()) expect(textsOf(number).length).toBeLessThanOrEqual(40);
  });

  it('uses the beginning of a very long text', async () => {
    await analyst.detectSentiments({ reservation: newReservation(), texts: ['x'.repeat(100_000)], signal });
    expect(textsOf(0)[0]!.text).toHaveLength(4_000);
  });
});

describe('classification', () => {
  const CATEGORIES = [{ name: 'coffee' }, { name: 'queue', description: 'How long one waits' }];

  it('returns only given names, or none', async () => {
    const results = await analyst.classify({
      reservation: newReservation(),
      texts: TEXTS,
      categories: CATEGORIES,
      signal,
    });
    expect(results.map(({ category }) => category)).toEqual(['coffee', 'queue', null, null]);
  });

  it('drops an unknown category', async () => {
    const results = [3, 0, 1.5, -1].map((category, index) => ({ id: index + 1, category, confidence: 1 }));
    fake.reply({ content: { results } });
    const classified = await analyst.classify({
      reservation: newReservation(),
      texts: TEXTS,
      categories: CATEGORIES,
      signal,
    });
    expect(classified).toEqual(TEXTS.map(() => ({ category: null, confidence: 0 })));
  });
});

describe('themes', () => {
  it('have supporting texts and are matched in texts', async () => {
    const themes = await analyst.proposeThemes({
      reservation: newReservation(),
      texts: TEXTS,
      limit: 3,
      signal,
    });
    expect(themes).toHaveLength(3);
    for (const { name, examples } of themes)
      for (const index of examples) expect(TEXTS[index]!.toLowerCase()).toContain(name);
    const coffee = [{ name: 'coffee', description: '', keywords: [], examples: [] }];
    expect(
      await analyst.assignThemes({ reservation: newReservation(), texts: TEXTS, themes: coffee, signal }),
    ).toEqual([[0], [], [], []]);
  });

  it('of many texts are found in batches and merged, with examples from all of them', async () => {
    const texts = Array.from({ length: 500 }, (_, index) => `${index} delivery ${'late '.repeat(20)}`);
    const themes = await analyst.proposeThemes({ reservation: newReservation(), texts, limit: 5, signal });
    const requestedSchemas = fake.requests.map(({ body }) => body.response_format?.json_schema?.name);
    expect(requestedSchemas.filter((name) => name === 'propose_themes').length).toBeGreaterThan(2);
    expect(requestedSchemas.at(-1)).toBe('merge_themes');
    const delivery = themes.find(({ name }) => name === 'delivery')!;
    expect(delivery.examples.length).toBeGreaterThan(0);
    for (const index of delivery.examples) expect(texts[index]).toBeDefined();
  });

  it('are shortened, deduplicated and refer only to given texts', async () => {
    const theme = {
      description: 'd'.repeat(400),
      keywords: Array(20).fill('k\u0000'),
      examples: [1, 99, 0, -1, 1.5, 1],
    };
    fake.reply({
      content: {
        themes: [
          { ...theme, name: ` Price\u0007\n${'!'.repeat(200)}` },
          { ...theme, name: 'Speed' },
          { ...theme, name: 'speed' },
          { ...theme, name: '\u0000 ' },
          { ...theme, name: 'One too many' },
        ],
      },
    });
    const themes = await analyst.proposeThemes({
      reservation: newReservation(),
      texts: TEXTS,
      limit: 2,
      signal,
    });
    expect(themes.map(({ name }) => name.slice(0, 7))).toEqual(['Price !', 'Speed']);
    expect(themes[0]!.name.length).toBeLessThanOrEqual(60);
    expect(themes[1]).toMatchObject({ keywords: ['k'], examples: [0] });
    expect(themes[1]!.description.length).toBeLessThanOrEqual(160);
  });

  it('that were not given are not matched in texts', async () => {
    fake.reply({ content: { results: [{ id: 1, themes: [1, 1, 2, 0, -3, 0.5] }] } });
    const themes = [{ name: 'coffee', description: '', keywords: [], examples: [] }];
    expect(
      await analyst.assignThemes({
        reservation: newReservation(),
        texts: ['I love the coffee'],
        themes,
        signal,
      }),
    ).toEqual([[0]]);
  });
});

describe('a summary', () => {
  it('refers to texts for each point', async () => {
    const { summary, points } = await analyst.summarize({
      reservation: newReservation(),
      texts: TEXTS,
      signal,
    });
    expect(summary).toBe('4 were read.');
    expect(points.map(({ texts }) => texts)).toEqual([[0], [1], [2]]);
  });

  it('of many texts combines summaries and keeps the texts of their points', async () => {
    const texts = Array.from({ length: 450 }, (_, index) => `text ${1_000 + index}`);
    const { points } = await analyst.summarize({ reservation: newReservation(), texts, signal });
    expect(fake.requests).toHaveLength(4);
    expect(points.length).toBeGreaterThan(0);
    for (const point of points) for (const index of point.texts) expect(point.text).toBe(texts[index]);
  });

  it('drops points without supporting texts', async () => {
    fake.reply({
      content: {
        summary: 'S',
        points: [
          { text: 'Invented', texts: [99] },
          { text: 'Said', texts: [2] },
        ],
      },
    });
    expect(await analyst.summarize({ reservation: newReservation(), texts: TEXTS, signal })).toEqual({
      summary: 'S',
      points: [{ text: 'Said', texts: [1] }],
    });
  });
});

describe('a translation', () => {
  it('covers every text and names its source language', async () => {
    expect(
      await analyst.translate({ reservation: newReservation(), texts: TEXTS, targetLanguage: 'de', signal }),
    ).toEqual(TEXTS.map((text) => ({ translation: `[de] ${text}`, detectedLanguage: 'en' })));
  });

  it('of a long text is translated in parts and joined', async () => {
    const long = Array.from({ length: 900 }, (_, index) => `Sentence number ${index}.`).join(' ');
    fake.reply((request) => ({
      content: {
        results: (dataOf(request).texts as { id: number; text: string }[]).map(({ id, text }) => ({
          id,
          translation: text,
          language: 'EN-us',
        })),
      },
    }));
    expect(
      await analyst.translate({
        reservation: newReservation(),
        texts: ['Before', long, 'After'],
        targetLanguage: 'de',
        signal,
      }),
    ).toEqual([
      { translation: 'Before', detectedLanguage: 'en' },
      { translation: long, detectedLanguage: 'en' },
      { translation: 'After', detectedLanguage: 'en' },
    ]);
    expect(fake.requests.length).toBeGreaterThan(1);
  });

  it('is null for an omitted text', async () => {
    fake.reply({ content: { results: [{ id: 1, translation: 'x\u0000', language: 'Klingon' }] } });
    expect(
      await analyst.translate({
        reservation: newReservation(),
        texts: ['a', 'b'],
        targetLanguage: 'de',
        signal,
      }),
    ).toEqual([
      { translation: 'x', detectedLanguage: null },
      { translation: '', detectedLanguage: null },
    ]);
  });
});

describe('the wording of a statistical finding', () => {
  const wording = (words: { headline?: string; explanation?: string; suggestion?: string | null }) => ({
    content: {
      results: [
        { id: 1, headline: 'Younger people', explanation: 'They like it.', suggestion: null, ...words },
      ],
    },
  });
  const OWN = { headline: FACT.statement, explanation: FACT.statement, suggestion: null };

  it.each([
    'Of those under 30, 62 % are satisfied.',
    'Only 41% of the others are (p=0.003, n=1204).',
    'Among 1,204 people, and 1 204 at that.',
    'Younger people are more satisfied.',
  ])('comes from the model if every figure is from the finding: %s', async (explanation) => {
    fake.reply(wording({ explanation, suggestion: 'Ask the others why.' }));
    expect(await analyst.phraseFacts({ reservation: newReservation(), facts: [FACT], signal })).toEqual([
      { headline: 'Younger people', explanation, suggestion: 'Ask the others why.' },
    ]);
  });

  it.each([
    'Satisfaction is 63 % among the young.',
    'A gap of 21 points.',
    'Half as many again.',
    'Twice as likely.',
    'Two in three like it.',
    'They are ⅔ of all.',
    'It is ٦٣ percent.',
    '620 people.',
    '0.62 of them.',
  ])('is the built-in one if a figure was invented: %s', async (explanation) => {
    fake.reply(wording({ explanation }));
    expect(await analyst.phraseFacts({ reservation: newReservation(), facts: [FACT], signal })).toEqual([
      OWN,
    ]);
    fake.reply(wording({ headline: explanation }));
    expect(await analyst.phraseFacts({ reservation: newReservation(), facts: [FACT], signal })).toEqual([
      OWN,
    ]);
    fake.reply(wording({ suggestion: explanation }));
    expect(await analyst.phraseFacts({ reservation: newReservation(), facts: [FACT], signal })).toMatchObject(
      [{ suggestion: null }],
    );
  });

  it('is the built-in one if the model omitted the finding, separately for each finding', async () => {
    const other = { ...FACT, id: 'g', statement: 'It fell from 7.1 to 5.4.', figures: {} };
    fake.reply({
      content: {
        results: [{ id: 2, headline: 'A fall', explanation: 'From 7.1 to 5.4.', suggestion: null }],
      },
    });
    expect(
      await analyst.phraseFacts({ reservation: newReservation(), facts: [FACT, other], signal }),
    ).toEqual([OWN, { headline: 'A fall', explanation: 'From 7.1 to 5.4.', suggestion: null }]);
  });
});
