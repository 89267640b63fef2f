import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import { withDataLabels } from '../../../../../src/domain/survey/logic/data-labels.ts';
import { page, question, survey } from '../../../../support/survey-builder.ts';

const travel = question('single_choice', { text: 'How do you usually travel?' });

/** Columns of the second question, Q2, after the question about travelling. */
const columnsOf = (second: ReturnType<typeof question>) =>
  new ColumnCatalog(survey(page(travel, second))).question('Q2')!.columns;

describe('labels of data columns', () => {
  test.each([
    ['Why {{Q1}}?', 'Why [How do you usually travel?]?'],
    ['Why {{Q1:code|it}}?', 'Why [How do you usually travel?]?'],
    ['Hello {{hidden.name|friend}}', 'Hello [name]'],
    ['{{respondent.name}} in {{attribute.home city}}', '[name] in [home city]'],
    ['Why {{Q9}} and {{ 1 }}?', 'Why [Q9] and {{ 1 }}?'],
    ['Why {{Q2}}?', 'Why [Q2]?'],
  ])('%s becomes %s', (text, label) => {
    expect(columnsOf(question('text', { text }))[0]!.label).toBe(label);
  });

  test('have no Markdown, except short labels', () => {
    const matrix = question('matrix', {
      text: 'Rate **these**, [see](https://a.example)',
      settings: { rows: [{ row_code: 'r1', row_label: '_Tea_' }] },
      options: [{ label: '**Good**' }],
    });
    const [row] = columnsOf(matrix);
    expect(row!.label).toBe('Rate these, see – Tea');
    expect(row!.values[0]!.label).toBe('Good');
    const short = question('text', { text: 'a', settings: { report_label: '**Short**' } });
    expect(columnsOf(short)[0]!.label).toBe('**Short**');
  });

  test('names options, rows, points and text fields of options', () => {
    const matrix = question('matrix', {
      text: 'By {{Q1}}',
      settings: { rows: [{ row_code: 'r1', row_label: 'To {{hidden.town}}' }] },
      options: [{ label: 'Like {{hidden.town}}' }],
    });
    const [row] = columnsOf(matrix);
    expect(row!.label).toBe('By [How do you usually travel?] – To [town]');
    expect(row!.values[0]!.label).toBe('Like [town]');
    const scale = question('scale', { settings: { point_labels: { '1': 'Never by {{hidden.vehicle}}' } } });
    expect(columnsOf(scale)[0]!.values[0]!.label).toContain('Never by [vehicle]');
    const other = question('multiple_choice', {
      settings: { other_label: 'Other than {{Q1}}' },
      options: [{ other: true, label: 'Other' }],
    });
    expect(columnsOf(other)[1]!.label).toContain('Other than [How do you usually travel?]');
  });

  test('names referenced questions without their references, so that mutual references end', () => {
    const catalog = new ColumnCatalog(
      survey(page(question('text', { text: 'A {{Q2}}' }), question('text', { text: 'B {{Q1}} {{Q2}}' }))),
    );
    expect(catalog.find('Q1')!.spec.label).toBe('A [B]');
    expect(catalog.find('Q2')!.spec.label).toBe('B [A] [Q2]');
  });

  test('uses the report label of a question, also in references of others', () => {
    const first = question('single_choice', {
      text: 'Dear {{hidden.name}}, how do you usually travel?',
      settings: { report_label: 'Usual mode' },
    });
    const catalog = new ColumnCatalog(survey(page(first, question('text', { text: 'Why {{Q1}}?' }))));
    expect(catalog.find('Q1')!.spec.label).toBe('Usual mode');
    expect(catalog.find('Q2')!.spec.label).toBe('Why [Usual mode]?');
  });

  test('leaves a survey without pipes unchanged', () => {
    const definition = survey(page(travel));
    expect(withDataLabels(definition)).toBe(definition);
  });
});
