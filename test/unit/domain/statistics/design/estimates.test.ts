import { describe, expect, it } from 'vitest';
import {
  computeDesignEffect,
  type Estimates,
  estimateMeans,
  estimateRatiosOf,
  estimateTotals,
  overlappingDomains,
  promoterValues,
  separateDomains,
  standardError,
} from '../../../../../src/domain/statistics/design/estimates.ts';
import {
  buildLinearizedDesign,
  buildReplicateDesign,
  degreesOfFreedom,
  type LinearizedDesign,
  type LinearizedDesignInput,
  type ReplicateDesignInput,
} from '../../../../../src/domain/statistics/design/sample-design.ts';
import { readDesignData } from '../../../../support/survey-designs.ts';
import { apiclus1, apiclus2, apistrat, clustered, firstStage, stratified, weighted } from './api-designs.ts';

function expectFigures(
  estimates: Estimates,
  wanted: readonly (readonly [value: number, se: number])[],
): void {
  expect(estimates.size).toBe(wanted.length);
  for (const [index, [value, se]] of wanted.entries()) {
    expect(estimates.values[index]! / value).toBeCloseTo(1, 8);
    expect(standardError(estimates, index) / se).toBeCloseTo(1, 6);
  }
}

const typesOf = (data: typeof apistrat) => separateDomains(data.indices('stype').indices, 3);

describe('under strata with a finite population', () => {
  const design = stratified();

  it('has 197 degrees of freedom: degf(ds)', () => {
    expect(degreesOfFreedom(design)).toBe(197);
  });

  // svymean(~api00, ds, deff = TRUE)
  it('estimates a mean and its design effect', () => {
    expectFigures(estimateMeans(design, apistrat.numbers('api00')), [[662.287363238, 9.40894084]]);
    const population = apistrat.numbers('pw').reduce((sum, weight) => sum + weight, 0);
    expect(computeDesignEffect(design, apistrat.numbers('api00'), population)).toBeCloseTo(1.2044573, 6);
  });

  // svytotal(~enroll, ds); svyratio(~api.stu, ~enroll, ds)
  it('estimates a total and a ratio', () => {
    expectFigures(estimateTotals(design, apistrat.numbers('enroll')), [[3687177.532, 114641.7161]]);
    const [numerator, denominator] = [apistrat.numbers('api.stu'), apistrat.numbers('enroll')];
    expectFigures(estimateRatiosOf(design, { numerator, denominator }), [[0.836956886941, 0.0077571032]]);
    // svyby(~api.stu, by = ~stype, denominator = ~enroll, ds, svyratio)
    expectFigures(estimateRatiosOf(design, { numerator, denominator }, typesOf(apistrat)), [
      [0.851816305965, 0.00703235959298],
      [0.810570152192, 0.0204772567562],
      [0.835695752451, 0.0181874383896],
    ]);
  });

  // svyby(~api00, ~stype, ds, svymean)
  it('estimates means of domains that are strata', () => {
    expectFigures(estimateMeans(design, apistrat.numbers('api00'), typesOf(apistrat)), [
      [674.43, 12.3824797939],
      [625.82, 14.9371291854],
      [636.6, 16.2147073082],
    ]);
  });

  // vcov(svyby(~api00, ~awards, ds, svymean, covmat = TRUE))
  it('estimates the covariance of domains that cross strata', () => {
    const awards = separateDomains(apistrat.indices('awards').indices, 2);
    const { covariance } = estimateMeans(design, apistrat.numbers('api00'), awards);
    const wanted = [235.155200887752, -0.291597659603, -0.291597659603, 140.579698372424];
    for (const [index, value] of wanted.entries()) expect(covariance![index]!).toBeCloseTo(value, 8);
  });

  it('is the same with sampling fractions as with sizes', () => {
    const byStratum = [100 / 4421, 50 / 755, 50 / 1018];
    const fractions = stratified({ population: { kind: 'fractions', byStratum } });
    expectFigures(estimateMeans(fractions, apistrat.numbers('api00')), [[662.287363238, 9.40894084]]);
  });

  it('refuses a population that is smaller than the sample', () => {
    const byStratum = [4421, 49, 1018];
    expect(() => stratified({ population: { kind: 'sizes', byStratum } })).toThrow(
      'Stratum 2 has 50 clusters in the sample, but a population of 49',
    );
  });
});

describe('under clusters', () => {
  const design = clustered();

  // svymean(~api00, dc, deff = TRUE); with deff = "replace"
  it('estimates a mean and its design effect', () => {
    expect(degreesOfFreedom(design)).toBe(14);
    expectFigures(estimateMeans(design, apiclus1.numbers('api00')), [[644.1693989071, 23.5422407]]);
    expect(computeDesignEffect(design, apiclus1.numbers('api00'), 183 * 33.846996307373)).toBeCloseTo(
      9.3458695,
      6,
    );
    expect(computeDesignEffect(design, apiclus1.numbers('api00'))).toBeCloseTo(9.06975, 5);
  });

  // svyby(~ell + meals, ~stype, dc, svymean)
  it('estimates means of domains', () => {
    expectFigures(estimateMeans(design, apiclus1.numbers('ell'), typesOf(apiclus1)), [
      [29.6944444444, 1.41161731],
      [15, 5.347065],
      [22.68, 2.95286226],
    ]);
    expectFigures(estimateMeans(design, apiclus1.numbers('meals'), typesOf(apiclus1)), [
      [53.0902777778, 7.07039876],
      [37.5714285714, 5.9122619],
      [43.08, 6.01710989],
    ]);
  });

  // svyby(~enroll, ~stype, dc, svytotal); svyratio(~api.stu, ~enroll, dc)
  it('estimates totals of domains and a ratio', () => {
    expectFigures(estimateTotals(design, apiclus1.numbers('enroll'), typesOf(apiclus1)), [
      [2109717.126835, 631349.386275],
      [535594.869568, 226716.594706],
      [759628.138126, 213635.484268],
    ]);
    const [numerator, denominator] = [apiclus1.numbers('api.stu'), apiclus1.numbers('enroll')];
    expectFigures(estimateRatiosOf(design, { numerator, denominator }), [[0.849708741724, 0.00838629716939]]);
  });

  // vcov(svyby(~api00, ~stype, dc, svymean, covmat = TRUE))
  it('estimates the covariances of domains that share clusters', () => {
    const { covariance } = estimateMeans(design, apiclus1.numbers('api00'), typesOf(apiclus1));
    const wanted = [
      [500.077331535, 521.979779637, 646.83743238],
      [521.979779637, 1445.539361352, 658.330933384],
      [646.83743238, 658.330933384, 999.158291952],
    ].flat();
    for (const [index, value] of wanted.entries()) expect(covariance![index]!).toBeCloseTo(value, 6);
  });

  // svymean(~api00, d2); svytotal(~enroll, d2, na.rm = TRUE); svyby(~api00, ~stype, d2, svymean)
  it('treats the first of two stages as R does, and missing values as a domain', () => {
    const first = firstStage();
    expect(degreesOfFreedom(first)).toBe(39);
    expectFigures(estimateMeans(first, apiclus2.numbers('api00')), [[670.8118081181, 29.88916]]);
    expectFigures(estimateTotals(first, apiclus2.numbers('enroll')), [[2639272.93, 798295.6795]]);
    expectFigures(estimateMeans(first, apiclus2.numbers('api00'), typesOf(apiclus2)), [
      [692.810400867, 29.4715174006],
      [598.340659341, 16.510696023],
      [642.352, 44.1293932271],
    ]);
  });

  it('omits covariances on request, and has the same variances', () => {
    const values = apiclus1.numbers('api00');
    const all = estimateMeans(design, values, typesOf(apiclus1));
    const only = estimateMeans(design, values, typesOf(apiclus1), { onlyVariances: true });
    expect(only.covariance).toBeNull();
    expect([...only.variances]).toEqual([...all.variances]);
    expect([...only.degreesOfFreedom]).toEqual([...all.degreesOfFreedom]);
  });
});

describe('domains', () => {
  // svymean(~enroll, svydesign(~1, weights = ~pw, data = apistrat))
  it('linearizes weights without strata', () => {
    expectFigures(estimateMeans(weighted(), apistrat.numbers('enroll')), [[595.2821374, 26.563174]]);
  });

  it('counts clusters minus strata of each domain, of two together and of all', () => {
    const isRare = apiclus1.texts('stype').map((type) => type === 'H');
    const design = clustered();
    const domain = separateDomains(Int32Array.from(isRare, Number), 2);
    const found = estimateMeans(design, apiclus1.numbers('api00'), domain);
    // degf(subset(dc, stype == "H"))
    expect(degreesOfFreedom(design, (row) => isRare[row]!)).toBe(found.degreesOfFreedom[1]);
    expect(found.degreesOfFreedom[1]).toBe(
      new Set(apiclus1.texts('dnum').filter((_, i) => isRare[i])).size - 1,
    );
    expect(found.ofPairs![1]).toBe(14);
    expect(found.ofAll).toBe(14);
  });

  it('gives overlapping domains the covariance of their shared rows', () => {
    const every = new Uint8Array(apistrat.size).fill(1);
    const high = Uint8Array.from(apistrat.texts('stype'), (type) => Number(type === 'H'));
    const design = stratified();
    const found = estimateMeans(design, apistrat.numbers('api00'), overlappingDomains([every, every, high]));
    expect(found.covariance![1]).toBeCloseTo(found.variances[0]!, 10);
    // The high schools are a stratum: their mean varies with the whole only by their share of the weight.
    expect(found.covariance![2]! / found.variances[2]!).toBeCloseTo(
      found.weights[2]! / found.weights[0]!,
      10,
    );
  });

  it('computes the Net Promoter Score as a mean', () => {
    expect([...promoterValues(Float64Array.of(10, 9, 8, 7, 6, 0, NaN))]).toEqual([
      100,
      100,
      0,
      0,
      -100,
      -100,
      NaN,
    ]);
  });
});

// d <- data.frame(s = c(1, 1, 1, 2, 3, 3), c = 1:6, w = c(2, 3, 4, 5, 6, 7), y = c(3, 5, 9, 4, 8, 2), g = c(1, 1, 0, 1, 1, 0))
// options(survey.lonely.psu = …); svymean(~y, svydesign(~c, strata = ~s, weights = ~w, data = d)); then of subset(…, g == 1)
describe('a stratum with one cluster', () => {
  const y = Float64Array.of(3, 5, 9, 4, 8, 2);
  const design = (settings: Partial<LinearizedDesignInput>) =>
    buildLinearizedDesign({
      mask: new Uint8Array(6).fill(1),
      weights: Float64Array.of(2, 3, 4, 5, 6, 7),
      strata: Int32Array.of(0, 0, 0, 1, 2, 2),
      ...settings,
    });
  const seOf = (found: LinearizedDesign, indices: number[]) =>
    standardError(estimateMeans(found, y, separateDomains(indices, 1)), 0);
  const ALL = [0, 0, 0, 0, 0, 0];
  const DOMAIN = [0, 0, -1, 0, 0, -1];

  it('is refused by default', () => {
    expect(() => estimateMeans(design({}), y)).toThrow('Stratum 2 has only one cluster');
  });

  it('is not refused if no row of the domain is in it', () => {
    expect(seOf(design({}), [0, 0, 0, -1, 0, 0])).toBeGreaterThan(0);
  });

  it('is not refused if all its population is in the sample', () => {
    const byStratum = [30, 1, 20];
    expect(seOf(design({ population: { kind: 'sizes', byStratum } }), ALL)).toBeGreaterThan(0);
  });

  it.each([
    ['certainty', [1.597217427008, 0.956792061947, 0.956792061947]],
    ['adjust', [1.611307166621, 1.074183238049, 1.410453786131]],
    ['average', [1.956183852225, 1.171826170858, 0.489716640207]],
  ] as const)('follows the rule %s', (lonelyClusters, [all, domain, domainToo]) => {
    expect(seOf(design({ lonelyClusters }), ALL)).toBeCloseTo(all, 8);
    expect(seOf(design({ lonelyClusters }), DOMAIN)).toBeCloseTo(domain, 8);
    expect(seOf(design({ lonelyClusters, appliesToDomains: true }), DOMAIN)).toBeCloseTo(domainToo, 8);
  });
});

describe('with replicate weights', () => {
  /** Jackknife weights of a design: one replicate without each cluster. */
  function jackknife({ rows, weights, clusterStarts, stratumStarts, corrections }: LinearizedDesign) {
    const replicates: Float64Array[] = [];
    const replicateScales: number[] = [];
    for (let stratum = 0; stratum + 1 < stratumStarts.length; stratum++) {
      const [start, end] = [stratumStarts[stratum]!, stratumStarts[stratum + 1]!];
      const clusters = end - start;
      for (let left = start; left < end; left++) {
        const replicate = Float64Array.from(weights);
        for (let position = clusterStarts[start]!; position < clusterStarts[end]!; position++) {
          replicate[rows[position]!]! *= clusters / (clusters - 1);
        }
        for (let position = clusterStarts[left]!; position < clusterStarts[left + 1]!; position++) {
          replicate[rows[position]!] = 0;
        }
        replicates.push(replicate);
        replicateScales.push(((clusters - 1) / clusters) * corrections[stratum]!);
      }
    }
    return { replicates, replicateScales };
  }

  // r <- as.svrepdesign(dc, type = "JK1")
  it('estimates means by JK1', () => {
    const { replicates } = jackknife(clustered());
    const design = buildReplicateDesign({
      mask: apiclus1.mask,
      weights: apiclus1.numbers('pw'),
      replicates,
      method: 'jk1',
      scale: (14 / 15) * ((757 - 15) / 757),
    });
    expect(degreesOfFreedom(design)).toBe(14);
    expectFigures(estimateMeans(design, apiclus1.numbers('api00')), [[644.1693989071, 26.329361]]);
    expectFigures(estimateMeans(design, apiclus1.numbers('api00'), typesOf(apiclus1)), [
      [648.868055556, 25.3743035524],
      [618.571428571, 46.3441217452],
      [631.44, 33.6876199986],
    ]);
  });

  // jn <- as.svrepdesign(ds, type = "JKn"); svymean, svytotal, svyratio, degf
  it('estimates means, totals and ratios by JKn', () => {
    const design = buildReplicateDesign({
      mask: apistrat.mask,
      weights: apistrat.numbers('pw'),
      ...jackknife(stratified()),
      method: 'jkn',
    });
    expect(degreesOfFreedom(design)).toBe(197);
    expectFigures(estimateMeans(design, apistrat.numbers('api00')), [[662.287363238, 9.40894084]]);
    expectFigures(estimateTotals(design, apistrat.numbers('enroll')), [[3687177.532, 114641.7161]]);
    const ratio = { numerator: apistrat.numbers('api.stu'), denominator: apistrat.numbers('enroll') };
    expectFigures(estimateRatiosOf(design, ratio), [[0.836956886941, 0.00777250903999]]);
  });

  const scd = readDesignData('scd');
  const balanced = (settings: Partial<ReplicateDesignInput>) =>
    buildReplicateDesign({
      mask: scd.mask,
      weights: scd.numbers('weight'),
      replicates: ['r1', 'r2', 'r3', 'r4'].map(scd.numbers),
      method: 'brr',
      ...settings,
    });

  // svyratio(~alive, ~arrests, svrepdesign(data = scd, type = "BRR", repweights = rep, combined.weights = FALSE))
  it('estimates a ratio and a total by BRR', () => {
    const design = balanced({});
    expect(degreesOfFreedom(design)).toBe(3);
    const ratio = { numerator: scd.numbers('alive'), denominator: scd.numbers('arrests') };
    expectFigures(estimateRatiosOf(design, ratio), [[0.1535063501, 0.009418401]]);
    expectFigures(estimateTotals(design, scd.numbers('alive')), [[278, 21.4941852]]);
  });

  // The ratio with type = "Fay", rho = 0.3; type = "bootstrap"; type = "bootstrap", mse = TRUE
  it.each([
    ['fay', { rho: 0.3 }, 0.0134548581],
    ['bootstrap', {}, 0.010875432324],
    ['bootstrap', { isAroundEstimate: true }, 0.010884941356],
  ] as const)('scales the replicates of %s %o', (method, settings, se) => {
    const design = balanced({ method, ...settings });
    const ratio = { numerator: scd.numbers('alive'), denominator: scd.numbers('arrests') };
    expectFigures(estimateRatiosOf(design, ratio), [[278 / 1811, se]]);
  });

  it('refuses scales of another number, and JKn without scales', () => {
    expect(() => balanced({ method: 'jkn' })).toThrow('JKn needs a scale for each replicate');
    expect(() => balanced({ method: 'jkn', replicateScales: [1, 1, 1] })).toThrow(
      '3 scales for 4 replicate weights',
    );
    expect(() => balanced({ replicates: [scd.numbers('r1')] })).toThrow('at least 2 are needed');
    expect(() => balanced({ replicates: [scd.numbers('r1'), new Float64Array(2)] })).toThrow(
      'Replicate weight 2 has 2 values for 6 responses',
    );
  });
});
