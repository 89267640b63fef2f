import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findBatteries,
  findStraightlinerFlags,
  measureStraightlining,
} from '../../../../src/domain/quality/straightlining.ts';
import { qualitySettingsOf } from '../../../../src/domain/survey/quality-settings.ts';
import { page, question, rows, survey } from '../../../support/survey-builder.ts';

const matrix = question('matrix', {
  code: 'M',
  settings: { rows: rows('a', 'b', 'c', 'd', 'e') },
  options: ['1', '2', '3', '4', '5'],
});
const scales = ['S1', 'S2', 'S3', 'S4'].map((code) => question('scale', { code, settings: { max: 7 } }));
const definition = survey(
  page(matrix, question('text', { code: 'T' })),
  page(...scales, question('matrix', { code: 'Short' })),
);
const settings = (changes: object = {}) =>
  qualitySettingsOf({ straightliner: changes, action: 'screen_out' }).straightliner;
const flags = (answers: Parameters<typeof findStraightlinerFlags>[0], changes: object = {}) =>
  findStraightlinerFlags(answers, findBatteries(definition, settings(changes)), settings(changes));

describe('straightlining', () => {
  it.each([
    [[1, 1, 1, 1], 4, 4, 1, 0],
    [[1, 2, 2, 5], 4, 2, 0.5, Math.sqrt(3)],
    [[1, 2, 1, 2], 4, 1, 0.5, Math.sqrt(1 / 3)],
    [[3, null, 3, 3], 3, 3, 1, 0],
    [[7], 1, 1, 1, null],
    [[null, null], 0, 0, 0, null],
    [[], 0, 0, 0, null],
  ])('of %j', (codes, answered, longest, share, sd) => {
    const measured = measureStraightlining(codes);
    expect(measured).toMatchObject({ answered, longestString: longest, identicalShare: share });
    if (sd === null) expect(measured.standardDeviation).toBeNull();
    else expect(measured.standardDeviation).toBeCloseTo(sd, 12);
  });

  it('measures one run, a share of 1 and no spread if and only if all answers are identical', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 2, maxLength: 30 }), (codes) => {
        const { longestString, identicalShare, standardDeviation } = measureStraightlining(codes);
        const alike = new Set(codes).size === 1;
        expect(longestString === codes.length).toBe(alike);
        expect(identicalShare === 1).toBe(alike);
        expect(standardDeviation === 0).toBe(alike);
        expect(longestString / codes.length).toBeLessThanOrEqual(identicalShare);
      }),
    );
  });
});

describe('a straightliner', () => {
  it('gave the same answer in every row of a matrix', () => {
    const found = flags({ M: { a: '2', b: '2', c: '2', d: '2', e: '2' } });
    expect(found).toEqual([
      {
        check: 'straightliner',
        severity: 'high',
        metric: 'identical_share',
        value: 1,
        threshold: 1,
        column_codes: ['M_a', 'M_b', 'M_c', 'M_d', 'M_e'],
        measures: { answered: 5, longest_string: 5, identical_share: 1, standard_deviation: 0 },
      },
    ]);
  });

  it('is not flagged with one different answer, unless the settings allow it', () => {
    const answers = { M: { a: '2', b: '2', c: '2', d: '2', e: '3' } };
    expect(flags(answers)).toEqual([]);
    expect(flags(answers, { max_identical_share: 0.8 })).toMatchObject([{ severity: 'medium', value: 0.8 }]);
  });

  it('is not flagged with too few answers, or a skipped or hidden matrix', () => {
    for (const M of [{ a: '2', b: '2', c: '2' }, null]) expect(flags({ M })).toEqual([]);
    expect(flags({})).toEqual([]);
  });

  it('is not flagged if the check is off', () => {
    expect(flags({ M: { a: '2', b: '2', c: '2', d: '2' } }, { enabled: false })).toEqual([]);
  });

  it('is found in listed columns across questions', () => {
    const batteries = [{ column_codes: ['S1', 's2', 'S3', 'S4'] }];
    const answers = { S1: 4, S2: 4, S3: 4, S4: 4 };
    expect(flags(answers)).toEqual([]);
    expect(flags(answers, { batteries })).toMatchObject([{ column_codes: ['S1', 'S2', 'S3', 'S4'] }]);
  });

  it('ignores columns that do not exist or have no scale', () => {
    const batteries = [{ column_codes: ['S1', 'S2', 'S3', 'T', 'Nowhere', 'constructor'] }];
    expect(flags({ S1: 4, S2: 4, S3: 4, T: '4' }, { batteries })).toEqual([]);
  });
});
