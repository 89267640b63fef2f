import { describe, expect, test } from 'vitest';
import { findLeftoverTexts, isLeftover } from '../../../../../src/domain/survey/publishing/leftover-check.ts';
import { page, question, survey } from '../../../../support/survey-builder.ts';

describe('texts that look unfinished', () => {
  test.each([
    'Option 1',
    'option 12',
    'Row 2',
    'New question',
    '…',
    '...',
    'Brand A',
    'How likely are you to consider Brand A for your next purchase?',
    'Product 2',
    'Please read this: … (describe the concept here)',
    'Read this … and answer',
    '[insert brand]',
    'Our <brand> is new',
    'Lorem ipsum dolor',
    'TODO',
  ])('%j is one', (text) => expect(isLeftover(text)).toBe(true));

  test.each([
    'I would like to …',
    'In the last month, I have…',
    'Brand awareness',
    'Which store a friend told you about?',
    'Vitamin A',
    'Other (please describe)',
    'A brand I trust',
    'Optional 1',
    'Company cars',
    '2',
  ])('%j is none', (text) => expect(isLeftover(text)).toBe(false));

  test('are found in questions and pages, with one warning for each', () => {
    const definition = survey(
      page(
        question('single_choice', {
          text: 'Which one?',
          options: [{ label: 'Brand A' }, { label: 'Brand B' }],
        }),
        question('matrix', {
          text: 'Rate',
          settings: { rows: [{ row_code: 'r1', row_label: 'Row 1' }] },
          options: [{ label: 'Good' }],
        }),
        question('text', { text: 'New question', settings: { hidden: true } }),
        question('text', { text: 'What else?' }),
      ),
    );
    const [only] = definition.pages;
    only!.description = '… (describe the concept here)';
    expect(findLeftoverTexts(definition)).toMatchObject([
      { code: 'leftover_text', field: 'pages[0]', page_id: only!.id },
      {
        code: 'leftover_text',
        question_code: 'Q1',
        texts: ['Brand A', 'Brand B'],
        message: expect.stringMatching(/^Q1 has the text "Brand A", "Brand B"/),
      },
      { code: 'leftover_text', question_code: 'Q2', texts: ['Row 1'] },
    ]);
  });
});
