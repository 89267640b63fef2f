import { describe, expect, it } from 'vitest';
import { computeChiSquare, expectedCounts } from '../../../../src/domain/statistics/independence.ts';

/** HairEyeColor: black, brown, red, blond × brown, blue, hazel, green. */
const HAIR_EYE = [
  [68, 20, 15, 5],
  [119, 84, 54, 29],
  [26, 17, 14, 14],
  [7, 94, 10, 16],
];
/** UCBAdmissions: admitted, rejected × department. */
const ADMISSIONS = [
  [601, 370, 322, 269, 147, 46],
  [332, 215, 596, 523, 437, 668],
];

describe('chi-square', () => {
  it('of hair by eye color equals that of R', () => {
    const test = computeChiSquare(HAIR_EYE)!;
    expect(test.statistic).toBeCloseTo(138.2898, 4);
    expect(test.df).toBe(9);
    expect(test.cramersV).toBeCloseTo(0.279045, 6);
  });

  it('of admissions by department equals that of R', () => {
    const test = computeChiSquare(ADMISSIONS)!;
    expect(test.statistic).toBeCloseTo(778.9065, 4);
    expect(test.df).toBe(5);
  });

  it('ignores empty rows and columns', () => {
    const padded = [...HAIR_EYE.map((row) => [...row, 0]), [0, 0, 0, 0, 0]];
    expect(computeChiSquare(padded)).toEqual(computeChiSquare(HAIR_EYE));
  });

  it('grows with the scale of the table, and its V does not', () => {
    const plain = computeChiSquare(HAIR_EYE)!;
    const larger = computeChiSquare(HAIR_EYE.map((row) => row.map((count) => 10 * count)))!;
    expect(larger.statistic).toBeCloseTo(10 * plain.statistic, 9);
    expect(larger.cramersV).toBeCloseTo(plain.cramersV, 12);
  });

  it.each([
    [[]],
    [[[1, 2]]],
    [[[1], [2]]],
    [
      [
        [1, 0],
        [2, 0],
      ],
    ],
  ])('of %j is null', (table) => {
    expect(computeChiSquare(table)).toBeNull();
  });
});

describe('expected counts', () => {
  it('are row total times column total over the total', () => {
    // chisq.test(matrix(c(8, 2, 1, 5), 2, byrow = TRUE))$expected
    expect(
      expectedCounts([
        [8, 2],
        [1, 5],
      ]),
    ).toEqual([
      [5.625, 4.375],
      [3.375, 2.625],
    ]);
  });

  it('of an empty table are 0', () => {
    expect(expectedCounts([[0, 0]])).toEqual([[0, 0]]);
  });
});
