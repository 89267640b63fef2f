import { describe, expect, test } from 'vitest';
import type { Count } from '../../../../src/domain/statistics/base.ts';
import {
  compareMeans,
  compareProportions,
  toComparedMean,
} from '../../../../src/domain/statistics/compare-pairs.ts';
import { presentMean, tallyMoments } from '../../../../src/domain/statistics/moments.ts';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { question, option } from '../dataset/survey-fixture.ts';
import { APISTRAT, type School } from './apistrat.ts';
import { datasetOf, tableOf } from './crosstab/crosstab-of.ts';

const near = (actual: number | undefined, wanted: number) =>
  expect(Math.abs((actual ?? NaN) / wanted - 1)).toBeLessThan(1e-6);

const TYPES = ['E', 'H', 'M'];
const choices = (code: string, values: readonly string[]) =>
  question(
    'single_choice',
    code,
    values.map((value, index) => option(index + 1, { value })),
  );
const dataset = datasetOf(
  [
    choices('type', TYPES),
    choices('year', ['No', 'Yes']),
    choices('improved', ['No', 'Yes']),
    question('number', 'api00'),
    question('number', 'enroll'),
  ],
  APISTRAT.map(({ type, isYearRound, isImproved, api00, enroll }) => {
    const yesNo = (is: boolean) => (is ? 'Yes' : 'No');
    return { type, year: yesNo(isYearRound), improved: yesNo(isImproved), api00, enroll };
  }),
);
const weighBy = (weightOf: (school: School) => number) => {
  const weights = new Float64Array(dataset.capacity);
  APISTRAT.forEach((school, row) => (weights[row] = weightOf(school)));
  return weights;
};
const SAMPLING = weighBy(({ pw }) => pw);
/** Varies within the school types. */
const BY_STUDENTS = weighBy(({ enroll }) => enroll);

// R 4.2.2, survey 4.1.1; d <- svydesign(~1, weights = ~pw, data = apistrat), e with weights = ~enroll
describe('letters of weighted shares', () => {
  test.each<[string, Float64Array, [number, number, number]]>([
    // for each pair: s <- update(subset(d, stype %in% pair), stype = factor(stype)); svychisq(~yr.rnd + stype, s)$p.value
    ['year', SAMPLING, [5.61971851528e-3, 0.0180994618069, 0.560005806868]],
    ['improved', SAMPLING, [1.47446705292e-6, 1.14444953373e-3, 0.158717076757]],
    ['improved', BY_STUDENTS, [2.20448465607e-6, 1.86877451871e-4, 0.326151046224]],
  ])('have the p value of svychisq on the two columns: %s', (row, weights, wanted) => {
    const table = tableOf(dataset, { rows: [row], columns: ['type'], weights });
    for (const { tests } of table.rows)
      wanted.forEach((pValue, pair) => near(tests?.[pair]?.p_value, pValue));
  });

  test('equal the chi-square of their own table, which does not change when it is transposed', () => {
    // svychisq(~yr.rnd + I(stype == "H"), d)$p.value
    const wanted = 0.0124628210816;
    const table = tableOf(dataset, { rows: ['type'], columns: ['year'], weights: SAMPLING });
    near(table.rows[1]?.tests?.[0]?.p_value, wanted);
    const own = datasetOf(
      [choices('high', ['No', 'Yes']), choices('year', ['No', 'Yes'])],
      APISTRAT.map(({ type, isYearRound }) => ({
        high: type === 'H' ? 'Yes' : 'No',
        year: isYearRound ? 'Yes' : 'No',
      })),
    );
    for (const [rows, columns] of [
      ['high', 'year'],
      ['year', 'high'],
    ] as const) {
      const two = tableOf(own, { rows: [rows], columns: [columns], weights: SAMPLING });
      near(two.chi_square?.p_value, wanted);
      for (const { tests } of two.rows) near(tests?.[0]?.p_value, wanted);
    }
  });
});

describe('letters of weighted means', () => {
  test.each<[string, Float64Array, [number, number][]]>([
    // svyttest(api00 ~ stype, s): t (of the first column against the second here) and p
    [
      'api00',
      SAMPLING,
      [
        [2.4569767484675, 0.0151668773611],
        [1.8276967800962, 0.0696090788546],
        [-0.478441292253, 0.633401803937],
      ],
    ],
    [
      'enroll',
      SAMPLING,
      [
        [-9.45210692565, 7.00107834745e-17],
        [-7.17855940109, 3.1664490405e-11],
        [4.46612599645, 2.13524492598e-5],
      ],
    ],
    [
      'api00',
      BY_STUDENTS,
      [
        [1.66667956497, 0.0976930540304],
        [1.29492594999, 0.197362239439],
        [-0.323169713798, 0.747255272907],
      ],
    ],
  ])('have t and p of svyttest: %s', (row, weights, wanted) => {
    const table = tableOf(dataset, { rows: [row], columns: ['type'], weights });
    wanted.forEach(([t, pValue], pair) => {
      near(table.mean?.tests?.[pair]?.t, t);
      near(table.mean?.tests?.[pair]?.p_value, pValue);
    });
  });

  test('have the standard errors of svymean and svyby', () => {
    const table = tableOf(dataset, { rows: ['enroll'], columns: [], weights: SAMPLING });
    near(table.mean?.total.mean ?? undefined, 595.282137);
    near(table.mean?.total.se ?? undefined, 26.563174);
    const byType = tableOf(dataset, { rows: ['api00'], columns: ['type'], weights: BY_STUDENTS });
    // svyby(~api00, ~stype, e, svymean)
    const wanted = [13.706474306, 18.7090690989, 18.765048954];
    byType.mean?.cells.forEach(({ se }, index) => near(se ?? undefined, wanted[index] ?? NaN));
  });
});

describe('a column with an effective base under 20', () => {
  test('is compared by effective bases, as a note says', () => {
    const few = datasetOf(
      [choices('type', TYPES), choices('year', ['No', 'Yes'])],
      APISTRAT.filter((_, index) => index % 4 === 0).map(({ type, isYearRound }) => ({
        type,
        year: isYearRound ? 'Yes' : 'No',
      })),
    );
    const weights = weighBy(({ pw }) => pw);
    const { notes } = tableOf(few, { rows: ['year'], columns: ['type'], weights });
    expect(notes.map(({ code }) => code)).toContain('small_effective_base');
  });
});

/** Shares of significant comparisons at 5 % where the hypothesis holds, in percent. */
function errorRate(isSignificant: (random: () => number) => boolean): number {
  const random = randomNumbers(20_261_128);
  const rounds = 2_000;
  let significant = 0;
  for (let round = 0; round < rounds; round++) if (isSignificant(random)) significant += 1;
  return (100 * significant) / rounds;
}

type Draw = (random: () => number) => { value: number; weight: number };
const SIZE = 250;
const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Population share 0.3 in every column. */
const SHARES: Record<string, Draw> = {
  'equal weights': (random) => ({ value: Number(random() < 0.3), weight: 1 }),
  'weights that vary by chance': (random) => ({
    value: Number(random() < 0.3),
    weight: Math.exp(0.6 * normal(random)),
  }),
  'weights that correct an oversample of the answer': (random) => {
    const value = Number(random() < 0.6);
    return { value, weight: value === 1 ? 0.3 / 0.6 : 0.7 / 0.4 };
  },
  'weights that correct an undersample of the answer': (random) => {
    const value = Number(random() < 0.1);
    return { value, weight: value === 1 ? 0.3 / 0.1 : 0.7 / 0.9 };
  },
};
/** Population mean 0 in every column. */
const MEANS: Record<string, Draw> = {
  'equal weights': (random) => ({ value: normal(random), weight: 1 }),
  'weights that vary by chance': (random) => ({
    value: normal(random),
    weight: Math.exp(0.6 * normal(random)),
  }),
  // Drawn with a density proportional to e^(x/2): normal around 1/2, weighted back.
  'weights that relate to the answer': (random) => {
    const value = normal(random) + 0.5;
    return { value, weight: Math.exp(-0.5 * value) };
  },
};
const pairsOf = (names: readonly string[]) =>
  names.flatMap((first, index) => names.slice(index).map((second): [string, string] => [first, second]));

describe('of comparisons of equal columns, 3 to 8 % are significant at 5 %', () => {
  const countOf = (draw: Draw, random: () => number) => {
    const base: Count = { count: 0, weight: 0, squaredWeight: 0 };
    const part: Count = { ...base };
    for (let index = 0; index < SIZE; index++) {
      const { value, weight } = draw(random);
      for (const count of value === 1 ? [base, part] : [base]) {
        count.count += 1;
        count.weight += weight;
        count.squaredWeight += weight * weight;
      }
    }
    return { base, part };
  };
  test.each(pairsOf(Object.keys(SHARES)))('shares: %s, %s', (first, second) => {
    const rate = errorRate((random) => {
      const columns = [first, second].map((name) => countOf(SHARES[name]!, random));
      const design = { size: 2 * SIZE, columnSizes: [SIZE, SIZE] };
      const { pairs } = compareProportions(columns, { minBase: 0, correction: 'none', design });
      return (pairs[0]?.pValue ?? 1) < 0.05;
    });
    expect(rate).toBeGreaterThan(3);
    expect(rate).toBeLessThan(8);
  });

  test.each(pairsOf(Object.keys(MEANS)))('means: %s, %s', (first, second) => {
    const rate = errorRate((random) => {
      const columns = [first, second].map((name) => {
        const drawn = Array.from({ length: SIZE }, () => MEANS[name]!(random));
        const weights = Float64Array.from(drawn, ({ weight }) => weight);
        const moments = tallyMoments({
          values: Float64Array.from(drawn, ({ value }) => value),
          counts: new Float64Array(SIZE).fill(1),
          weights,
          squaredWeights: weights.map((weight) => weight * weight),
        });
        return toComparedMean(presentMean(moments, 2 * SIZE));
      });
      const { pairs } = compareMeans(columns, { minBase: 0, correction: 'none' });
      return (pairs[0]?.pValue ?? 1) < 0.05;
    });
    expect(rate).toBeGreaterThan(3);
    expect(rate).toBeLessThan(8);
  });
});
