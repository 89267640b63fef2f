import { describe, expect, it } from 'vitest';
import { keepHiddenValues, storedHiddenNames } from '../../../../src/domain/survey/hidden-values.ts';
import { surveySettingsOf } from '../../../../src/domain/survey/survey-settings.ts';
import { page, question, survey } from '../../../support/survey-builder.ts';

const condition = (code: string) => ({ left: { type: 'hidden', code }, operator: 'equals', right: 'x' });
const logic = (value: object) => ({ settings: { logic: value as never } });
const plain = survey(page(question('text')));
const namesIn = (
  definition = plain,
  { settings = {}, quotas = [] as unknown }: { settings?: object; quotas?: unknown } = {},
) => [...storedHiddenNames({ definition, settings: surveySettingsOf(settings), quotas })].sort();

describe('the hidden values that a survey stores', () => {
  it('are none by default', () => {
    expect(namesIn()).toEqual([]);
  });

  it.each([
    ['display logic', logic({ display: condition('a') })],
    ['a nested condition', logic({ display: { connector: 'or', conditions: [condition('a')] } })],
    ['a skip rule', logic({ skip: [{ when: condition('a'), action: 'screen_out' }] })],
    ['the condition of an option', logic({ options: { '1': condition('a') } })],
    ['the text of a question', { text: 'From {{hidden.a|there}}' }],
    ['a description', { settings: { description: 'See {{ hidden.a }}' } as never }],
    ['a translation', { settings: { translations: { de: { question_text: '{{hidden.a}}' } } } as never }],
  ])('include those of %s', (_where, own) => {
    expect(namesIn(survey(page(question('text', own))))).toEqual(['a']);
  });

  it('include those of pages, survey translations, quotas and the declaration', () => {
    const definition = plain;
    expect(
      namesIn(
        { ...definition, pages: definition.pages.map((each) => ({ ...each, title: '{{hidden.title}}' })) },
        {
          settings: {
            hidden_values: ['declared'],
            translations: { de: { pages: { '1': { page_title: '{{hidden.translated}}' } } } },
          },
          quotas: [{ name: 'Q', cells: [{ condition: condition('quota') }] }],
        },
      ),
    ).toEqual(['declared', 'quota', 'title', 'translated']);
  });

  it('do not include attributes, questions and other braces', () => {
    const text = '{{attribute.a}} {{Q1}} {{respondent.name}} {{ hidden }} {{hidden.}}';
    const display = { left: { type: 'attribute', code: 'a' }, operator: 'answered' };
    expect(namesIn(survey(page(question('text', { text, ...logic({ display }) }))))).toEqual([]);
  });
});

describe('keepHiddenValues', () => {
  it('drops all other values, and is null without any', () => {
    const names = new Set(['a', 'b']);
    expect(keepHiddenValues({ a: '1', A: '2', constructor: '3' }, names)).toEqual({ a: '1' });
    expect(keepHiddenValues({ c: '1' }, names)).toBeNull();
    expect(keepHiddenValues({}, names)).toBeNull();
  });
});
