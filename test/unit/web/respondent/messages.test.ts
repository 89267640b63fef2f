import { expect, it } from 'vitest';
import { messagesIn } from '../../../../src/web/respondent/respondent-page.ts';
import { en, type Messages } from '../../../../src/web/respondent/locales/en.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

it.each(['de', 'es', 'fr', 'pt', 'ar'])('%s has the same keys and placeholders as English', (language) => {
  const messages = messagesIn([language])[language]!;
  expect(messages).not.toBe(en);
  expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en) as (keyof Messages)[]) {
    expect(messages[key].trim()).not.toBe('');
    expect([key, placeholders(messages[key])]).toEqual([key, placeholders(en[key])]);
  }
});

it('uses the base language of a region, and English for an unknown language', () => {
  expect(messagesIn(['pt-BR', 'nl'])).toMatchObject({ 'pt-BR': { next: 'Seguinte' }, nl: { next: 'Next' } });
});
