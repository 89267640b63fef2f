import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  proposeReportLabel,
  questionTitleOf,
  reportLabelOf,
} from '../../../../src/domain/survey/report-label.ts';

describe('the proposed short label', () => {
  test.each([
    ['How old are you?', 'How old are you?'],
    ['Which drinks do you like? (Select all that apply)', 'Which drinks do you like?'],
    ['Which drinks [of these] do you like (all that apply)?', 'Which drinks do you like?'],
    ['How satisfied are you with {{Q4|our stores}}?', 'How satisfied are you with our stores?'],
    ['Hello {{respondent.name}}, how much do you spend?', 'Hello, how much do you spend?'],
    ['Think of your last visit. How was it?', 'Think of your last visit'],
    ['Do you use e.g. a bus? Say so.', 'Do you use e.g. a bus?'],
    ['Prices of 1.50 or more?', 'Prices of 1.50 or more?'],
    ['Your town:\nwhere you live now', 'Your town'],
    ['どこに住んでいますか？教えてください。', 'どこに住んでいますか？'],
    ['{{Q1}}', ''],
    ['', ''],
  ])('of %j is %j', (text, label) => {
    expect(proposeReportLabel(text)).toBe(label);
  });

  test('is cut after a word at 60 characters', () => {
    expect(
      proposeReportLabel(
        'How satisfied or dissatisfied are you with the opening hours of our stores and services?',
      ),
    ).toBe('How satisfied or dissatisfied are you with the opening…');
    expect(proposeReportLabel('x'.repeat(100))).toBe(`${'x'.repeat(59)}…`);
  });

  test('has at most 60 characters and no placeholders, whatever the text is', () => {
    const part = fc.constantFrom(
      '{{Q1|it}}',
      '{{hidden.a}}',
      '(',
      ')',
      '[',
      '. ',
      '? ',
      'word ',
      '😀',
      '\n',
      '  ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const label = proposeReportLabel(parts.join(''));
        expect([...label].length).toBeLessThanOrEqual(60);
        expect(label).not.toMatch(/\{\{|\n|^\s|\s$/);
      }),
      { seed: 11 },
    );
  });
});

describe('the short name of a question', () => {
  const question = { code: 'Q1', text: 'Where do you live?' };
  test.each([
    [{ ...question, settings: { report_label: 'Town' } }, 'Town'],
    [{ ...question, settings: { report_label: 'Use of {{Q4|our stores}}' } }, 'Use of our stores'],
    [{ ...question, settings: { report_label: null } }, 'Where do you live?'],
    [{ ...question, text: '{{hidden.text}}', settings: { report_label: null } }, 'Q1'],
  ])('of %j is %j', (asked, name) => {
    expect(reportLabelOf(asked)).toBe(name);
  });
});

describe('the title of a question', () => {
  const long = `How satisfied are you with ${'the very slow '.repeat(8)}service?`;
  test.each([
    [{ code: 'Q1', text: long, settings: { report_label: 'Service' } }, 'Service'],
    [
      { code: 'Q1', text: `**Now.** ${long} (Choose one.)`, settings: { report_label: null } },
      `Now. ${long}`,
    ],
    [{ code: 'Q1', text: '{{hidden.text}}', settings: { report_label: null } }, 'Q1'],
  ])('of %j is %j', (asked, title) => {
    expect(questionTitleOf(asked)).toBe(title);
  });

  test('has at most 240 characters', () => {
    const title = questionTitleOf({ code: 'Q1', text: long.repeat(9), settings: { report_label: null } });
    expect([...title].length).toBeLessThanOrEqual(240);
    expect(title).toMatch(/…$/);
  });
});
