import { describe, expect, test } from 'vitest';
import {
  computeSlotMoments,
  momentsInRegion,
} from '../../../../../src/domain/statistics/crosstab/slot-moments.ts';
import { codedMoments, presentMean } from '../../../../../src/domain/statistics/moments.ts';

/** Two groups, a billion apart. */
const VALUES = Float64Array.of(1e9 + 4, 0.1, 1e9 + 7, 0.4, 1e9 + 13, 0.2, 1e9 + 16, 0.7);
const GROUPS = { indices: Int16Array.of(0, 1, 0, 1, 0, 1, 0, 1), offset: 0, size: 2 };
const WEIGHTS = Float64Array.of(0.3, 1, 1.7, 2, 0.9, 0.5, 1.1, 1.2);
const mask = new Uint8Array(8).fill(1);

const figures = (weights: Float64Array | null, ...slots: number[]) =>
  presentMean(
    momentsInRegion(computeSlotMoments(VALUES, GROUPS, { mask, weights }), { coding: 0, slots }),
    weights === null ? null : 8,
  );

function expectFigure(actual: number | null, expected: number) {
  expect(Math.abs(actual! / expected - 1)).toBeLessThan(1e-9);
}

describe('mean and SD of a group', () => {
  test('keep their precision if another group is far away', () => {
    // sd(1e9 + c(4, 7, 13, 16)) and sd(c(.1, .4, .2, .7)) of R
    expectFigure(figures(null, 0).sd, 5.477225575051661);
    expectFigure(figures(null, 1).sd, 0.264575131106459);
  });

  test('equal svymean and svyvar with weights', () => {
    // de <- svydesign(~1, weights = ~w, data = data.frame(x = 1e9 + c(4, 7, 13, 16), w = c(.3, 1.7, .9, 1.1)))
    expectFigure(figures(WEIGHTS, 0).mean, 1000000010.6);
    expectFigure(figures(WEIGHTS, 0).sd, 4.91121166312347);
    // The same of x = c(.1, .4, .2, .7), w = c(1, 2, .5, 1.2)
    expectFigure(figures(WEIGHTS, 1).mean, 0.3914893617021276);
    expectFigure(figures(WEIGHTS, 1).sd, 0.2484902352452158);
  });

  test('of merged groups equal those of all values', () => {
    // sd(c(1e9 + c(4, 7, 13, 16), .1, .4, .2, .7)) of R
    expectFigure(figures(null, 0, 1).sd, 534522488.9829907);
    expectFigure(figures(null, 0, 1).mean, 500000005.175);
  });

  test('keep their precision if the values of a group differ little', () => {
    const values = Float64Array.of(-999.9999999999992, -999.9983921925955, 5_000_000, 7_000_000);
    const coding = { indices: Int16Array.of(0, 0, 1, 1), offset: 0, size: 2 };
    for (const weights of [null, Float64Array.of(0.05000000000000007, 0.05, 20, 20)]) {
      const rows = { mask: new Uint8Array(4).fill(1), weights };
      const moments = momentsInRegion(computeSlotMoments(values, coding, rows), { coding: 0, slots: [0] });
      // sd(c(-999.9999999999992, -999.9983921925955)) of R
      expectFigure(presentMean(moments, 4).sd, 0.00113689151801911);
    }
  });

  test('are exact for codes far from zero', () => {
    const counts = [4, 3, 2, 1].map((count) => ({ count, weight: count * 0.1, squaredWeight: count * 0.01 }));
    const { sd, mean } = presentMean(
      codedMoments([2_000_000_001, 2_000_000_002, null, 2_000_000_004], counts),
      10,
    );
    // x <- rep(c(1, 2, 4), c(4, 3, 1)) in R: mean(x) and sd(x)
    expectFigure(mean, 2_000_000_001.75);
    expectFigure(sd, 1.0350983390135313);
  });
});
