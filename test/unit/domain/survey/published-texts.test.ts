import { describe, expect, it } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import {
  publishedCatalog,
  PublishedLabels,
  withPublishedTexts,
} from '../../../../src/domain/dataset/published-labels.ts';
import type { Question, SurveyDefinition } from '../../../../src/domain/survey/definition.ts';
import { page, question, survey } from '../../../support/survey-builder.ts';

const rows = (labels: Record<string, string>) =>
  Object.entries(labels).map(([row_code, row_label]) => ({ row_code, row_label }));
const options = (labels: string[]) => labels.map((label, index) => ({ value: String(index + 1), label }));

const published: SurveyDefinition = survey(
  page(
    question('single_choice', {
      id: 11,
      text: 'Tea or coffee?',
      code: 'drink',
      options: options(['Tea', 'Coffee']),
    }),
    question('matrix', {
      id: 12,
      text: 'Agree?',
      code: 'm',
      options: options(['No']),
      settings: { rows: rows({ a: 'Taste' }) },
    }),
    question('scale', { id: 13, text: 'How good?', code: 's', settings: { point_labels: { '1': 'Bad' } } }),
  ),
);
const draft: SurveyDefinition = {
  ...survey(
    page(
      question('single_choice', {
        id: 11,
        text: 'Chai or coffee??',
        code: 'beverage',
        options: options(['Chai', 'Coffee', 'Water']),
      }),
      question('matrix', {
        id: 12,
        text: 'Agree now?',
        code: 'm',
        options: options(['Never']),
        settings: { rows: rows({ a: 'Flavour', b: 'Price' }) },
      }),
      question('scale', {
        id: 13,
        text: 'How good?',
        code: 's',
        settings: { point_labels: { '1': 'Awful' } },
      }),
      question('text', { id: 14, code: 'new' }),
    ),
  ),
  name: 'Renamed',
};

describe('a draft in published wording', () => {
  const worded = withPublishedTexts(draft, published);
  const [drink, matrix, scale] = worded.pages[0]!.questions as [Question, Question, Question];

  it('has the codes of the draft and the texts of the published version', () => {
    expect(worded.name).toBe('A survey');
    expect(drink).toMatchObject({ code: 'beverage', text: 'Tea or coffee?' });
    expect(scale.settings).toMatchObject({ point_labels: { '1': 'Bad' } });
  });

  it('omits questions, options and rows that were never published', () => {
    expect(worded.pages[0]!.questions.map(({ id }) => id)).toEqual([11, 12, 13]);
    expect(drink.options.map(({ label }) => label)).toEqual(['Tea', 'Coffee']);
    expect(matrix.settings).toMatchObject({ rows: rows({ a: 'Taste' }) });
  });

  it('names columns, values and rows of whole questions, and nothing that was never published', () => {
    const catalog = new ColumnCatalog(draft);
    const labels = new PublishedLabels(catalog, publishedCatalog(catalog, draft, published));
    expect(labels.columnLabel('beverage')).toBe('Tea or coffee?');
    expect(labels.columnLabel('new')).toBeNull();
    expect(labels.columnLabel('m_b')).toBeNull();
    expect(labels.columnLabel('language')).toBe('Language');
    expect(labels.valueLabel('beverage', '1', 'Chai')).toBe('Tea');
    expect(labels.valueLabel('beverage', '3', 'Water')).toBeNull();
    expect(labels.valueLabel('language', 'fr', 'fr')).toBe('fr');
    expect(labels.valueLabel('m', 'a', 'Flavour')).toBe('Taste');
    expect(labels.valueLabel('m', 'b', 'Price')).toBeNull();
    expect(labels.translateLabel('Chai or coffee??')).toBe('Tea or coffee?');
  });
});
