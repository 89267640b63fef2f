import { describe, expect, test } from 'vitest';
import {
  changeQuestionType,
  scaleWithDontKnow,
} from '../../../../src/web/studio/client/question-types/change-type.ts';
import {
  type EditorQuestion,
  newOption,
  questionChanges,
} from '../../../../src/web/studio/client/editor/editor-content.ts';
import {
  labelPoint,
  resizeScale,
  scaleOf,
} from '../../../../src/web/studio/client/question-types/numbers.ts';
import { listStudioTypes, studioTypeOf } from '../../../../src/web/studio/client/question-types/registry.ts';
import { DEFAULT_COLUMNS } from '../../../../src/web/studio/client/question-types/table-columns.ts';
import { questionSettingsSchemas } from '../../../../src/domain/questions/registry.ts';
import { parseQuestionSettings } from '../../../../src/domain/questions/parse-question-settings.ts';

const base: EditorQuestion = {
  question_id: 1,
  page_id: 1,
  question_type: 'single_choice',
  question_text: 'Would you buy it?',
  question_code: 'purchase',
  question_required: true,
  question_settings: {},
  options: [],
};
const question = (changes: Partial<EditorQuestion>): EditorQuestion => {
  const type = changes.question_type ?? base.question_type;
  const settings = questionSettingsSchemas[type].parse(
    studioTypeOf({ question_type: type }).hasRows
      ? {
          rows: [{ row_code: 'r1', row_label: 'Taste' }],
          ...(studioTypeOf({ question_type: type }).hasTableColumns && { columns: DEFAULT_COLUMNS }),
          ...changes.question_settings,
        }
      : (changes.question_settings ?? {}),
  );
  return { ...base, ...changes, question_settings: settings };
};
const LABELS = ['Definitely not', 'Probably not', 'Might or might not', 'Probably', 'Definitely'];
const choice = question({ options: LABELS.map((label, index) => newOption(index + 1, label)) });
const scale = question({
  question_type: 'scale',
  question_settings: { point_labels: Object.fromEntries(LABELS.map((label, index) => [index + 1, label])) },
});
const labelsOf = ({ options }: Pick<EditorQuestion, 'options'>) =>
  options.map(({ option_label: label }) => label);

describe('changing the type of a question', () => {
  test('turns options into points and points into options, without a loss', () => {
    const toScale = changeQuestionType(choice, 'scale');
    expect(toScale.lost).toEqual([]);
    expect(toScale.changes.question_settings).toMatchObject({
      min: 1,
      max: 5,
      point_labels: { 1: 'Definitely not', 3: 'Might or might not', 5: 'Definitely' },
    });
    const back = changeQuestionType({ ...choice, ...toScale.changes }, 'single_choice');
    expect(back.lost).toEqual([]);
    expect(labelsOf(back.changes)).toEqual(LABELS);
    expect(back.changes.options.map(({ option_value: value }) => value)).toEqual(['1', '2', '3', '4', '5']);
    expect(back.changes.question_settings).toMatchObject({ measure: 'scale' });
  });

  test('keeps the labels of the ends of a Net Promoter Score, and names those that it cannot have', () => {
    expect(changeQuestionType(scale, 'nps')).toMatchObject({
      changes: { question_settings: { min_label: 'Definitely not', max_label: 'Definitely' } },
      lost: ['3 labels of points'],
    });
  });

  test('says what other types lose', () => {
    expect(changeQuestionType(choice, 'number').lost).toEqual(['5 options']);
    expect(changeQuestionType(scale, 'text').lost).toEqual(['5 labels of points']);
    expect(changeQuestionType(question({ question_type: 'slider' }), 'single_choice').lost).toEqual([
      'the range of numbers',
    ]);
    const matrix = question({ question_type: 'matrix', options: choice.options });
    expect(changeQuestionType(matrix, 'single_choice').lost).toEqual(['1 row']);
    const unsure = question({
      options: [...choice.options, { ...newOption(6, 'Unsure'), option_missing: true }],
    });
    expect(changeQuestionType(unsure, 'scale').lost).toEqual(['1 option that counts as missing']);
    const ruled = question({
      options: choice.options,
      question_settings: {
        logic: { options: { 3: { connector: 'and', conditions: [] } } },
      },
    });
    expect(changeQuestionType(ruled, 'text')).toMatchObject({
      changes: { question_settings: { logic: null } },
      lost: ['the conditions of options', '5 options'],
    });
  });

  test('makes a choice with "Don’t know" of a scale', () => {
    const changes = scaleWithDontKnow(scale);
    expect(labelsOf(changes)).toEqual([...LABELS, 'Don’t know']);
    expect(changes.options.at(-1)).toMatchObject({ option_missing: true, option_value: '6' });
  });

  const types = listStudioTypes().map(({ name }) => name);
  const samples = [
    choice,
    scale,
    ...types.map((type) =>
      question({ question_type: type, options: type === 'matrix' ? choice.options : [] }),
    ),
    question({ question_type: 'number', question_settings: { min: 18 } }),
    question({ question_type: 'number', question_settings: { min: 200, max: 900 } }),
    question({ question_type: 'slider', question_settings: { min: 0, max: 10, step: 0.5 } }),
    question({ question_type: 'scale', question_settings: { min: -3, max: 3, display: 'stars' } }),
  ];
  test.each(samples.map((sample) => [sample.question_type, sample] as const))(
    'sends settings that the API accepts for every type (from %s)',
    (_, sample) => {
      for (const type of types.filter((each) => each !== sample.question_type)) {
        const { changes } = changeQuestionType(sample, type);
        const sent = questionChanges(sample, { ...sample, ...changes });
        expect(parseQuestionSettings(type, sent?.question_settings ?? {}), type).toMatchObject({ ok: true });
        const undone = questionChanges({ ...sample, ...changes }, sample);
        expect(undone?.question_settings).toEqual(
          expect.objectContaining(
            Object.fromEntries(
              Object.entries(sample.question_settings).filter(([name]) =>
                ['min', 'max', 'rows', 'point_labels'].includes(name),
              ),
            ),
          ),
        );
      }
    },
  );
});

describe('the points of a scale', () => {
  const settings = scale.question_settings;
  test('are labeled in the setting that has the label already', () => {
    expect(labelPoint(settings, 0, 'Never')).toEqual({
      point_labels: { ...(settings.point_labels as object), 1: 'Never' },
    });
    expect(labelPoint({ min: 1, max: 5 }, 0, 'Never')).toEqual({ min_label: 'Never' });
    expect(labelPoint({ min: 1, max: 5 }, 1, 'Rarely')).toEqual({ point_labels: { 2: 'Rarely' } });
    expect(labelPoint({ min: 1, max: 5, max_label: 'Old', point_labels: { 5: 'Always' } }, 4, '')).toEqual({
      point_labels: null,
      max_label: null,
    });
  });

  test('lose the labels that are left over, and move with the first point', () => {
    expect(resizeScale(settings, 1, 3)).toEqual({
      min: 1,
      max: 3,
      point_labels: { 1: 'Definitely not', 2: 'Probably not', 3: 'Might or might not' },
    });
    expect(resizeScale(settings, 0, 5)).toMatchObject({
      min: 0,
      max: 4,
      point_labels: { 0: 'Definitely not' },
    });
    expect(scaleOf({ ...scale, question_settings: { min: 0, max: 2, mid_label: 'So so' } })).toEqual([
      { point: 0, label: '' },
      { point: 1, label: 'So so' },
      { point: 2, label: '' },
    ]);
  });
});
