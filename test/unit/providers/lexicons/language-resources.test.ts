import { expect, test } from 'vitest';
import { LanguageResources, PACKAGED_NAMES } from '../../../../src/providers/language-resources.ts';

test('every supported language has the resources listed in the table', async () => {
  const library = new LanguageResources();
  for (const [language, names] of PACKAGED_NAMES) {
    if (names.stemmer !== undefined) continue;
    const { data } = await library.loadVocabulary(language);
    expect(data.scores.size, language).toBeGreaterThan(700);
    expect(data.stopwords.size > 0, language).toBe(names.stopwords !== undefined);
  }
});

test('loads a language once, and knows only emoji of the others', async () => {
  const library = new LanguageResources();
  expect(library.loadVocabulary('en')).toBe(library.loadVocabulary('en'));
  const { data } = await library.loadVocabulary('../../../etc/passwd');
  expect(data.language).toBe('');
  expect(data.scores.get('❤')).toBe(3);
  expect(data.scores.has('good')).toBe(false);
});
