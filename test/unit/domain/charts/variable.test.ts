import { describe, expect, test } from 'vitest';
import { chartConfigSchema } from '../../../../src/domain/charts/registry.ts';
import type { FilterChoices } from '../../../../src/domain/charts/chart-data.ts';
import { filterType } from '../../../../src/domain/charts/types/filter.ts';
import { resolveVariablePlan, computeVariableFigure } from '../../../../src/domain/charts/types/variable.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import { option, question, response, surveyOf } from '../dataset/survey-fixture.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 5);
const wave = (code: number, label: string) => ({
  code,
  value: String(code),
  number: code,
  label,
  missing: false,
});
const questions = [
  question('single_choice', 'gender', [option(1), option(2)]),
  question('number', 'age'),
  question('text', 'words'),
];
/** Waves are ordered by their start, not by id. */
const catalog = new ColumnCatalog(surveyOf(...questions), [], {
  waves: [wave(9, 'Autumn'), wave(4, 'Spring')],
});

interface Given {
  gender?: string | null;
  age?: number | null;
  day: number;
  waveId?: number | null;
}

function datasetOf(given: readonly Given[]): Dataset {
  const rows = given.map(({ gender = '1', age = 30, day, waveId = null }, index) =>
    response(index + 1, { gender, age }, { completedAtMs: START_MS + day * DAY_MS, waveId }),
  );
  return Dataset.ofRows(catalog, rows, ['gender', 'age', 'words', 'wave_id', 'language', 'completed_at']);
}

function variableOf(dataset: Dataset, config: object, minBase?: number) {
  const read = chartConfigSchema('variable').parse({ survey_id: 1, ...config });
  const protection = minBase === undefined ? null : { minBase, isRounded: true, dominancePercent: null };
  const counting = { mask: selectRows(dataset), weights: null };
  return runToCompletion(
    computeVariableFigure(dataset, resolveVariablePlan(read, dataset.catalog), {
      counting,
      protection,
      viewer: null,
    }),
  );
}

const people = datasetOf([
  { gender: '1', age: 20, day: 0, waveId: 9 },
  { gender: '2', age: 30, day: 0, waveId: 9 },
  { gender: null, age: 40, day: 2, waveId: 4 },
  { gender: '1', age: null, day: 9, waveId: 4 },
  { gender: '1', age: 60, day: 40, waveId: 4 },
]);

describe('a variable', () => {
  test.each<[string, object, number]>([
    ['with a base of those who answered', { dimension: 'gender', variable: 'base' }, 4],
    ['with a count without a value', { dimension: 'gender', variable: 'count' }, 4],
    ['with a count of one answer', { dimension: 'gender', variable: { metric: 'count', value: '1' } }, 3],
    ['with a sum', { dimension: 'age', variable: 'sum' }, 150],
    ['with a mean', { dimension: 'age', variable: 'mean' }, 37.5],
    [
      'with a mean of another column',
      { dimension: 'gender', variable: { metric: 'mean', column_code: 'age' } },
      37.5,
    ],
  ])('%s', (_, config, value) => {
    expect(variableOf(people, config).value).toBeCloseTo(value, 10);
  });

  test('has a trend by day, week and month, including empty periods', () => {
    const course = (sparkline: string) =>
      variableOf(people, { dimension: 'gender', variable: { metric: 'base', sparkline } }).sparkline!;
    expect(course('day')).toHaveLength(41);
    expect(course('day').slice(0, 3)).toEqual([
      { at: '2026-01-05', value: 2 },
      { at: '2026-01-06', value: 0 },
      { at: '2026-01-07', value: 0 },
    ]);
    expect(course('week').map(({ at }) => at)).toEqual([
      '2026-01-05',
      '2026-01-12',
      '2026-01-19',
      '2026-01-26',
      '2026-02-02',
      '2026-02-09',
    ]);
    expect(course('month')).toEqual([
      { at: '2026-01', value: 3 },
      { at: '2026-02', value: 1 },
    ]);
    const means = variableOf(people, {
      dimension: 'age',
      variable: { metric: 'mean', sparkline: 'week' },
    }).sparkline!;
    expect(means.map(({ value }) => value)).toEqual([30, null, null, null, null, 60]);
  });

  test('compares with the previous wave in order of time', () => {
    const variable = { metric: 'mean', compare_to: 'previous_wave', sparkline: 'wave' };
    expect(variableOf(people, { dimension: 'age', variable })).toMatchObject({
      value: 50,
      previous: 25,
      change: 25,
      waves: { current: 'Spring', previous: 'Autumn' },
      base: { unweighted: 2 },
      sparkline: [
        { at: 'Autumn', value: 25 },
        { at: 'Spring', value: 50 },
      ],
    });
  });

  test('has no comparison in the first wave', () => {
    const first = datasetOf([{ age: 20, day: 0, waveId: 9 }]);
    const variable = { metric: 'mean', compare_to: 'previous_wave' };
    expect(variableOf(first, { dimension: 'age', variable })).toMatchObject({
      value: 20,
      previous: null,
      change: null,
      waves: { current: 'Autumn', previous: null },
    });
  });

  test('rejects unsupported settings with a reason', () => {
    const refused = (config: object, message: string) =>
      expect(() => variableOf(people, config)).toThrow(message);
    refused({ dimension: 'gender', variable: { metric: 'count', value: '7' } }, 'variable.value');
    refused({ dimension: 'words', variable: 'mean' }, 'dimension');
    refused(
      { dimension: 'gender', variable: { metric: 'mean', column_code: 'words' } },
      'variable.column_code',
    );
  });

  describe('protected', () => {
    const many = datasetOf([
      ...Array.from({ length: 23 }, (_, index) => ({ day: 0, age: 30 + index })),
      { day: 1, age: 50 },
      { day: 1, age: 51 },
      ...Array.from({ length: 12 }, () => ({ day: 2, age: 40, gender: '2' })),
    ]);

    test('hides small days and as many others as would reveal them', () => {
      const shown = variableOf(
        many,
        { dimension: 'gender', variable: { metric: 'base', sparkline: 'day' } },
        5,
      );
      expect(shown.sparkline!.map(({ value }) => value)).toEqual([25, null, null]);
      expect(shown).toMatchObject({ value: 35, suppressed: true });
    });

    test('compares no wave that would reveal another', () => {
      const waves = datasetOf([
        ...Array.from({ length: 20 }, () => ({ day: 0, waveId: 9 })),
        ...Array.from({ length: 3 }, () => ({ day: 0, waveId: 4 })),
      ]);
      const variable = { metric: 'base', compare_to: 'previous_wave', sparkline: 'wave' };
      expect(variableOf(waves, { dimension: 'gender', variable }, 5)).toMatchObject({
        value: null,
        base: null,
        suppressed: true,
      });
    });

    test('discloses nothing with too few responses', () => {
      const few = datasetOf([{ day: 0 }, { day: 1 }]);
      expect(variableOf(few, { dimension: 'age', variable: 'mean' }, 5)).toMatchObject({
        value: null,
        base: null,
        suppressed: true,
      });
    });

    test('discloses no count that leaves out only a few', () => {
      const nearlyAll = datasetOf([
        ...Array.from({ length: 30 }, () => ({ day: 0 })),
        { day: 0, gender: '2' },
      ]);
      const variable = { metric: 'count', value: '1' };
      expect(variableOf(nearlyAll, { dimension: 'gender', variable }, 5)).toMatchObject({
        value: null,
        suppressed: true,
      });
    });
  });
});

describe('a filter element', () => {
  function choicesOf(column_code: string, minBase?: number) {
    const read = chartConfigSchema('filter').parse({
      survey_id: 1,
      filterElement: { column_code, multiple: true },
    });
    const protection = minBase === undefined ? null : { minBase, isRounded: true, dominancePercent: null };
    const counting = { mask: selectRows(people), weights: null };
    const element = filterType.resolve(read, catalog);
    return runToCompletion(element.compute(people, { counting, protection, viewer: null })) as FilterChoices;
  }

  test('offers the values of its column, and waves by name', () => {
    expect(choicesOf('gender')).toMatchObject({
      dimension: { column_code: 'gender' },
      multiple: true,
      options: [
        { value: '1', label: 'Option 1' },
        { value: '2', label: 'Option 2' },
      ],
    });
    expect(choicesOf('wave_id').options).toEqual([
      { value: '9', label: 'Autumn' },
      { value: '4', label: 'Spring' },
    ]);
    expect(choicesOf('language').options).toEqual([{ value: 'en', label: 'en' }]);
  });

  test('offers no rare values found in the data', () => {
    expect(choicesOf('language', 6).options).toEqual([]);
    expect(choicesOf('gender', 6).options).toHaveLength(2);
  });

  test('rejects amounts, texts and identifying columns', () => {
    for (const code of ['age', 'words', 'respondent_id']) expect(() => choicesOf(code)).toThrow(code);
  });
});
