import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../../src/domain/survey/definition.ts';
import { findPublishProblems } from '../../../../../src/domain/survey/publishing/publish-check.ts';
import { findUnusedTranslations } from '../../../../../src/domain/survey/publishing/translation-check.ts';
import { page, question, rows, survey } from '../../../../support/survey-builder.ts';

const AT = 'pages[0].questions[0].question_settings.translations';
const warningsOf = (question: Question) => findUnusedTranslations(survey(page(question)));

describe('a translation', () => {
  it('of existing texts, options, rows and points has no warnings', () => {
    const de = { question_text: 'Frage', description: null, options: { '1': 'Eins' }, rows: { r1: 'Zeile' } };
    expect(warningsOf(question('matrix', { settings: { translations: { de }, rows: rows('r1') } }))).toEqual(
      [],
    );
    const points = { de: { min_label: 'Nie', point_labels: { '3': 'Mal so' } } };
    const settings = { point_labels: { '3': 'At times' }, translations: points };
    expect(warningsOf(question('scale', { settings }))).toEqual([]);
  });

  it.each([
    [
      'an unknown option',
      { options: { '9': 'Neun' } },
      '.de.options.9',
      '"9" is not a key of the options of Q1',
    ],
    ['a retired option', { options: { '4': 'Vier' } }, '.de.options.4', '"4" is not a key'],
    [
      'an option by its label',
      { options: { constructor: 'x' } },
      '.de.options.constructor',
      '"constructor" is not a key',
    ],
    [
      'rows of a question without rows',
      { rows: { r1: 'Zeile' } },
      '.de.rows',
      'is not a translatable text of Q1',
    ],
    [
      'a misspelt text name',
      { questiontext: 'Frage' },
      '.de.questiontext',
      'is not a translatable text of Q1',
    ],
    [
      'a text that is not a string',
      { question_text: 5 },
      '.de.question_text',
      'is not a translatable text of Q1',
    ],
  ])('of %s has a warning but does not prevent publishing', (_, de, at, message) => {
    const withOptions = question('single_choice', {
      options: ['1', { value: '2' }, { value: '4', code: 4, retired: true }],
      settings: { translations: { de } },
    });
    expect(warningsOf(withOptions)).toEqual([
      {
        code: 'unknown_translation',
        field: `${AT}${at}`,
        message: expect.stringContaining(message) as string,
        question_code: 'Q1',
      },
    ]);
    expect(findPublishProblems(survey(page(withOptions)))).toEqual([]);
  });

  it('that is not an object has a warning', () => {
    expect(warningsOf(question('text', { settings: { translations: { de: 'Frage' } } }))).toMatchObject([
      { field: `${AT}.de` },
    ]);
  });
});
