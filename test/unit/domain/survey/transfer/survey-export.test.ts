import { runToCompletion } from '../../../../../src/lib/concurrency.ts';
import { describe, expect, it } from 'vitest';
import type { SurveyDefinition } from '../../../../../src/domain/survey/definition.ts';
import { exportSurvey } from '../../../../../src/domain/survey/survey-export.ts';
import { remapAttentionChecks } from '../../../../../src/domain/survey/quality-settings.ts';
import { importSurvey, remapIds } from '../../../../../src/domain/survey/survey-import.ts';
import { QUESTION_TYPES } from '../../../../../src/domain/questions/registry.ts';
import { page, pageWith, question, survey } from '../../../../support/survey-builder.ts';

const answered = (code: string) => ({
  left: { type: 'question' as const, code },
  operator: 'answered' as const,
});

function content(definition: SurveyDefinition) {
  return {
    definition,
    surveyType: 'mixed' as const,
    translationSources: {},
    settings: { redirect_url: 'https://example.org' },
    qualitySettings: { speeder: { enabled: true, ratio: 0.5 } } as Record<string, unknown>,
    samplingDesign: null,
  };
}

/** Ids of the fixture: questions have the ids 101, 102, … in the order of the survey, the first of each type. */
const RETIRED_QUESTION = 101 + QUESTION_TYPES.length;
const LAST_QUESTION = 104 + QUESTION_TYPES.length;

/** A survey of every question type, with logic, gaps in its option codes, and retired parts. */
function rich() {
  return survey(
    page(
      ...QUESTION_TYPES.map((type) => question(type)),
      question('text', { retired: true }),
      question('single_choice', {
        code: 'coded',
        options: [
          { code: 4, value: 'four', label: 'Vier' },
          { code: 2, value: 'two', other: true, image: 'https://example.org/a.png' },
          { code: 9, value: 'nine', exclusive: true, anchor: true, missing: true },
          { code: 7, value: 'seven', retired: true },
        ],
      }),
    ),
    pageWith(
      {
        title: 'Second',
        logic: {
          display: answered('Q1'),
          skip: [{ when: answered('Q2'), action: 'jump_to_page', target_id: 3 }],
        },
      },
      question('scale', {
        settings: {
          point_labels: { '1': 'a' },
          translations: { de: { question_text: 'Frage' } },
          logic: { skip: [{ when: answered('Q1'), action: 'jump_to_question', target_id: LAST_QUESTION }] },
        },
      }),
    ),
    page(question('text', { text: 'The last one: {{Q1}}' })),
    pageWith({ retired: true }, question('text')),
  );
}

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function imported(file: unknown) {
  const result = runToCompletion(importSurvey(overTheWire(file)));
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  return result.survey;
}

/** New ids, as an import gives them. */
function rehoused(definition: SurveyDefinition): SurveyDefinition {
  const pages = new Map(definition.pages.map(({ id }) => [id, id + 500]));
  const questions = new Map(
    definition.pages.flatMap((each) => each.questions.map(({ id }) => [id, id + 9_000])),
  );
  return remapIds(definition, pages, questions, new Map());
}

describe('an exported survey', () => {
  it('round-trips unchanged', () => {
    const file = exportSurvey(content(rich()));
    const again = exportSurvey(imported(file));
    expect(overTheWire(again)).toEqual(overTheWire(file));
  });

  it('is the same after an import with new ids: jumps refer to pages by number and questions by code', () => {
    const file = exportSurvey(content(rich()));
    const survey = imported(file);
    const moved = exportSurvey({ ...survey, definition: rehoused(survey.definition) });
    expect(JSON.stringify(moved)).toBe(JSON.stringify(file));
    const [, second, third] = moved.survey.pages;
    expect(second?.page_logic?.skip).toMatchObject([{ action: 'jump_to_page', target_page: 3 }]);
    expect(second?.questions[0]?.question_settings.logic?.skip).toMatchObject([
      { action: 'jump_to_question', target_question: third?.questions[0]?.question_code },
    ]);
    expect(JSON.stringify(file)).not.toMatch(/"(page|question|target)_id"/);
  });

  it('keeps option codes and omits retired items', () => {
    const survey = imported(exportSurvey(content(rich())));
    const coded = survey.definition.pages[0]?.questions.at(-1);
    expect(coded?.options.map(({ code, value }) => [code, value])).toEqual([
      [4, 'four'],
      [2, 'two'],
      [9, 'nine'],
    ]);
    expect(survey.highestCodes.get(coded!.id)).toBe(9);
    expect(survey.definition.pages).toHaveLength(3);
    expect(JSON.stringify(survey)).not.toContain('seven');
  });

  it('refers to attention checks by the codes of the file and omits those of retired questions', () => {
    const checks = (...ids: number[]) => ({
      attention_checks: ids.map((id) => ({ question_id: id, expected: '1' })),
    });
    const file = exportSurvey({ ...content(rich()), qualitySettings: checks(101, RETIRED_QUESTION) });
    expect(file.survey.quality_settings).toEqual({
      attention_checks: [{ question_code: 'Q1', expected: '1' }],
    });
    expect(imported(file).qualitySettings).toEqual(checks(1));
    expect(remapAttentionChecks(checks(101), new Map([[101, 7]]))).toEqual(checks(7));
    expect(remapAttentionChecks({}, new Map())).toEqual({});
  });

  it('omits a jump to a retired page', () => {
    const definition = survey(
      pageWith(
        { logic: { skip: [{ when: answered('Q1'), action: 'jump_to_page', target_id: 2 }] } },
        question('text'),
      ),
      pageWith({ retired: true }, question('text')),
    );
    const file = exportSurvey(content(definition));
    expect(file.survey.pages[0]?.page_logic?.skip).toEqual([]);
    imported(file);
  });
});

describe('an import', () => {
  const small = (): Record<string, unknown> => ({
    survey_name: 'Small',
    pages: [
      { questions: [{ question_type: 'single_choice', question_text: 'Yes?', options: ['Yes', 'No'] }] },
    ],
  });
  const file = (survey: unknown) => ({ format: 'canvass.survey', version: 1, survey });
  const problemsOf = (input: unknown) => {
    const result = runToCompletion(importSurvey(input));
    return result.ok ? [] : result.problems.map(({ field, message }) => `${field}: ${message}`);
  };
  const withQuestion = (question: object) => file({ survey_name: 'x', pages: [{ questions: [question] }] });

  it('accepts the file, the whole reply of an export, and the survey alone', () => {
    for (const input of [
      file(small()),
      { success: 1, data: file(small()) },
      small(),
      { success: 1, data: small() },
    ]) {
      expect(imported(input).definition.name).toBe('Small');
    }
  });

  it('assigns missing codes, ids and defaults', () => {
    const { definition, surveyType } = imported(small());
    expect(surveyType).toBe('quantitative');
    expect(definition.pages[0]).toMatchObject({ id: 1, title: null, retired: false });
    expect(definition.pages[0]?.questions[0]).toMatchObject({
      id: 1,
      pageId: 1,
      code: 'Q1',
      required: false,
    });
    expect(definition.pages[0]?.questions[0]?.options.map(({ code, value }) => [code, value])).toEqual([
      [1, 'Yes'],
      [2, 'No'],
    ]);
  });

  it('avoids codes that occur later in the file', () => {
    const text = { question_type: 'text', question_text: 't' };
    const { definition } = imported(
      file({ survey_name: 'x', pages: [{ questions: [text, { ...text, question_code: 'q1' }, text] }] }),
    );
    expect(definition.pages[0]?.questions.map(({ code }) => code)).toEqual(['Q2', 'q1', 'Q3']);
  });

  const choice = { question_type: 'dropdown', question_text: 'c' };
  it.each<[string, unknown, string]>([
    ['a value that is not an object', 'x', ': must be an object, not "x"'],
    [
      'another format',
      { ...file(small()), format: 'other' },
      'format: must be "canvass.survey", not "other"',
    ],
    ['another version', { ...file(small()), version: 2 }, 'version: must be 1, not 2'],
    ['an unknown field', file({ ...small(), owner: 1 }), 'survey.owner: is not a known field'],
    ['a missing name', file({ pages: [] }), 'survey.survey_name: is required'],
    [
      'an unknown question type',
      withQuestion({ question_type: 'emoji', question_text: 'x' }),
      'survey.pages[0].questions[0].question_type: must be one of single_choice, multiple_choice, ',
    ],
    [
      'an unknown setting',
      withQuestion({ ...choice, question_settings: { size: 1 } }),
      'survey.pages[0].questions[0].question_settings.size: is not a known field',
    ],
    [
      'a repeated option',
      withQuestion({ ...choice, options: ['a', 'a'] }),
      'survey.pages[0].questions[0].options[1].option_value: "a" is a duplicate of options[0]',
    ],
    [
      'options of a question without options',
      withQuestion({ question_type: 'nps', question_text: 'x', options: ['a'] }),
      'survey.pages[0].questions[0].options: is not allowed for a nps question',
    ],
    [
      'an image without an HTTP URL',
      withQuestion({ ...choice, options: [{ option_label: 'a', option_image: 'javascript:1' }] }),
      'survey.pages[0].questions[0].options[0].option_image: must be an http or https address',
    ],
    [
      'a reserved code',
      withQuestion({ ...choice, question_code: 'is_test' }),
      'survey.pages[0].questions[0].question_code: "is_test" is the name of a column',
    ],
    [
      'a jump to an unknown page',
      file({
        survey_name: 'x',
        pages: [
          { page_logic: { skip: [{ when: { conditions: [] }, action: 'jump_to_page', target_id: 5 }] } },
        ],
      }),
      'survey.pages[0].page_logic.skip[0].target_id: page 5 does not exist in this file',
    ],
    [
      'a repeated page id',
      file({ survey_name: 'x', pages: [{ page_id: 1 }, { page_id: 1 }] }),
      'survey.pages[1].page_id: 1 is listed more than once',
    ],
    [
      'a repeated code',
      file({
        survey_name: 'x',
        pages: [
          {
            questions: [
              { ...choice, question_code: 'A' },
              { ...choice, question_code: 'a' },
            ],
          },
        ],
      }),
      'survey.pages[0].questions[1].question_code: "a" is a duplicate of survey.pages[0].questions[0] (codes are not case-sensitive)',
    ],
    [
      'too many pages',
      file({ survey_name: 'x', pages: Array(501).fill({}) }),
      'survey.pages: must have at most 500 items, not 501',
    ],
    [
      'too many options',
      withQuestion({ ...choice, options: Array.from({ length: 1001 }, (_, n) => `${n}`) }),
      'survey.pages[0].questions[0].options: must have at most 1000 items, not 1001',
    ],
    [
      'too many questions in total',
      file({
        survey_name: 'x',
        pages: Array(3).fill({ questions: Array(700).fill({ question_type: 'text', question_text: 'x' }) }),
      }),
      'survey.pages: must have at most 2000 questions, not 2100',
    ],
  ])('rejects %s', (_, input, problem) => {
    expect(problemsOf(input)).toEqual([expect.stringContaining(problem) as string]);
  });

  it('does not modify the prototype through a key', () => {
    const text = JSON.stringify(file(small())).replace(
      '"survey_name"',
      '"__proto__":{"polluted":1},"survey_name"',
    );
    expect(problemsOf(JSON.parse(text))).toEqual(['survey.__proto__: is not a known field']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
