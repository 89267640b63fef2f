import { describe, expect, it } from 'vitest';
import { findPipes } from '../../../../../src/domain/survey/logic/piping.ts';
import { findReferences, findReferencesTo } from '../../../../../src/domain/survey/publishing/references.ts';
import { page, pageWith, question, survey } from '../../../../support/survey-builder.ts';

const answered = (code: string) => ({
  left: { type: 'question' as const, code },
  operator: 'answered' as const,
});

const definition = () =>
  survey(
    page(question('single_choice'), question('text', { settings: { logic: { display: answered('Q1') } } })),
    pageWith(
      { logic: { skip: [{ when: answered('Q2'), action: 'jump_to_page', target_id: 3 }] } },
      question('text', {
        text: 'Why {{Q1}}?',
        settings: { logic: { skip: [{ when: answered('Q3'), action: 'jump_to_question', target_id: 104 }] } },
      }),
    ),
    page(question('text')),
  );

describe('the references of a survey', () => {
  it('are listed with their positions', () => {
    expect(findReferences(definition()).map(({ location: location, field }) => [location, field])).toEqual([
      ['display', 'pages[0].questions[1].question_settings.logic.display.left'],
      ['skip', 'pages[1].page_logic.skip[0].when.left'],
      ['skip', 'pages[1].page_logic.skip[0].target_id'],
      ['skip', 'pages[1].questions[0].question_settings.logic.skip[0].when.left'],
      ['skip', 'pages[1].questions[0].question_settings.logic.skip[0].target_id'],
      ['piping', 'pages[1].questions[0].question_text'],
    ]);
  });

  it('to a question or page being deleted are those from other questions and pages', () => {
    const fieldsTo = (gone: Parameters<typeof findReferencesTo>[1]) =>
      findReferencesTo(definition(), gone).map(({ field }) => field);
    expect(fieldsTo({ questionIds: new Set([101]) })).toEqual([
      'pages[0].questions[1].question_settings.logic.display.left',
      'pages[1].questions[0].question_text',
    ]);
    expect(fieldsTo({ pageIds: new Set([1]) })).toEqual([
      'pages[1].page_logic.skip[0].when.left',
      'pages[1].questions[0].question_text',
    ]);
    expect(fieldsTo({ pageIds: new Set([3]) })).toEqual([
      'pages[1].page_logic.skip[0].target_id',
      'pages[1].questions[0].question_settings.logic.skip[0].target_id',
    ]);
    expect(fieldsTo({ questionIds: new Set([103]) })).toEqual([]);
  });
});

describe('pipes in a text', () => {
  it.each([
    ['{{Q1}}', [{ kind: 'question', code: 'Q1', form: 'label' }]],
    ['a {{ Q1:code }} b', [{ kind: 'question', code: 'Q1', form: 'code' }]],
    ['{{hidden.first-name}}', [{ kind: 'hidden', name: 'first-name' }]],
    ['{{hidden.name|dear friend}}', [{ kind: 'hidden', name: 'name', fallback: 'dear friend' }]],
    ['{{ Q1:code | none }}', [{ kind: 'question', code: 'Q1', form: 'code', fallback: 'none' }]],
    ['{{Q1|a|b}} {{Q1|{x}}} {{|a}}', []],
    ['{{Q 1}} {{}} {Q1} {{Q1:label}} {{1}}', []],
    [{ de: { question_text: '{{Q1}}', options: { '1': '{{Q2}}' } } }, [{ code: 'Q1' }, { code: 'Q2' }]],
    [['{{Q1}}', null, 5], [{ code: 'Q1' }]],
  ])('of %j are %j', (text, pipes) => expect(findPipes(text)).toMatchObject(pipes));
});
