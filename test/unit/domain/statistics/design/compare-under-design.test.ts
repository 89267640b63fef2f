import { describe, expect, it } from 'vitest';
import type { Correction } from '../../../../../src/domain/statistics/adjust-p-values.ts';
import {
  type ColumnPair,
  pairsOfFamilies,
  testPairs,
} from '../../../../../src/domain/statistics/compare-pairs.ts';
import {
  type DifferenceTest,
  estimateColumns,
  testAgainst,
  testEstimates,
} from '../../../../../src/domain/statistics/design/compare-under-design.ts';
import {
  type Domains,
  overlappingDomains,
  separateDomains,
} from '../../../../../src/domain/statistics/design/estimates.ts';
import {
  buildLinearizedDesign,
  type SampleDesign,
} from '../../../../../src/domain/statistics/design/sample-design.ts';
import { separateWaves } from '../../../../../src/domain/statistics/design/waves.ts';
import { randomNumbers } from '../../../../../src/lib/seeded-random.ts';
import { apiclus1, apistrat, clustered, stratified, weighted } from './api-designs.ts';

interface Settings {
  against: 'columns' | 'total' | 'rest';
  isShare: boolean;
  /** Whether columns share respondents. */
  overlaps: boolean;
  minBase: number;
  correction: Correction;
}

const SETTINGS: Settings = {
  against: 'columns',
  isShare: false,
  overlaps: false,
  minBase: 0,
  correction: 'none',
};

/** The columns and, last, the total. */
const withTotal = ({ size, forEach }: Domains, isInTotal: (row: number) => boolean): Domains => ({
  size: size + 1,
  forEach: (row, visit) => {
    forEach(row, visit);
    if (isInTotal(row)) visit(size);
  },
});

/** Tests all columns, as a table does. */
function compareUnderDesign(
  design: SampleDesign,
  {
    values,
    columns,
    isInTotal = () => true,
  }: { values: Float64Array; columns: Domains; isInTotal?: (row: number) => boolean },
  { against, isShare, overlaps, minBase, correction }: Settings,
): (DifferenceTest & { first: number })[] {
  const row = estimateColumns(design, values, withTotal(columns, isInTotal));
  const indices = Array.from({ length: columns.size }, (_, column) => column);
  if (against !== 'columns') {
    return indices.flatMap((first) => {
      const found = testAgainst(row, first, { against, isShare, minBase });
      return found === null ? [] : [{ ...found, first }];
    });
  }
  const { estimates } = row;
  const testPair = (pair: ColumnPair) => testEstimates(estimates, pair, { isShare, isSeparate: !overlaps });
  const pairs = testPairs(
    pairsOfFamilies(indices.map(() => 0)),
    { countOf: (column) => estimates.counts[column]!, test: testPair },
    { minBase, correction },
  );
  return pairs.map((pair) => ({ ...testPair([pair.first, pair.second])!, ...pair }));
}

const yes = (data: typeof apistrat, column: string) =>
  Float64Array.from(data.texts(column), (text) => Number(text === 'Yes'));
const types = (data: typeof apistrat) => separateDomains(data.indices('stype').indices, 3);
const maskOf = (data: typeof apistrat, column: string, wanted: string) =>
  Uint8Array.from(data.texts(column), (text) => Number(text === wanted));

describe('columns with each other', () => {
  // svyttest(api00 ~ awards, ds), of Yes minus No
  it('tests means of groups that cross strata', () => {
    const columns = separateDomains(apistrat.indices('awards').indices, 2);
    const [pair] = compareUnderDesign(stratified(), { values: apistrat.numbers('api00'), columns }, SETTINGS);
    expect(pair).toMatchObject({ first: 0, second: 1, df: 196 });
    expect(pair!.difference).toBeCloseTo(-44.687493955, 7);
    expect(pair!.t).toBeCloseTo(-2.30360731982, 9);
    expect(pair!.pValue).toBeCloseTo(0.0222935238151, 10);
  });

  // svyttest(api00 ~ stype, subset(dc, stype %in% c(…)))
  it('tests means of groups that share clusters, with the degrees of freedom of both', () => {
    const found = compareUnderDesign(
      clustered(),
      { values: apiclus1.numbers('api00'), columns: types(apiclus1) },
      SETTINGS,
    );
    const wanted = [
      [1.00895911551, 13, 0.33140581106],
      [1.21556679918, 13, 0.245764334313],
      [-0.383150060652, 10, 0.709627413804],
    ] as const;
    for (const [index, [t, df, pValue]] of wanted.entries()) {
      expect(found[index]!.t).toBeCloseTo(t, 8);
      expect(found[index]!.df).toBe(df);
      expect(found[index]!.pValue).toBeCloseTo(pValue, 9);
    }
  });

  // svychisq(~comp.imp + stype, subset(dc, stype %in% c(…))); ~yr.rnd + stype, ds; svydesign(~1, weights = ~pw, data = apistrat)
  it('tests shares by Rao–Scott, without an odds ratio by their difference', () => {
    const settings = { ...SETTINGS, isShare: true };
    const byCluster = compareUnderDesign(
      clustered(),
      { values: yes(apiclus1, 'comp.imp'), columns: types(apiclus1) },
      settings,
    );
    const wanted = [
      [11.2217742176, 14, 0.00476499235149],
      [2.65321725621, 14, 0.125627100006],
      [0.103571005794, 11, 0.753618586944],
    ] as const;
    for (const [index, [statistic, df, pValue]] of wanted.entries()) {
      expect(byCluster[index]!.t ** 2).toBeCloseTo(statistic, 8);
      expect(byCluster[index]!.df).toBe(df);
      expect(byCluster[index]!.pValue).toBeCloseTo(pValue, 9);
    }
    const byStratum = compareUnderDesign(
      stratified(),
      { values: yes(apistrat, 'yr.rnd'), columns: types(apistrat) },
      settings,
    );
    const strata = [
      [8.30998992377, 148, 0.00453049170779],
      [5.90458079918, 148, 0.0162985534488],
      [0.358517167762, 98, 0.550712454616],
    ] as const;
    for (const [index, [statistic, df, pValue]] of strata.entries()) {
      expect(byStratum[index]!.t ** 2).toBeCloseTo(statistic, 8);
      expect(byStratum[index]!.df).toBe(df);
      expect(byStratum[index]!.pValue).toBeCloseTo(pValue, 9);
    }
    const constant = Float64Array.from(apistrat.texts('stype'), (type, row) =>
      Number(type === 'E' && row % 2 === 0),
    );
    const [pair] = compareUnderDesign(weighted(), { values: constant, columns: types(apistrat) }, settings);
    expect(pair!.t).toBeCloseTo(pair!.difference / pair!.se, 12);
  });
});

describe('columns with the rest and the total', () => {
  // d <- update(dc, e = stype == "E", h = factor(stype == "H")); svyttest(api00 ~ e, d); svychisq(~comp.imp + h, d)
  it('tests a mean and a share against all others', () => {
    const input = { values: apiclus1.numbers('api00'), columns: types(apiclus1) };
    const [elementary] = compareUnderDesign(clustered(), input, { ...SETTINGS, against: 'rest' });
    expect(elementary).toMatchObject({ first: 0, df: 13 });
    expect(elementary!.difference).toBeCloseTo(22.047542735, 7);
    expect(elementary!.t).toBeCloseTo(1.61775854711, 8);
    const shares = { values: yes(apiclus1, 'comp.imp'), columns: types(apiclus1) };
    const [, high] = compareUnderDesign(clustered(), shares, { ...SETTINGS, against: 'rest', isShare: true });
    expect(high!.t ** 2).toBeCloseTo(7.0892560978, 8);
    expect(high!.pValue).toBeCloseTo(0.0185677504153, 9);
  });

  // d <- update(dc, one = 1, e = as.numeric(stype == "E"), ye = api00 * e, a = as.numeric(awards == "Yes"), ya = api00 * a)
  // r <- svyratio(~ye + api00 + ya, ~e + one + a, d, covmat = TRUE); V <- vcov(r)
  // r$ratio[1] - r$ratio[5]; sqrt(V[1, 1] + V[5, 5] - 2 * V[1, 5])
  const overlapping = overlappingDomains([maskOf(apiclus1, 'stype', 'E'), maskOf(apiclus1, 'awards', 'Yes')]);
  it.each([
    ['total', 0, 4.69865664845, 2.7085355239],
    ['total', 1, 7.64598570828, 5.38496378639],
    ['columns', 0, -2.94732905983, 5.47583989461],
  ] as const)('corrects for shared respondents: %s %d', (against, index, difference, se) => {
    const input = { values: apiclus1.numbers('api00'), columns: overlapping };
    const found = compareUnderDesign(clustered(), input, { ...SETTINGS, against, overlaps: true });
    expect(found[index]!.difference).toBeCloseTo(difference, 8);
    expect(found[index]!.se).toBeCloseTo(se, 8);
  });

  it('counts only respondents of the total as the rest', () => {
    const isInTotal = (row: number) => apiclus1.texts('stype')[row] !== 'M';
    const high = separateDomains(
      Int32Array.from(maskOf(apiclus1, 'stype', 'H'), (inside) => inside - 1),
      1,
    );
    const values = apiclus1.numbers('api00');
    const [rest] = compareUnderDesign(
      clustered(),
      { values, columns: high, isInTotal },
      { ...SETTINGS, against: 'rest' },
    );
    const [pair] = compareUnderDesign(clustered(), { values, columns: types(apiclus1) }, SETTINGS);
    expect(rest!.t).toBeCloseTo(-pair!.t, 10);
  });

  it('does not test columns and rests below the minimum base, nor a column that is the total', () => {
    const values = apiclus1.numbers('api00');
    const input = { values, columns: types(apiclus1) };
    // 144 E, 14 H, 25 M: the rest of E has 39.
    const found = compareUnderDesign(clustered(), input, { ...SETTINGS, against: 'rest', minBase: 25 });
    expect(found.map(({ first }) => first)).toEqual([0, 2]);
    const all = overlappingDomains([new Uint8Array(apiclus1.size).fill(1)]);
    expect(
      compareUnderDesign(clustered(), { values, columns: all }, { ...SETTINGS, against: 'total' }),
    ).toEqual([]);
  });

  it('adjusts all tests together', () => {
    const input = { values: apiclus1.numbers('api00'), columns: types(apiclus1) };
    const plain = compareUnderDesign(clustered(), input, SETTINGS);
    const adjusted = compareUnderDesign(clustered(), input, { ...SETTINGS, correction: 'bonferroni' });
    expect(adjusted[1]!.pValue).toBeCloseTo(3 * plain[1]!.pValue, 12);
  });
});

describe('waves', () => {
  const base = {
    mask: apiclus1.mask,
    weights: apiclus1.numbers('pw'),
    clusters: apiclus1.indices('dnum').indices,
  };
  const compareWaves = (waves: Int32Array) => {
    const { areIndependent, ...strata } = separateWaves(base, waves);
    const design = buildLinearizedDesign({ ...base, ...strata });
    const input = { values: apiclus1.numbers('api00'), columns: separateDomains(waves, 2) };
    return { areIndependent, pair: compareUnderDesign(design, input, SETTINGS)[0]! };
  };

  // dd$wave <- district in an even place; svyttest(api00 ~ wave, svydesign(~dnum, strata = ~wave, weights = ~pw, data = dd))
  it('are independent if they have other clusters', () => {
    const { areIndependent, pair } = compareWaves(base.clusters.map((cluster) => (cluster + 1) % 2));
    expect(areIndependent).toBe(true);
    expect(pair.df).toBe(12);
    expect(Math.abs(pair.t)).toBeCloseTo(1.58434809232, 8);
    expect(pair.pValue).toBeCloseTo(0.139099782507, 9);
  });

  // dd$wave <- rep(1:2, length.out = 183); svyttest(api00 ~ wave, svydesign(~dnum, weights = ~pw, data = dd))
  it('have the covariance of the clusters that they share', () => {
    const { areIndependent, pair } = compareWaves(
      Int32Array.from({ length: apiclus1.size }, (_, row) => row % 2),
    );
    expect(areIndependent).toBe(false);
    expect(pair.df).toBe(13);
    expect(pair.t).toBeCloseTo(-0.496422878379, 8);
  });

  it('have a stratum and a population for each stratum of each wave', () => {
    const mask = new Uint8Array(4).fill(1);
    const strata = Int32Array.of(0, 1, 0, 1);
    const population = { kind: 'sizes', byStratum: [10, 20] } as const;
    const found = separateWaves({ mask, weights: null, strata, population }, Int32Array.of(0, 0, 1, -1));
    expect([...found.strata!]).toEqual([0, 1, 2, -1]);
    expect(found.population!.byStratum).toEqual([10, 20, 10, 20]);
  });
});

// Equal columns, so every significant result is an error of the test; 2,000 samples for each case.
describe('simulated samples', () => {
  const SAMPLES = 2_000;

  interface Sample {
    design: SampleDesign;
    values: Float64Array;
    columns: Domains;
  }

  /** The part of samples whose test is significant at 5 %: 1 minus the coverage of the interval of the difference. */
  function sizeOf(seed: number, draw: (random: () => number) => Sample, settings: Partial<Settings>) {
    const random = randomNumbers(seed);
    let significant = 0;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const { design, ...input } = draw(random);
      const [pair] = compareUnderDesign(design, input, { ...SETTINGS, ...settings });
      if (pair!.pValue < 0.05) significant++;
    }
    return significant / SAMPLES;
  }

  const normal = (random: () => number) =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const ones = (size: number) => new Uint8Array(size).fill(1);
  const masks = (random: () => number, size: number) =>
    overlappingDomains([0, 1].map(() => Uint8Array.from({ length: size }, () => Number(random() < 0.5))));

  function weightedSample(random: () => number, isShare: boolean): Sample {
    const values = Float64Array.from({ length: 200 }, () =>
      isShare ? Number(random() < 0.4) : normal(random),
    );
    // Weights depend on the answer.
    const weights = values.map((value) => 0.3 + random() * (value > 0 ? 2 : 1));
    const columns = separateDomains(
      Int32Array.from(values, () => (random() < 0.4 ? 0 : 1)),
      2,
    );
    return { design: buildLinearizedDesign({ mask: ones(200), weights }), values, columns };
  }

  function clusteredSample(random: () => number, isShare: boolean): Sample {
    const clusters = Int32Array.from({ length: 320 }, (_, row) => Math.trunc(row / 8));
    const effects = Float64Array.from({ length: 40 }, () => 0.6 * normal(random));
    const values = Float64Array.from(clusters, (cluster) => {
      const value = effects[cluster]! + normal(random);
      return isShare ? Number(value > 0.2) : value;
    });
    // Clusters lie in one column or are split.
    const columns = separateDomains(
      Int32Array.from(clusters, (cluster) =>
        cluster % 3 === 0 ? 0 : cluster % 3 === 1 ? 1 : Number(random() < 0.5),
      ),
      2,
    );
    return { design: buildLinearizedDesign({ mask: ones(320), weights: null, clusters }), values, columns };
  }

  function overlappingSample(random: () => number, isShare: boolean): Sample {
    const values = Float64Array.from({ length: 200 }, () =>
      isShare ? Number(random() < 0.3) : normal(random),
    );
    return {
      design: buildLinearizedDesign({ mask: ones(200), weights: values.map(() => 0.5 + random()) }),
      values,
      columns: masks(random, 200),
    };
  }

  /** Two waves of the same 150 respondents, with answers that depend on the respondent. */
  function panelSample(random: () => number, isShare: boolean): Sample {
    const person = Float64Array.from({ length: 150 }, () => normal(random));
    const clusters = Int32Array.from({ length: 300 }, (_, row) => row % 150);
    const waves = Int32Array.from({ length: 300 }, (_, row) => (row < 150 ? 0 : 1));
    const values = Float64Array.from(clusters, (index) => {
      const value = person[index]! + normal(random);
      return isShare ? Number(value > 0.5) : value;
    });
    const input = { mask: ones(300), weights: null, clusters };
    const { areIndependent, ...strata } = separateWaves(input, waves);
    expect(areIndependent).toBe(false);
    const design = buildLinearizedDesign({ ...input, ...strata });
    return { design, values, columns: separateDomains(waves, 2) };
  }

  /** Waves with 25 clusters each. */
  function independentWaves(random: () => number, isShare: boolean): Sample {
    const sample = clusteredSample(random, isShare);
    const clusters = Int32Array.from({ length: 320 }, (_, row) => Math.trunc(row / 8));
    const waves = clusters.map((cluster) => (cluster < 20 ? 0 : 1));
    const input = { mask: ones(320), weights: null, clusters };
    const { areIndependent, ...strata } = separateWaves(input, waves);
    expect(areIndependent).toBe(true);
    return {
      ...sample,
      design: buildLinearizedDesign({ ...input, ...strata }),
      columns: separateDomains(waves, 2),
    };
  }

  it.each([
    ['weighted', weightedSample, 'columns'],
    ['weighted', weightedSample, 'total'],
    ['clustered', clusteredSample, 'columns'],
    ['clustered', clusteredSample, 'rest'],
    ['overlapping', overlappingSample, 'columns'],
    ['overlapping', overlappingSample, 'rest'],
    ['panel', panelSample, 'columns'],
    ['independent waves', independentWaves, 'columns'],
  ] as const)('%s are significant in 3 to 7 % (%#)', (name, draw, against) => {
    for (const isShare of [false, true]) {
      const size = sizeOf(name.length + against.length, (random) => draw(random, isShare), {
        against,
        isShare,
        overlaps: name === 'overlapping',
      });
      expect(size).toBeGreaterThan(0.03);
      expect(size).toBeLessThan(0.07);
    }
  });
});
