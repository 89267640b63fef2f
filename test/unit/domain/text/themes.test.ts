import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenizeText } from '../../../../src/domain/text/vocabulary.ts';
import { createClassifier } from '../../../../src/domain/text/classify.ts';
import { summarizeTexts } from '../../../../src/domain/text/summary.ts';
import { createThemeMatcher, findThemes } from '../../../../src/domain/text/themes.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';
import { inLanguage } from './vocabularies.ts';

const ANSWERS = [
  'Customer support was helpful',
  'customer support never answered',
  'I called customer support twice',
  'The delivery was late',
  'Late delivery again',
  'delivery took weeks',
  'The app crashes on start',
  'App crashes all the time',
  'The price is too high',
  'Good price and fast delivery',
];

describe('themes', () => {
  test('are named in their most frequent spelling, the most common first', async () => {
    const themes = runToCompletion(findThemes(await inLanguage('en', ...ANSWERS), 4));
    expect(themes.map(({ name }) => name)).toEqual(['Delivery', 'Customer support', 'App crashes', 'Price']);
  });

  test('are matched in texts by their keywords, several per text', async () => {
    const texts = await inLanguage('en', ...ANSWERS, 'deliveries are slow and prices high', 'Nothing');
    const themes = runToCompletion(findThemes(texts.slice(0, ANSWERS.length), 4));
    const names = texts
      .map(createThemeMatcher(themes))
      .map((found) => found.map((index) => themes[index]!.name).sort());
    expect(names[9]).toEqual(['Delivery', 'Price']);
    expect(names[10]).toEqual(['Delivery', 'Price']);
    expect(names[11]).toEqual([]);
  });

  test('given without keywords are matched by name', async () => {
    const [text] = await inLanguage('es', 'Los precios son altos');
    expect(
      createThemeMatcher([
        { name: 'Precio', keywords: [] },
        { name: '', keywords: [] },
      ])(text!),
    ).toEqual([0]);
  });

  test('cover all forms of a word in Russian', async () => {
    const texts = await inLanguage(
      'ru',
      'Доставка долгая',
      'Быстрая доставка',
      'Довольна доставкой',
      'Цены высокие',
      'О ценах молчу',
    );
    const themes = runToCompletion(findThemes(texts, 5));
    expect(themes[0]).toMatchObject({ name: 'Доставка' });
    expect(texts.map(createThemeMatcher(themes.slice(0, 1)))).toEqual([[0], [0], [0], [], []]);
  });

  test('of any texts stay within the requested number, are deterministic and have examples from these texts', async () => {
    const [{ vocabulary }] = (await inLanguage('en', '')) as [Awaited<ReturnType<typeof inLanguage>>[0]];
    const word = fc.constantFrom('app', 'price', 'slow', 'the', '.', 'x', '好', '👍', '__proto__');
    const written = fc.oneof(
      fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (answers, most) => {
        const texts = answers.map((text) => tokenizeText(text, vocabulary));
        const themes = runToCompletion(findThemes(texts, most));
        expect(themes.length).toBeLessThanOrEqual(most);
        expect(runToCompletion(findThemes(texts, most))).toEqual(themes);
        const indices = [
          ...themes.flatMap(({ examples }) => examples),
          ...runToCompletion(summarizeTexts(texts)).points.flatMap(({ texts: of }) => of),
        ];
        expect(indices.every((index) => Number.isInteger(index) && index >= 0 && index < texts.length)).toBe(
          true,
        );
        expect(themes.every(({ name, keywords }) => name !== '' && keywords.length > 0)).toBe(true);
      }),
    );
  });
});

describe('categories', () => {
  test('are recognized by words of their names, keywords and descriptions, in any form', async () => {
    const classify = createClassifier([
      { name: 'Price', keywords: ['expensive', 'cost'] },
      { name: 'Delivery', description: 'When and how parcels arrive' },
    ]);
    const texts = await inLanguage(
      'en',
      'Prices went up',
      'It costs too much',
      'my parcel never came',
      'Hello there',
    );
    expect(texts.map((text) => classify(text).category)).toEqual(['Price', 'Price', 'Delivery', null]);
  });

  test('have less confidence if two fit equally', async () => {
    const classify = createClassifier([{ name: 'Price' }, { name: 'Delivery' }]);
    const [one, both] = await inLanguage('en', 'The price', 'Price of delivery');
    expect(classify(both!).confidence).toBeLessThan(classify(one!).confidence);
  });
});

describe('a summary', () => {
  test('quotes sentences of the texts and lists the texts that agree', async () => {
    const { summary, points } = runToCompletion(summarizeTexts(await inLanguage('en', ...ANSWERS)));
    expect(points.length).toBeGreaterThanOrEqual(3);
    for (const { text, texts } of points) {
      expect(ANSWERS).toContain(text);
      expect(texts).toContain(ANSWERS.indexOf(text));
      expect(summary).toContain(text);
    }
  });

  test('does not count texts of the opposite sentiment', async () => {
    const { points } = runToCompletion(
      summarizeTexts(
        await inLanguage('en', 'The support team was excellent', 'The support team was terrible'),
      ),
    );
    expect(points.map(({ texts }) => texts.length)).not.toContain(2);
  });

  test('of no texts is empty', () => {
    expect(runToCompletion(summarizeTexts([]))).toEqual({ summary: '', points: [] });
  });
});
