import { expect, it } from 'vitest';
import { messagesIn } from '../../../../src/web/respondent/messages.ts';
import { en, type Messages } from '../../../../src/web/respondent/locales/en.ts';

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

it.each(['de', 'es', 'fr', 'pt', 'ar'])('every text of %s has the places of the English one', (language) => {
  const words = messagesIn([language])[language]!;
  for (const key of Object.keys(en) as (keyof Messages)[]) {
    expect(words[key].trim()).not.toBe('');
    expect([key, places(words[key])]).toEqual([key, places(en[key])]);
  }
});

it('a language has the words of its base, and English where there are none', () => {
  expect(messagesIn(['pt-BR', 'nl'])).toMatchObject({ 'pt-BR': { next: 'Seguinte' }, nl: { next: 'Next' } });
});
