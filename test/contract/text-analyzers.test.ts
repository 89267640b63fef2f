import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreditReservation } from '../../src/domain/credits/credits.ts';
import { OpenAiModel } from '../../src/providers/language/openai-model.ts';
import { LanguageResources } from '../../src/providers/language-resources.ts';
import type { TextAnalyzer, FindingFact } from '../../src/services/ai/analysis/text-analyzer.ts';
import { BuiltInTextAnalyzer } from '../../src/services/ai/analysis/built-in-text-analyzer.ts';
import { ModelTextAnalyzer } from '../../src/services/ai/analysis/model/model-text-analyzer.ts';
import { type FakeLanguageServer, startFakeLanguageServer } from '../support/fake-language-server.ts';

let fake: FakeLanguageServer;
beforeAll(async () => {
  fake = await startFakeLanguageServer();
});
afterAll(() => fake.close());

const candidates: Record<string, () => TextAnalyzer> = {
  'what is built in': () => new BuiltInTextAnalyzer(new LanguageResources()),
  'a language model': () =>
    new ModelTextAnalyzer(
      new OpenAiModel({
        baseUrl: fake.url,
        apiKey: null,
        model: 'test-model',
        concurrency: 2,
        timeoutSeconds: 20,
      }),
    ),
};

const TEXTS = [
  'I love the delivery, it is excellent',
  'The delivery was terrible and I hate waiting',
  'The delivery came on a Tuesday',
  'Excellent coffee, I love it',
  'The coffee is terrible, I hate it',
  'The coffee is served in cups',
];
const FACTS: FindingFact[] = [
  {
    id: 'a',
    kind: 'difference',
    statement: '62 % of women agree, 41 % of men do.',
    figures: { women: 62, men: 41 },
  },
  { id: 'b', kind: 'outlier', statement: 'Response 17 took 9 seconds.', figures: { seconds: 9 } },
];
const signal = new AbortController().signal;

describe.each(Object.entries(candidates))('%s', (_name, open) => {
  const reservation = () => new CreditReservation(1);
  const expectTextIndex = (index: number) => expect(TEXTS[index]).toBeDefined();

  it('describes its engine and method', () => {
    const analyst = open();
    expect(analyst.engine).toMatch(/^(openai|built-in)$/);
    expect(analyst.model).not.toBe('');
    expect(analyst.describeMethod('sentiment').length).toBeGreaterThan(40);
  });

  it('returns sentiment and confidence of each text', async () => {
    const results = await open().detectSentiments({ reservation: reservation(), texts: TEXTS, signal });
    expect(results.map(({ sentiment }) => sentiment)).toEqual([
      'positive',
      'negative',
      'neutral',
      'positive',
      'negative',
      'neutral',
    ]);
    for (const { confidence } of results) {
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  it('classifies texts into given categories only', async () => {
    const categories = [{ name: 'Delivery' }, { name: 'Coffee' }];
    const results = await open().classify({
      reservation: reservation(),
      texts: [...TEXTS, 'Xylophone'],
      categories,
      signal,
    });
    expect(results.map(({ category }) => category)).toEqual([
      'Delivery',
      'Delivery',
      'Delivery',
      'Coffee',
      'Coffee',
      'Coffee',
      null,
    ]);
  });

  it('proposes themes found in the texts and matches them again', async () => {
    const analyst = open();
    const themes = await analyst.proposeThemes({
      reservation: reservation(),
      texts: TEXTS,
      limit: 3,
      signal,
    });
    expect(themes.length).toBeGreaterThan(0);
    expect(themes.length).toBeLessThanOrEqual(3);
    for (const { name, examples } of themes) {
      expect(name).not.toBe('');
      examples.forEach(expectTextIndex);
    }
    const about = await analyst.assignThemes({ reservation: reservation(), texts: TEXTS, themes, signal });
    expect(about).toHaveLength(TEXTS.length);
    expect(about.flat().length).toBeGreaterThan(0);
    for (const index of about.flat()) expect(themes[index]).toBeDefined();
  });

  it('proposes at most the requested number of categories, each name once', async () => {
    const proposed = await open().proposeCategories({
      reservation: reservation(),
      texts: TEXTS,
      limit: 2,
      signal,
    });
    expect(proposed.length).toBeLessThanOrEqual(2);
    expect(new Set(proposed.map(({ name }) => name)).size).toBe(proposed.length);
  });

  it('summarizes texts and names the sources of each point', async () => {
    const { summary, points } = await open().summarize({ reservation: reservation(), texts: TEXTS, signal });
    expect(summary).not.toBe('');
    for (const { texts } of points) {
      expect(texts.length).toBeGreaterThan(0);
      texts.forEach(expectTextIndex);
    }
  });

  it('words every finding once, with its figures', async () => {
    const words = await open().phraseFacts({ reservation: reservation(), facts: FACTS, signal });
    expect(words).toHaveLength(2);
    expect(words[0]!.explanation).toContain('62 %');
    expect(words[1]!.explanation).toContain('9 seconds');
  });

  it('returns nothing without texts', async () => {
    const analyst = open();
    expect(await analyst.detectSentiments({ reservation: reservation(), texts: [], signal })).toEqual([]);
    expect(await analyst.proposeThemes({ reservation: reservation(), texts: [], limit: 5, signal })).toEqual(
      [],
    );
    expect(await analyst.phraseFacts({ reservation: reservation(), facts: [], signal })).toEqual([]);
  });

  it('counts its usage, within its earlier estimate', async () => {
    const analyst = open();
    const credits = reservation();
    await analyst.detectSentiments({ reservation: credits, texts: TEXTS, signal });
    const { input_tokens: input, output_tokens: output } = credits.usage;
    expect(input).toBeGreaterThan(0);
    expect(input + output).toBeLessThanOrEqual(analyst.maxTokens({ operation: 'sentiment' }, TEXTS));
  });

  it('rejects with the reason of an aborted signal', async () => {
    const stopped = AbortSignal.abort(new Error('enough'));
    const asks: ((analyst: TextAnalyzer) => Promise<unknown>)[] = [
      (analyst) => analyst.detectSentiments({ reservation: reservation(), texts: TEXTS, signal: stopped }),
      (analyst) =>
        analyst.proposeThemes({ reservation: reservation(), texts: TEXTS, limit: 3, signal: stopped }),
      (analyst) => analyst.summarize({ reservation: reservation(), texts: TEXTS, signal: stopped }),
      (analyst) => analyst.phraseFacts({ reservation: reservation(), facts: FACTS, signal: stopped }),
    ];
    for (const request of asks) await expect((async () => request(open()))()).rejects.toBe(stopped.reason);
  });
});
