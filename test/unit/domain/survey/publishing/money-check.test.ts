import { describe, expect, it } from 'vitest';
import { findMoneyWarnings } from '../../../../../src/domain/survey/publishing/money-check.ts';
import { page, question, survey } from '../../../../support/survey-builder.ts';

const codesFor = (text: string, settings: object = {}) =>
  findMoneyWarnings(survey(page(question('number', { text, settings })))).map(({ code }) => code);

describe('a number question that names money', () => {
  it.each([
    'What did you pay in €?',
    'How much do you spend on coffee each week?',
    'What is the price of a cup, in US dollars?',
    'Was kostet ein Kaffee (EUR)?',
    'Quel est le prix d’un café ?',
    'كم سعر فنجان القهوة؟',
  ])('is reported where it accepts only whole numbers: %s', (text) => {
    expect(codesFor(text)).toEqual(['whole_amounts']);
    expect(codesFor(text, { decimals: 2 })).toEqual([]);
    // An author who sets a step has thought of it.
    expect(codesFor(text, { step: 1 })).toEqual([]);
  });

  it('is found by its unit', () => {
    expect(codesFor('And last year?', { prefix: '£' })).toEqual(['whole_amounts']);
    expect(codesFor('And last year?', { suffix: 'CHF' })).toEqual(['whole_amounts']);
  });

  it.each([
    'How old are you?',
    'How much time do you spend at work?',
    'How many hours do you spend asleep?',
    'How many Europeans do you know?',
    'How many visits did you pay to the museum?',
  ])('is nothing else: %s', (text) => {
    expect(codesFor(text)).toEqual([]);
  });
});
