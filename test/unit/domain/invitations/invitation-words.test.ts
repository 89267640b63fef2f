import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { said, spokenTo } from '../../../../src/domain/invitations/invitation-words.ts';

const languages = readdirSync('src/web/respondent/locales').map((file) => file.replace('.ts', ''));

it.each(languages)('mails speak %s, as the survey does, with every place filled in', (language) => {
  const spoken = spokenTo(`${language}-XX`);
  expect(spoken.language).toBe(language);
  expect(spoken.direction).toBe(language === 'ar' ? 'rtl' : 'ltr');
  const english = spokenTo('en').words;
  for (const [key, words] of Object.entries(spoken.words)) {
    const places = (text: string) => [...new Set(text.match(/\{\w\}/g) ?? [])].sort();
    expect(places(words), key).toEqual(places(english[key as keyof typeof english]));
    if (language !== 'en') expect(words).not.toBe(english[key as keyof typeof english]);
  }
});

it('the first language that there are words in is spoken', () => {
  expect(spokenTo(null, 'fr').language).toBe('fr');
  expect(spokenTo('sw', 'de-AT').language).toBe('de');
  expect(spokenTo('sw', null, 'constructor').language).toBe('en');
});

it('a name with braces in it stays what it is', () => {
  expect(said('{n} and {m}', '{m} Ltd $&', 'a@b')).toBe('{m} Ltd $& and a@b');
});
