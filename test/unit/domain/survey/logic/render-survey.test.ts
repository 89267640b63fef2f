import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../../../src/domain/questions/condition.ts';
import type { Question, SurveyDefinition } from '../../../../../src/domain/survey/definition.ts';
import type { Skip } from '../../../../../src/domain/questions/logic-schema.ts';
import { readMarkdown } from '../../../../../src/domain/markdown/read-markdown.ts';
import { page, pageWith, question, survey } from '../../../../support/survey-builder.ts';
import { equals, logic, pagesOf, renderAnswers } from '../../../../support/render-answers.ts';

const ALWAYS = { connector: 'and' as const, conditions: [] };
const end = (walk: ReturnType<typeof renderAnswers>) => walk.end;

/** Pages 1 to 4 with Q1 Q2 | Q3 Q4 | Q5 Q6 | Q7 Q8 (ids 101 to 108); the skips stand on Q1 and on page 1. */
function fourPages(skips: { question?: Skip[]; page?: Skip[] }): SurveyDefinition {
  const pair = () => [question('single_choice'), question('single_choice')];
  const first = question('single_choice', { settings: logic({ skip: skips.question ?? [] }) });
  return survey(
    pageWith({ logic: { skip: skips.page ?? [] } }, first, question('single_choice')),
    page(...pair()),
    page(...pair()),
    page(...pair()),
  );
}

describe('the path through a survey', () => {
  it('visits every page in order by default', () => {
    const walk = renderAnswers(fourPages({}), {});
    expect(pagesOf(walk)).toEqual(['1: Q1 Q2', '2: Q3 Q4', '3: Q5 Q6', '4: Q7 Q8']);
    expect(walk.end).toBeNull();
  });

  it('skips a page whose condition is false or whose questions are all hidden, but not a page of text', () => {
    const definition = survey(
      page(question('single_choice')),
      pageWith({ logic: { display: equals('Q1', '1') } }, question('text')),
      page(question('text', { settings: logic({ display: equals('Q1', '1') }) })),
      page(question('text', { settings: { hidden: true } })),
      pageWith({ title: 'Half way' }),
      page(question('text', { retired: true }), question('text')),
    );
    expect(pagesOf(renderAnswers(definition, { Q1: '2' }))).toEqual(['1: Q1', '5:', '6: Q6']);
    expect(pagesOf(renderAnswers(definition, { Q1: '1' }))).toEqual([
      '1: Q1',
      '2: Q2',
      '3: Q3',
      '5:',
      '6: Q6',
    ]);
  });

  it('omits a question whose options are all withheld', () => {
    const withheld = logic({
      options: { '1': equals('Q1', '2'), '2': equals('Q1', '2'), '3': equals('Q1', '2') },
    });
    const definition = survey(
      page(question('single_choice'), question('single_choice', { settings: withheld })),
    );
    expect(pagesOf(renderAnswers(definition, { Q1: '1' }))).toEqual(['1: Q1']);
    expect(pagesOf(renderAnswers(definition, { Q1: '2' }))).toEqual(['1: Q1 Q2']);
  });
});

describe('a skip', () => {
  const jumpTo = (pageId: number, when: Condition = equals('Q1', '1')): Skip => ({
    when,
    action: 'jump_to_page',
    target_id: pageId,
  });

  it('to a page omits those between, whose answers count as missing', () => {
    const definition = fourPages({ page: [jumpTo(4)] });
    definition.pages[3]!.questions[1]!.settings.logic = { display: equals('Q3', '1') };
    expect(pagesOf(renderAnswers(definition, { Q1: '1', Q3: '1' }))).toEqual(['1: Q1 Q2', '4: Q7']);
    expect(pagesOf(renderAnswers(definition, { Q1: '2', Q3: '1' }))).toEqual([
      '1: Q1 Q2',
      '2: Q3 Q4',
      '3: Q5 Q6',
      '4: Q7 Q8',
    ]);
  });

  it('to a question omits earlier ones on its page', () => {
    const skip: Skip = { when: equals('Q1', '1'), action: 'jump_to_question', target_id: 106 };
    expect(pagesOf(renderAnswers(fourPages({ question: [skip] }), { Q1: '1' }))).toEqual([
      '1: Q1 Q2',
      '3: Q6',
      '4: Q7 Q8',
    ]);
  });

  it('can use any answer of its page, including later questions', () => {
    const definition = fourPages({ question: [jumpTo(3, equals('Q2', '3'))] });
    expect(pagesOf(renderAnswers(definition, { Q2: '3' }))).toEqual(['1: Q1 Q2', '3: Q5 Q6', '4: Q7 Q8']);
  });

  it('of a question precedes one of its page, and the first match applies', () => {
    const definition = fourPages({
      question: [jumpTo(2, equals('Q1', '2')), jumpTo(3, ALWAYS)],
      page: [jumpTo(4, ALWAYS)],
    });
    expect(pagesOf(renderAnswers(definition, { Q1: '1' }))[1]).toBe('3: Q5 Q6');
    expect(pagesOf(renderAnswers(definition, { Q1: '2' }))[1]).toBe('2: Q3 Q4');
  });

  it('of a hidden question is ignored', () => {
    const definition = fourPages({ question: [jumpTo(4, ALWAYS)] });
    definition.pages[0]!.questions[0]!.settings.logic!.display = equals('Q99', '1');
    expect(pagesOf(renderAnswers(definition, {}))).toHaveLength(4);
  });

  it('backwards, to the same page or to an unknown page is ignored, and the next skip is evaluated', () => {
    const definition = fourPages({ page: [jumpTo(1, ALWAYS), jumpTo(99, ALWAYS), jumpTo(3, ALWAYS)] });
    expect(pagesOf(renderAnswers(definition, {}))).toEqual(['1: Q1 Q2', '3: Q5 Q6', '4: Q7 Q8']);
  });

  it('to a hidden page continues after it', () => {
    const definition = fourPages({ page: [jumpTo(3, ALWAYS)] });
    definition.pages[2]!.logic = { display: equals('Q1', '1') };
    expect(pagesOf(renderAnswers(definition, {}))).toEqual(['1: Q1 Q2', '4: Q7 Q8']);
  });

  it('ends or screens out after its page, with its reason', () => {
    const out: Skip = { when: equals('Q1', '1'), action: 'screen_out', reason: 'Too young' };
    const done: Skip = { when: equals('Q1', '2'), action: 'end_survey' };
    const definition = fourPages({ question: [out, done] });
    expect(end(renderAnswers(definition, { Q1: '1' }))).toEqual({
      kind: 'screened_out',
      reason: 'Too young',
      afterPageId: 1,
    });
    expect(end(renderAnswers(definition, { Q1: '2' }))).toEqual({
      kind: 'complete',
      reason: null,
      afterPageId: 1,
    });
    expect(pagesOf(renderAnswers(definition, { Q1: '2' }))).toEqual(['1: Q1 Q2']);
    expect(end(renderAnswers(definition, { Q1: '3' }))).toBeNull();
  });
});

describe('options carried forward', () => {
  const carrying = (mode: string, from = 'Q1') =>
    survey(
      page(question('multiple_choice', { options: ['1', '2', '3'] })),
      page(
        question('single_choice', {
          options: ['1', '2', '3', { value: '9', code: 9 }],
          settings: logic({ carry_forward: { from, mode } }),
        }),
      ),
    );
  const values = (walk: ReturnType<typeof renderAnswers>) =>
    walk.pages[1]?.questions[0]?.options.map(({ value }) => value);

  it.each([
    ['selected', ['1', '3', '9']],
    ['not_selected', ['2', '9']],
    ['shown', ['1', '2', '3', '9']],
  ])('%s: those, and options that the source does not have', (mode, expected) => {
    expect(values(renderAnswers(carrying(mode), { Q1: ['1', '3'] }))).toEqual(expected);
  });

  it('follow the options offered by the source, and its typed choices', () => {
    const definition = carrying('shown');
    definition.pages[0]!.questions[0]!.settings.logic = { options: { '2': equals('Q9', 'x') } };
    expect(values(renderAnswers(definition, { Q1: ['1', { value: '3', other: 'x' }] }))).toEqual([
      '1',
      '3',
      '9',
    ]);
  });

  it('are empty if the source was not answered, and complete if the source is unknown', () => {
    expect(values(renderAnswers(carrying('selected'), {}))).toEqual(['9']);
    expect(values(renderAnswers(carrying('selected', 'Q77'), {}))).toEqual(['1', '2', '3', '9']);
  });
});

describe('piping', () => {
  const asking = (
    text: string,
    first: Question = question('single_choice', {
      options: [{ value: 'a', code: 7, label: 'Tea & "milk"' }, 'b', { value: 'c', other: true }],
    }),
  ) =>
    survey(
      page(first),
      pageWith({ title: text }, question('text', { text, settings: { description: text } })),
    );
  const textOf = (definition: SurveyDefinition, answers: object, context = {}) => {
    const { title, questions } = renderAnswers(definition, answers as never, context).pages[1]!;
    expect([title, questions[0]!.description]).toEqual([questions[0]!.text, questions[0]!.text]);
    return questions[0]!.text;
  };

  it('inserts the label or code of the answer as plain text', () => {
    expect(textOf(asking('Why {{Q1}}?'), { Q1: 'a' })).toBe('Why Tea & "milk"?');
    expect(textOf(asking('Code {{ Q1:code }}.'), { Q1: 'a' })).toBe('Code 7.');
    expect(textOf(asking('Why {{Q1}}?'), { Q1: { value: 'c', other: 'my own' } })).toBe('Why my own?');
  });

  it('inserts nothing for a missing answer and leaves other braces unchanged', () => {
    expect(textOf(asking('{{Q1}}|{{Q9}}|{{hidden.none}}|{{ 1 }}'), {})).toBe('|||{{ 1 }}');
  });

  it('inserts the default without a value or answer', () => {
    const text =
      '{{Q1|it}}|{{Q1:code|0}}|{{hidden.name|friend}}|{{respondent.name| you }}|{{attribute.city|}}';
    expect(textOf(asking(text), {})).toBe('it|0|friend|you|');
    const hidden = new Map([['name', 'Ada']]);
    expect(textOf(asking('{{Q1|it}}|{{hidden.name|friend}}'), { Q1: 'b' }, { hidden })).not.toMatch(
      /it|friend/,
    );
  });

  it('inserts values of the link without parsing them again', () => {
    const hidden = new Map([['name', '<b>{{Q1}}</b>']]);
    expect(textOf(asking('Hello {{hidden.name}}'), { Q1: 'a' }, { hidden })).toBe('Hello <b>{{Q1}}</b>');
  });

  it.each([
    ['several choices', question('multiple_choice'), ['1', '3'], 'Option 1 and Option 3', '1,3'],
    ['a ranking', question('ranking'), ['3', '1'], 'Option 3 and Option 1', '3,1'],
    ['a matrix', question('matrix'), { r2: '1' }, 'Row r2: Option 1', '1'],
    ['a number', question('number', { settings: { decimals: 1 } }), 2.5, '2.5', '2.5'],
    ['a scale point', question('scale', { settings: { point_labels: { '2': 'Seldom' } } }), 2, 'Seldom', '2'],
    ['a date', question('date'), '2030-01-31', '2030-01-31', '2030-01-31'],
    ['a text', question('text'), 'so', 'so', 'so'],
    ['a file', question('file_upload'), ['00000000-0000-4000-8000-000000000000'], '', ''],
  ])('of %s', (_, first, answer, label, code) => {
    expect(textOf(asking('{{Q1}}#{{Q1:code}}', first as never), { Q1: answer })).toBe(`${label}#${code}`);
  });

  it.each([
    ['en', 'Option 1, Option 2 and Option 3'],
    ['de', 'Option 1, Option 2 und Option 3'],
    ['pt-BR', 'Option 1, Option 2 e Option 3'],
    ['ar', 'Option 1 وOption 2 وOption 3'],
  ])('lists choices in words in %s', (language, list) => {
    const asked = asking('{{Q1}}', question('multiple_choice'));
    const [view] = renderAnswers(asked, { Q1: ['1', '2', '3'] }, { language }).pages[1]!.questions;
    expect(view!.text).toBe(list);
  });

  it.each([
    ['Hello {{respondent.name}}, how are you?', 'Hello, how are you?'],
    ['{{respondent.name}}, how are you?', 'How are you?'],
    ['Welcome\n{{respondent.name}}, how are you?', 'Welcome\nHow are you?'],
    ['What do you like about {{Q1}} ?', 'What do you like about ?'],
    ['Hello {{hidden.a}} {{hidden.b}}!', 'Hello!'],
    ['Visit ({{hidden.a}}) today', 'Visit () today'],
    ['Your {{hidden.a}} dog', 'Your dog'],
    ['Hello {{hidden.a|you}}, how are you?', 'Hello you, how are you?'],
  ])('leaves no gap where nothing is inserted: %j', (text, shown) => {
    expect(textOf(asking(text), {})).toBe(shown);
  });

  it('applies to labels of options and rows', () => {
    const definition = survey(
      page(question('text')),
      page(
        question('matrix', {
          options: [{ label: 'About {{Q1}}' }],
          settings: { rows: [{ row_code: 'r1', row_label: '{{Q1}}?' }] },
        }),
      ),
    );
    const [view] = renderAnswers(definition, { Q1: 'dogs' }).pages[1]!.questions;
    expect([view!.options[0]!.label, view!.rows[0]!.row_label]).toEqual(['About dogs', 'dogs?']);
  });

  it('ignores the answer of a hidden question', () => {
    const definition = asking(
      '{{Q1}}',
      question('text', { settings: logic({ display: equals('Q9', '1') }) }),
    );
    definition.pages[0]!.questions.push(question('text', { code: 'QX' }));
    expect(textOf(definition, { Q1: 'typed before going back' })).toBe('');
  });
});

describe('a language', () => {
  const definition = () =>
    survey(
      pageWith(
        { title: 'Title', description: 'About' },
        question('scale', {
          text: 'How often?',
          settings: {
            min_label: 'Never',
            max_label: 'Always',
            point_labels: { '3': 'At times' },
            translations: {
              de: {
                question_text: 'Wie oft?',
                min_label: 'Nie',
                max_label: '',
                point_labels: { '3': 'Manchmal' },
              },
            },
          },
        }),
        question('matrix', {
          settings: {
            translations: {
              'pt-BR': { options: { '1': 'Um' }, rows: { r1: 'Linha' } },
              pt: { options: { '1': 'Pt' } },
            },
          },
        }),
      ),
    );
  const translations = { de: { survey_name: 'x', pages: { '1': { page_title: 'Titel' } } } };

  it('has its own texts, with the original as fallback', () => {
    const { pages } = renderAnswers(definition(), {}, { language: 'DE-at', translations });
    expect(pages[0]).toMatchObject({ title: 'Titel', description: 'About' });
    expect(pages[0]!.questions[0]).toMatchObject({
      text: 'Wie oft?',
      labels: { min_label: 'Nie', max_label: 'Always' },
    });
    expect([...pages[0]!.questions[0]!.labels.points]).toEqual([['3', 'Manchmal']]);
  });

  it('of a region precedes its base language', () => {
    const labels = (language: string | null) => {
      const view = renderAnswers(definition(), {}, { language }).pages[0]!.questions[1]!;
      return [view.options[0]!.label, view.rows[0]!.row_label];
    };
    expect(labels('pt-br')).toEqual(['Um', 'Linha']);
    expect(labels('pt-PT')).toEqual(['Pt', 'Row r1']);
    expect(labels('constructor')).toEqual(['Option 1', 'Row r1']);
    expect(labels(null)).toEqual(['Option 1', 'Row r1']);
  });

  it('with invalid texts is ignored', () => {
    const broken = survey(
      page(
        question('text', {
          text: 'As it was',
          settings: { translations: { de: { question_text: 5, options: null } } },
        }),
      ),
    );
    expect(
      renderAnswers(broken, {}, { language: 'de', translations: { de: 'nothing' } }).pages[0]!.questions[0]!
        .text,
    ).toBe('As it was');
  });
});

describe('texts with Markdown', () => {
  const definition = survey(
    page(
      question('single_choice', { options: [{ label: '**Tea**' }, { label: 'Water' }] }),
      question('text', {
        text: 'Why **{{Q1}}**, [see](https://a.example/?q={{Q1}})',
        settings: { description: '- {{Q1}}' },
      }),
      question('statement', { text: '# {{Q1}}' }),
    ),
  );

  it('are trees with the values filled in, and plain text beside them', () => {
    const [choice, why, statement] = renderAnswers(definition, { Q1: '1' }, { readMarkdown }).pages[0]!
      .questions;
    expect(choice!.options[0]!.label).toBe('Tea');
    expect(choice!.formatted.get('options.1')).toEqual([{ tag: 'strong', children: ['Tea'] }]);
    expect(choice!.formatted.has('options.2')).toBe(false);
    expect(why!.text).toBe('Why Tea, see');
    expect(why!.formatted.get('question_text')).toEqual([
      'Why ',
      { tag: 'strong', children: ['Tea'] },
      ', ',
      { tag: 'a', href: 'https://a.example/?q=Tea', children: ['see'] },
    ]);
    expect(why!.formatted.get('description')).toEqual([
      { tag: 'ul', children: [{ tag: 'li', children: ['Tea'] }] },
    ]);
    expect(statement!.formatted.get('question_text')).toEqual([{ tag: 'h2', children: ['Tea'] }]);
  });

  it('are shown as they are by a page that does not read Markdown', () => {
    const [choice, why] = renderAnswers(definition, { Q1: '1' }).pages[0]!.questions;
    expect(choice!.options[0]!.label).toBe('**Tea**');
    expect(why!.formatted.size).toBe(0);
  });
});
