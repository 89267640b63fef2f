import { describe, expect, it } from 'vitest';
import { selectCountedRows } from '../../../../../src/domain/statistics/base.ts';
import {
  estimateMeans,
  estimateTotals,
  separateDomains,
  standardError,
} from '../../../../../src/domain/statistics/design/estimates.ts';
import {
  computeMeanInterval,
  computeShareInterval,
  computeWilsonInterval,
  type Interval,
  type ShareMethod,
} from '../../../../../src/domain/statistics/design/intervals.ts';
import {
  computeQuantileByRule,
  estimateQuantile,
} from '../../../../../src/domain/statistics/design/quantiles.ts';
import type { SampleDesign } from '../../../../../src/domain/statistics/design/sample-design.ts';
import { betaQuantile, tQuantileTwoSided } from '../../../../../src/domain/statistics/probability.ts';
import { tallyNumbers } from '../../../../../src/domain/statistics/tally.ts';
import type { DesignData } from '../../../../support/survey-designs.ts';
import { apiclus1, apistrat, clustered, stratified } from './api-designs.ts';

function expectInterval(interval: Interval, [low, high]: readonly [number, number], digits = 8): void {
  expect(interval![0]).toBeCloseTo(low, digits);
  expect(interval![1]).toBeCloseTo(high, digits);
}

// qt(.975, 197), qt(.9, 3.5), qt(.9995, 14), qnorm(.975)
it.each([
  [0.05, 197, 1.972079033779],
  [0.2, 3.5, 1.576576605136],
  [0.001, 14, 4.140454112738],
  [0.05, Infinity, 1.95996398454],
])('finds the t exceeded with probability %d and %d degrees of freedom', (alpha, df, wanted) => {
  expect(tQuantileTwoSided(alpha, df)).toBeCloseTo(wanted, 9);
});

// qbeta(.025, 3.2, 40), qbeta(.975, 100, 3), qbeta(.1, .3, .7)
it.each([
  [0.025, 3.2, 40, 0.017051730403],
  [0.975, 100, 3, 0.993893026138],
  [0.1, 0.3, 0.7, 0.000772030069],
  [0.025, 0, 5, 0],
  [0.975, 5, 0, 1],
])('finds the quantile %d of the beta distribution with %d and %d', (probability, a, b, wanted) => {
  expect(betaQuantile(probability, a, b)).toBeCloseTo(wanted, 11);
});

describe('of an unweighted share', () => {
  // prop.test(part, count, correct = FALSE, conf.level = level / 100)$conf.int
  it.each([
    [189, 236, 95, [0.74525755, 0.84680022]],
    [189, 236, 90, [0.7547839472, 0.8400912197]],
    [0, 40, 95, [0, 0.0876216012]],
  ] as const)('is that of Wilson for %d of %d at %d %%', (part, count, level, wanted) => {
    expectInterval(computeWilsonInterval(part, count, level), wanted);
  });

  it('is null without respondents', () => {
    expect(computeWilsonInterval(0, 0, 95)).toBeNull();
  });
});

describe('of a share under a design', () => {
  function shareOf(design: SampleDesign, data: DesignData, column: string, isInDomain = (_: number) => true) {
    const values = Float64Array.from(data.texts(column), (text) => Number(text === 'Yes'));
    const domain = separateDomains(
      Int32Array.from(values, (_, row) => (isInDomain(row) ? 0 : -1)),
      1,
    );
    const found = estimateMeans(design, values, domain);
    return {
      estimate: found.values[0]!,
      se: standardError(found, 0),
      df: found.degreesOfFreedom[0]!,
      count: found.counts[0]!,
      effectiveBase: found.counts[0]!,
    };
  }

  // svyciprop(~I(awards == "Yes"), dc, method = method, level = level / 100)
  it.each([
    [80, 'logit', [0.6640474638, 0.7527068438]],
    [80, 'beta', [0.6615448916, 0.7554955348]],
    [95, 'logit', [0.6348391916, 0.7758165114]],
    [95, 'beta', [0.6334368391, 0.7793385362]],
    [99.9, 'logit', [0.557927922, 0.8266012033]],
    [99.9, 'beta', [0.5618740195, 0.8328251244]],
  ] as [number, ShareMethod, [number, number]][])('at %d %% by %s with clusters', (level, method, wanted) => {
    expectInterval(computeShareInterval(shareOf(clustered(), apiclus1, 'awards'), level, method), wanted);
  });

  // svyciprop(~I(awards == "Yes"), ds); svyciprop(~I(yr.rnd == "Yes"), ds, method = "beta")
  it('with strata', () => {
    const wanted = [0.5687210989, 0.7036757794] as const;
    expectInterval(computeShareInterval(shareOf(stratified(), apistrat, 'awards'), 95), wanted);
    const rare = shareOf(stratified(), apistrat, 'yr.rnd');
    expectInterval(computeShareInterval(rare, 95, 'beta'), [0.0874069794, 0.2020552877]);
  });

  // svyciprop(~I(awards == "Yes"), subset(dc, stype == "E"))
  it('with the degrees of freedom of a domain', () => {
    const types = apiclus1.texts('stype');
    const share = shareOf(clustered(), apiclus1, 'awards', (row) => types[row] === 'E');
    expectInterval(computeShareInterval(share, 95), [0.7027363556, 0.8271673036]);
  });

  it('of 0 or 100 % is that of Korn and Graubard for the effective base', () => {
    const none = { estimate: 0, se: 0, df: 14, count: 40, effectiveBase: 25 };
    const [low, high] = computeShareInterval(none, 95)!;
    expect(low).toBe(0);
    // binom.test(0, n)$conf.int has 1 - .025^(1/n) as the upper bound.
    const size = 25 * (tQuantileTwoSided(0.05, 39) / tQuantileTwoSided(0.05, 14)) ** 2;
    expect(high).toBeCloseTo(1 - 0.025 ** (1 / size), 10);
    const all = computeShareInterval({ ...none, estimate: 1 }, 95)!;
    expect(all[0]).toBeCloseTo(1 - high, 10);
    expect(all[1]).toBe(1);
  });

  it('is null without degrees of freedom', () => {
    const share = { estimate: 0.5, se: 0.1, df: 0, count: 5, effectiveBase: 5 };
    expect(computeShareInterval(share, 95)).toBeNull();
  });
});

describe('of means and totals', () => {
  // confint(svymean(~api00, ds), df = 197); confint(svymean(~api00, dc), df = 14); confint(svytotal(~enroll, ds), df = 197)
  it('is that of t', () => {
    const bounds = (found: ReturnType<typeof estimateMeans>) =>
      computeMeanInterval(
        { estimate: found.values[0]!, se: standardError(found, 0), df: found.degreesOfFreedom[0]! },
        95,
      );
    expectInterval(bounds(estimateMeans(stratified(), apistrat.numbers('api00'))), [643.73219, 680.84254], 5);
    expectInterval(bounds(estimateMeans(clustered(), apiclus1.numbers('api00'))), [593.67631, 694.66248], 5);
    const total = bounds(estimateTotals(stratified(), apistrat.numbers('enroll')));
    expectInterval(total, [3461095.0077, 3913260.0572], 3);
  });

  it('is null without a standard error', () => {
    expect(computeMeanInterval({ estimate: 3, se: NaN, df: 4 }, 95)).toBeNull();
    expect(computeMeanInterval({ estimate: 3, se: 0, df: 4 }, 95)).toEqual([3, 3]);
  });
});

describe('of quantiles', () => {
  function quantileOf(
    design: SampleDesign,
    values: Float64Array,
    request: Parameters<typeof estimateQuantile>[2],
  ) {
    const tally = tallyNumbers(
      values,
      selectCountedRows(new Uint8Array(values.length).fill(1), design.weights),
    );
    return estimateQuantile(design, { values, tally }, request);
  }

  // svyquantile(~api00, ds, c(.25, .5, .75), qrule = rule)
  it.each([
    ['math', 0.25, 565, [535, 597], 15.719451132],
    ['math', 0.5, 668, [642, 694], 13.1840557882],
    ['math', 0.75, 756, [726, 778], 13.1840557882],
  ] as const)('by %s at %d with strata', (rule, probability, estimate, interval, se) => {
    const found = quantileOf(stratified(), apistrat.numbers('api00'), { probability, rule, level: 95 })!;
    expect(found.estimate).toBeCloseTo(estimate, 6);
    expectInterval(found.interval, interval, 6);
    expect(found.se).toBeCloseTo(se, 6);
  });

  // apistrat$x <- apistrat$api00 + 1:200 / 1000; svyquantile(~x, ds, c(.25, .5, .75), qrule = "hf7")
  it.each([
    [0.25, 565.06328426814, [534.63697523588, 596.86069735635], 15.776173534295],
    [0.5, 667.72758669217, [637.10252603729, 680.85723574585], 11.093548726779],
    [0.75, 755.81099879081, [724.29652890536, 776.62993457427], 13.268587306218],
  ] as const)('by hf7 at %d with strata', (probability, estimate, interval, se) => {
    const values = apistrat.numbers('api00').map((value, row) => value + (row + 1) / 1000);
    const found = quantileOf(stratified(), values, { probability, rule: 'hf7', level: 95 })!;
    expect(found.estimate).toBeCloseTo(estimate, 6);
    expectInterval(found.interval, interval, 6);
    expect(found.se).toBeCloseTo(se, 6);
  });

  // svyquantile(~ell, dc, .75, qrule = "hf7"); svyquantile(~ell, dc, .5, alpha = .1)
  it('at other levels, and with many equal values', () => {
    const values = apiclus1.numbers('ell');
    const upper = quantileOf(clustered(), values, { probability: 0.75, rule: 'hf7', level: 95 })!;
    expect(upper.estimate).toBe(37);
    expectInterval(upper.interval, [34, 42.8154876098]);
    const median = quantileOf(clustered(), values, { probability: 0.5, rule: 'math', level: 90 })!;
    expect(median.estimate).toBe(26);
    expectInterval(median.interval, [25, 29]);
    expect(median.se).toBeCloseTo(1.1355183618, 8);
  });

  // svyquantile(~api00, subset(dc, stype == "E"), .5)
  it('of a domain', () => {
    const types = apiclus1.texts('stype');
    const values = apiclus1.numbers('api00').map((value, row) => (types[row] === 'E' ? value : NaN));
    const found = quantileOf(clustered(), values, { probability: 0.5, rule: 'math', level: 95 })!;
    expect(found.estimate).toBe(652);
    expectInterval(found.interval, [561, 717]);
    expect(found.se).toBeCloseTo(36.3672529485, 6);
  });

  it('is NaN where a bound is below 0 % or above 100 %', () => {
    const values = apiclus1.numbers('api00');
    const found = quantileOf(clustered(), values, { probability: 0.001, rule: 'math', level: 95 })!;
    expect(found.interval![0]).toBeNaN();
    expect(found.se).toBeNull();
  });

  // quantile(c(1, 4, 9, 10), .4, type = 7) and type = 1
  it('follows the rules of R without weights', () => {
    const tally = tallyNumbers(Float64Array.of(9, 1, 10, 4), {
      mask: new Uint8Array(4).fill(1),
      weights: null,
      withoutWeight: 0,
    });
    expect(computeQuantileByRule(tally, 0.4, 'hmisc')).toBeCloseTo(5, 12);
    expect(computeQuantileByRule(tally, 0.4, 'hf7')).toBeCloseTo(5, 12);
    expect(computeQuantileByRule(tally, 0.4, 'math')).toBe(4);
    expect(computeQuantileByRule(tally, 0.5, 'math')).toBe(4);
    expect(computeQuantileByRule(tally, 1, 'hf7')).toBe(10);
  });
});
