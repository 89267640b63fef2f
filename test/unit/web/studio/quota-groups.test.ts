import { describe, expect, it } from 'vitest';
import { groupsOf, readRanges } from '../../../../src/web/studio/client/collect/quota-groups.ts';

describe('typed ranges', () => {
  it.each([
    ['18-29; 30–49; 50+', ['18–29', '30–49', '50+']],
    ['0 - 9.5\n10 to 20', ['0–9.5', '10–20']],
    ['-10 – -1; 0+', ['-10–-1', '0+']],
    ['', []],
  ])('reads %j', (text, labels) => {
    expect(readRanges(text).map(({ label }) => label)).toEqual(labels);
  });

  it.each([
    ['18', '“18” must be a range such as 18–29, or 50+ for 50 and more'],
    ['29-18', '“29-18” must be a range such as 18–29, or 50+ for 50 and more'],
    ['old; 50+', '“old” must be a range such as 18–29, or 50+ for 50 and more'],
    ['18-30; 30-49', '18–30 and 30–49 overlap'],
    ['50+; 60-70', '50+ and 60–70 overlap'],
  ])('refuses %j', (text, message) => {
    expect(() => readRanges(text)).toThrow(message);
  });
});

it('forms the groups of numbers and options', () => {
  const question = (code: string, type: string, options: object[]) =>
    ({
      question_code: code,
      question_type: type,
      question_text: code,
      question_settings: {},
      options,
    }) as never;
  const gender = question('Gender', 'single_choice', [{ option_value: 'f', option_label: 'Female' }]);
  const age = question('Age', 'number', []);
  expect(groupsOf([gender, age], () => '18-49; 50+')).toEqual([
    {
      label: 'Female · 18–49',
      condition: {
        connector: 'and',
        conditions: [
          { left: { type: 'question', code: 'Gender' }, operator: 'in', right: ['f'] },
          { left: { type: 'question', code: 'Age' }, operator: 'between', right: [18, 49] },
        ],
      },
    },
    {
      label: 'Female · 50+',
      condition: {
        connector: 'and',
        conditions: [
          { left: { type: 'question', code: 'Gender' }, operator: 'in', right: ['f'] },
          { left: { type: 'question', code: 'Age' }, operator: 'gte', right: 50 },
        ],
      },
    },
  ]);
});
