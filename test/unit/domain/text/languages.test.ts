import { beforeAll, expect, test } from 'vitest';
import {
  type DetectLanguage,
  estimateLanguageShares,
  LanguageIdentifier,
  mainLanguage,
} from '../../../../src/domain/text/languages.ts';
import { LanguageResources } from '../../../../src/providers/language-resources.ts';

const library = new LanguageResources();
let detect: DetectLanguage;
beforeAll(async () => {
  detect = await library.loadDetector();
});

async function toldOf(...texts: string[]): Promise<(string | null)[]> {
  const shares = estimateLanguageShares(texts, detect);
  const main = mainLanguage(shares);
  const teller = new LanguageIdentifier(
    shares,
    main === null ? null : await library.loadVocabulary(main),
    detect,
  );
  return texts.map((text) => {
    const language = teller.identify(text);
    return typeof language === 'object' && language !== null ? language.vocabulary.data.language : language;
  });
}

test('assigns a short text to the language of the other texts', async () => {
  const english = [
    'The staff were friendly and helpful',
    'I would come back any time',
    'Slow',
    'It was fine for what we paid',
  ];
  expect(await toldOf(...english)).toEqual(['en', 'en', 'en', 'en']);
  const slovene = 'za drogo';
  expect(await toldOf('Bardzo miła obsługa w tym sklepie', 'Długo czekałem na odpowiedź', slovene)).toEqual([
    'pl',
    'pl',
    'pl',
  ]);
});

test('identifies a text in another language in a nearly monolingual set', async () => {
  const english = Array.from(
    { length: 30 },
    (_, index) => `The staff were friendly and helpful on day ${index}`,
  );
  const languages = await toldOf(
    ...english,
    'La atención fue muy mala y el local estaba sucio',
    'Мне очень понравилось обслуживание',
  );
  expect(languages.slice(30)).toEqual(['es', 'ru']);
});

test('identifies each language of a mixed set', async () => {
  expect(
    await toldOf(
      'Die Lieferung war viel zu langsam',
      'La livraison était beaucoup trop lente',
      'The delivery was much too slow',
    ),
  ).toEqual(['de', 'fr', 'en']);
});

test('returns no language for texts without words', async () => {
  expect(await toldOf('', '👍', '12345')).toEqual([null, null, null]);
});
