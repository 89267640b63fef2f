import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fillMessage, messagesFor } from '../../../../src/domain/invitations/messages.ts';

const languages = readdirSync('src/web/respondent/locales').map((file) => file.replace('.ts', ''));

it.each(languages)(
  'renders emails in %s, the language of the survey, with every placeholder filled',
  (language) => {
    const spoken = messagesFor(`${language}-XX`);
    expect(spoken.language).toBe(language);
    expect(spoken.direction).toBe(language === 'ar' ? 'rtl' : 'ltr');
    const english = messagesFor('en').messages;
    for (const [key, words] of Object.entries(spoken.messages)) {
      const places = (text: string) => [...new Set(text.match(/\{\w\}/g) ?? [])].sort();
      expect(places(words), key).toEqual(places(english[key as keyof typeof english]));
      if (language !== 'en') expect(words).not.toBe(english[key as keyof typeof english]);
    }
  },
);

it('uses the first language with translated texts', () => {
  expect(messagesFor(null, 'fr').language).toBe('fr');
  expect(messagesFor('sw', 'de-AT').language).toBe('de');
  expect(messagesFor('sw', null, 'constructor').language).toBe('en');
});

it('keeps braces in a name', () => {
  expect(fillMessage('{n} and {m}', '{m} Ltd $&', 'a@b')).toBe('{m} Ltd $& and a@b');
});
