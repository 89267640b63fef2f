import { describe, expect, it } from 'vitest';
import type { StoredAnswers } from '../../../../src/domain/questions/answers/codec.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import {
  findBatteries,
  findBatteryColumns,
  findStraightlinerFlags,
} from '../../../../src/domain/quality/straightlining.ts';
import { findOpenEndColumns, OpenEndCheck } from '../../../../src/domain/quality/open-end.ts';
import {
  attentionCheckCodes,
  countEarlierDuplicates,
  createAttentionCheck,
  createDuplicateCheck,
  createSpeederCheck,
  createStraightlinerCheck,
  QualityTally,
} from '../../../../src/domain/quality/row-checks.ts';
import { qualitySettingsOf } from '../../../../src/domain/survey/quality-settings.ts';
import { page, question, rows, survey } from '../../../support/survey-builder.ts';
import { response } from '../dataset/survey-fixture.ts';

const NOTHING_GIVEN = { answers: {}, shownQuestions: 0 };

const definition = survey(
  page(
    question('matrix', { code: 'M', settings: { rows: rows('a', 'b', 'c', 'd') } }),
    question('matrix', { code: 'MM', settings: { rows: rows('a', 'b', 'c', 'd'), matrix_type: 'multiple' } }),
    ...['S1', 'S2', 'S3', 'S4'].map((code) => question('scale', { code })),
    question('text', { code: 'T' }),
    question('text', { code: 'U' }),
    question('text', { code: 'Mail', settings: { format: 'email' } }),
    question('text', { code: 'Old', retired: true }),
    question('single_choice', { code: 'C', id: 900 }),
  ),
);
const catalog = new ColumnCatalog(definition);
const datasetOf = (...given: [StoredAnswers, number | null][]) =>
  Dataset.ofRows(
    catalog,
    given.map(([answers, durationSeconds], index) => response(index + 1, answers, { durationSeconds })),
    ['M', 'MM', 'S1', 'S2', 'S3', 'S4', 'T', 'U', 'Mail', 'Old', 'C', 'duration_seconds'],
  );
const all = (dataset: Dataset) => new Uint8Array(dataset.rowCount).fill(1);

describe('speeders over rows', () => {
  const dataset = datasetOf([{}, 100], [{}, 200], [{}, 40], [{}, null], [{}, 10]);
  const { speeder } = qualitySettingsOf({ speeder: { min_completes: 3 } });

  it('are measured against the median of the complete responses, averaging the middle two', () => {
    const even = createSpeederCheck(dataset, Uint8Array.of(1, 1, 1, 1, 1), speeder);
    expect(even.thresholds).toMatchObject({ completes: 4, median_seconds: 70, duration_seconds: 35 });
    expect([0, 1, 2, 3, 4].map((row) => even.evaluate(row, NOTHING_GIVEN)?.length ?? null)).toEqual([
      0,
      0,
      0,
      null,
      1,
    ]);
    const odd = createSpeederCheck(dataset, Uint8Array.of(1, 1, 1, 0, 0), speeder);
    expect(odd.thresholds).toMatchObject({ completes: 3, median_seconds: 100, duration_seconds: 50 });
    expect(odd.evaluate(2, NOTHING_GIVEN)).toMatchObject([{ value: 40, threshold: 50 }]);
  });

  it('are not flagged with too few complete responses', () => {
    const few = createSpeederCheck(dataset, Uint8Array.of(1, 1, 0, 0, 0), speeder);
    expect(few.thresholds).toMatchObject({ completes: 2, duration_seconds: null });
    expect(few.evaluate(4, NOTHING_GIVEN)).toBeNull();
  });
});

describe('straightliners over rows', () => {
  const answers: StoredAnswers[] = [
    { M: { a: '2', b: '2', c: '2', d: '2' }, S1: 1, S2: 1, S3: 1, S4: 1 },
    { M: { a: '2', b: '2', c: '2', d: '1' }, S1: 1, S2: 2, S3: 1, S4: 1 },
    { M: { a: '2', b: '2', c: '2' }, S1: 1, S2: 1, S3: 1 },
    {},
  ];
  const dataset = datasetOf(...answers.map((entry): [StoredAnswers, number] => [entry, 60]));

  it('match those found in stored answers', () => {
    for (const changes of [{}, { max_identical_share: 0.7 }, { min_rows: 3 }, { min_rows: 5 }]) {
      const batteries = [{ column_codes: ['s1', 'S2', 'S3', 'S4', 'T', 'Nowhere'] }];
      const { straightliner } = qualitySettingsOf({ straightliner: { ...changes, batteries } });
      const found = createStraightlinerCheck(
        dataset,
        findBatteryColumns(catalog, straightliner),
        straightliner,
      );
      const known = findBatteries(definition, straightliner);
      expect(found.thresholds.batteries).toBe(known.length);
      answers.forEach((entry, row) => {
        expect(found.evaluate(row, NOTHING_GIVEN) ?? []).toEqual(
          findStraightlinerFlags(entry, known, straightliner),
        );
      });
    }
  });

  it('are not checked with too few answers', () => {
    const { straightliner } = qualitySettingsOf({});
    const check = createStraightlinerCheck(
      dataset,
      findBatteryColumns(catalog, straightliner),
      straightliner,
    );
    expect(answers.map((_, row) => check.evaluate(row, NOTHING_GIVEN)?.length ?? null)).toEqual([
      1,
      0,
      null,
      null,
    ]);
  });
});

describe('duplicates over rows', () => {
  const { duplicate } = qualitySettingsOf({});

  it('are all but the first checked response', () => {
    const earlier = countEarlierDuplicates(
      [
        [0, 2, 3],
        [1, 4],
        [5, -1],
      ],
      Uint8Array.of(1, 0, 1, 1, 1, 1),
    );
    expect([...earlier]).toEqual([0, 0, 1, 2, 0, 0]);
    const check = createDuplicateCheck([{ metric: 'address', earlier }], duplicate);
    expect(check.evaluate(0, NOTHING_GIVEN)).toEqual([]);
    expect(check.evaluate(3, NOTHING_GIVEN)).toMatchObject([
      { metric: 'address', value: 2, severity: 'medium', column_codes: [] },
    ]);
  });

  it('can match by several metrics, or by none that is enabled', () => {
    const earlier = Uint32Array.of(0, 1);
    const check = createDuplicateCheck(
      [
        { metric: 'external_id', earlier },
        { metric: 'identical_answers', earlier },
      ],
      duplicate,
    );
    expect(check.evaluate(1, NOTHING_GIVEN)!.map(({ metric }) => metric)).toEqual([
      'external_id',
      'identical_answers',
    ]);
    expect(createDuplicateCheck([], duplicate).evaluate(1, NOTHING_GIVEN)).toBeNull();
  });
});

describe('open ends over rows', () => {
  const openEnd = (changes: object = {}) => qualitySettingsOf({ open_end: changes }).open_end;
  const checkOf = (dataset: Dataset, changes: object = {}) => {
    const settings = openEnd(changes);
    const check = new OpenEndCheck(dataset, findOpenEndColumns(catalog, settings), settings);
    for (let row = 0; row < dataset.rowCount; row++) check.addRow(row);
    return check.finishCounting();
  };

  it('are text questions without a required format, or the listed columns', () => {
    const codes = (changes: object) =>
      findOpenEndColumns(catalog, openEnd(changes)).map(({ spec }) => spec.columnCode);
    expect(codes({})).toEqual(['T', 'U']);
    expect(codes({ column_codes: ['mail', 'C', 'Nowhere'] })).toEqual(['Mail']);
  });

  it('are checked individually, within the response and across responses', () => {
    const copied = 'Copied from somewhere, word for word';
    const dataset = datasetOf(
      [{ T: 'asdfgh', U: 'A fair price' }, 60],
      [{ T: 'No idea', U: 'no idea' }, 60],
      ...[1, 2, 3].map((): [StoredAnswers, number] => [{ T: copied }, 60]),
      [{ T: null }, 60],
    );
    const check = checkOf(dataset);
    const metrics = [0, 1, 2, 3, 4, 5].map(
      (row) =>
        check.evaluate(row, NOTHING_GIVEN)?.map(({ metric, column_codes: codes }) => [metric, ...codes]) ??
        null,
    );
    const shared = [['shared_share', 'T']];
    expect(metrics).toEqual([
      [['keyboard_share', 'T']],
      [['identical_answers', 'T', 'U']],
      shared,
      shared,
      shared,
      null,
    ]);
    const quiet = checkOf(dataset, { repeated: false });
    expect([1, 2].map((row) => quiet.evaluate(row, NOTHING_GIVEN))).toEqual([[], []]);
    expect(quiet.thresholds).toMatchObject({ min_length: 3, max_shared_share: null });
  });
});

describe('attention checks over rows', () => {
  const checks = [{ question_id: 900, expected: '2' }];

  it('are evaluated if the question was shown', () => {
    const check = createAttentionCheck(definition, checks);
    expect(attentionCheckCodes(definition, checks)).toEqual(['C']);
    expect(check.evaluate(0, { answers: { C: '2' }, shownQuestions: 1 })).toEqual([]);
    expect(check.evaluate(0, { answers: { C: null }, shownQuestions: 1 })).toMatchObject([
      { check: 'attention_check', value: null },
    ]);
    expect(check.evaluate(0, NOTHING_GIVEN)).toBeNull();
  });
});

describe('the quality summary', () => {
  it('counts responses by check, and flags by metric and columns', () => {
    const straight = { a: '2', b: '2', c: '2', d: '2' };
    const dataset = datasetOf(
      [{ M: straight, T: 'asdfgh', U: 'asdfgh' }, 60],
      [{ M: { ...straight, a: '1' }, T: 'Blue', U: 'blue' }, 60],
      [{}, 60],
    );
    const settings = qualitySettingsOf({});
    const openEnds = new OpenEndCheck(
      dataset,
      findOpenEndColumns(catalog, settings.open_end),
      settings.open_end,
    );
    const tally = new QualityTally([
      createSpeederCheck(dataset, all(dataset), settings.speeder),
      createStraightlinerCheck(
        dataset,
        findBatteryColumns(catalog, settings.straightliner),
        settings.straightliner,
      ),
      openEnds.finishCounting(),
    ]);
    const found = [0, 1, 2].map((row) => tally.evaluate(row, NOTHING_GIVEN).length);
    expect(found).toEqual([4, 1, 0]);
    expect(tally).toMatchObject({ checked: 3, flagged: 2 });
    expect(tally.summarize()).toMatchObject([
      { check: 'speeder', checked: 0, flagged: 0, share: null, metrics: [] },
      {
        check: 'straightliner',
        checked: 2,
        flagged: 1,
        share: 0.5,
        metrics: [{ metric: 'identical_share', column_codes: ['M_a', 'M_b', 'M_c', 'M_d'], flagged: 1 }],
      },
      {
        check: 'open_end',
        checked: 2,
        flagged: 2,
        share: 1,
        metrics: [
          { metric: 'keyboard_share', column_codes: ['T'], flagged: 1 },
          { metric: 'keyboard_share', column_codes: ['U'], flagged: 1 },
          { metric: 'identical_answers', column_codes: [], flagged: 2 },
        ],
      },
    ]);
  });
});
