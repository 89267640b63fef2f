import { describe, expect, it, test } from 'vitest';
import { falseDiscoveryRates } from '../../../../src/domain/insights/insights.ts';
import { selectVariables } from '../../../../src/domain/insights/variables.ts';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { option, question } from '../dataset/survey-fixture.ts';
import { tableOf } from '../statistics/crosstab/crosstab-of.ts';
import { insightsOf, lookAt, type MadeResponse, significantOnes } from './generated-data.ts';

const choices = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
const gender = question('single_choice', 'gender', choices(2));
const region = question('dropdown', 'region', [...choices(4), option(-99, { missing: true })]);
const brand = question('single_choice', 'brand', choices(5));
const uses = question('multiple_choice', 'uses', choices(3));
const price = question('scale', 'price', [], { max: 7 });
const nps = question('nps', 'nps');
const age = question('number', 'age');
const QUESTIONS = [gender, region, brand, uses, price, nps, age];

const pick = (random: () => number, count: number) => Math.floor(random() * count) + 1;

/** Independent answers. */
function nothing(random: () => number): MadeResponse['answers'] {
  return {
    gender: String(pick(random, 2)),
    region: random() < 0.05 ? '-99' : String(pick(random, 4)),
    brand: String(Math.min(pick(random, 5), pick(random, 5))),
    uses: ['1', '2', '3'].filter(() => random() < 0.4),
    price: pick(random, 7),
    nps: Math.floor(random() * 11),
    age: 18 + Math.floor(60 * random() * random()),
  };
}

const many = (count: number, make: (random: () => number, index: number) => MadeResponse, seed = 1) => {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, (_, index) => make(random, index));
};

describe('insights in planted data', () => {
  it('report a choice that differs by gender once, with shares, effect and q', () => {
    const input = lookAt(
      QUESTIONS,
      many(600, (random) => {
        const answers = nothing(random);
        return {
          answers: {
            ...answers,
            brand: answers['gender'] === '2' && random() < 0.5 ? '5' : answers['brand']!,
          },
        };
      }),
    );
    const [first, ...others] = significantOnes(insightsOf(input).findings);
    expect(first).toMatchObject({ kind: 'difference', id: 'difference:brand:gender' });
    expect(first!.figures).toMatchObject({
      answer: 'Option 5',
      group: 'Option 2',
      compared_with: 'Option 1',
    });
    expect(first!.statement).toContain('“Option 5” to “Question brand”');
    expect(first!.evidence.questionIds).toEqual([brand.id, gender.id]);
    expect(first!.evidence.qValue).toBeLessThan(0.001);
    expect(first!.evidence.effect!.value).toBeGreaterThan(0.3);
    expect(others.filter(({ id }) => id.includes('brand') && id.includes('gender'))).toEqual([]);
  });

  it('report a rating that differs by region with the means of the two most distant groups', () => {
    const input = lookAt(
      QUESTIONS,
      many(800, (random) => {
        const answers = nothing(random);
        return {
          answers: {
            ...answers,
            price: answers['region'] === '3' ? Math.min(7, pick(random, 7) + 2) : pick(random, 7),
          },
        };
      }),
    );
    const found = insightsOf(input).findings.find(({ id }) => id === 'difference:price:region')!;
    expect(found.figures).toMatchObject({ group: 'Option 3' });
    expect(Number(found.figures['difference'])).toBeGreaterThan(0.8);
    expect(found.evidence.effect).toMatchObject({ measure: 'cohens_d' });
  });

  it('report a correlate of the NPS as a driver', () => {
    const input = lookAt(
      QUESTIONS,
      many(500, (random) => {
        const answers = nothing(random);
        const rating = answers['price'] as number;
        return { answers: { ...answers, nps: Math.max(0, Math.min(10, Math.round(rating + 4 * random()))) } };
      }),
    );
    const { findings } = insightsOf(input);
    expect(findings.find(({ kind }) => kind === 'driver')).toMatchObject({
      id: 'driver:price:nps',
      evidence: { questionIds: [price.id, nps.id], effect: { measure: 'pearson_r' } },
    });
    expect(findings.filter(({ kind }) => kind === 'nps')).toHaveLength(1);
  });

  it('report a break between two waves once, not also as a difference between waves', () => {
    const waves = [1, 2, 3, 4].map((code) => ({
      code,
      value: String(code),
      number: code,
      label: `Wave ${code}`,
      missing: false,
    }));
    const input = lookAt(
      QUESTIONS,
      many(1200, (random, index) => {
        const waveId = (index % 4) + 1;
        const answers = nothing(random);
        const brandNow = waveId >= 3 && random() < 0.4 ? '4' : answers['brand']!;
        return { answers: { ...answers, brand: brandNow }, extras: { waveId } };
      }),
      { waves },
    );
    const found = significantOnes(insightsOf(input).findings);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      kind: 'trend_break',
      figures: { answer: 'Option 4', group: 'Wave 3', compared_with: 'Wave 2' },
    });
  });

  it('use options flagged as missing neither as groups nor as answers', () => {
    const input = lookAt(
      [gender, region],
      many(600, (random) => ({
        answers: {
          gender: random() < 0.5 ? '1' : '2',
          region: random() < 0.8 ? '-99' : String(pick(random, 4)),
        },
      })),
    );
    const { findings } = insightsOf(input);
    expect(JSON.stringify(findings)).not.toContain('Option -99');
  });

  it('do not report a small effect for any number of responses', () => {
    const input = lookAt(
      [gender, brand],
      many(60_000, (random) => {
        const one = pick(random, 2);
        return { answers: { gender: String(one), brand: random() < (one === 1 ? 0.5 : 0.53) ? '1' : '2' } };
      }),
    );
    const { findings, tests } = insightsOf(input);
    expect(Math.min(...tests.pValues)).toBeLessThan(1e-6);
    expect(significantOnes(findings)).toEqual([]);
  });

  it('report findings about the requested questions only', () => {
    const input = lookAt(
      QUESTIONS,
      many(500, (random) => {
        const answers = nothing(random);
        return {
          answers: {
            ...answers,
            brand: answers['gender']!,
            price: pick(random, 3) + (answers['gender'] === '1' ? 0 : 4),
          },
        };
      }),
    );
    const { findings } = insightsOf(input, new Set([price.id]));
    expect(findings.length).toBeGreaterThan(0);
    for (const { evidence } of findings) expect(evidence.questionIds).toContain(price.id);
  });
});

test('reports a relation in few of 200 random surveys', () => {
  let [sure, reported] = [0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const input = lookAt(
      QUESTIONS,
      many(250, (random) => ({ answers: nothing(random) }), seed * 7919),
    );
    const { findings, tests } = insightsOf(input);
    if (Math.min(...falseDiscoveryRates(tests.pValues)) <= 0.05) sure += 1;
    if (significantOnes(findings).length > 0) reported += 1;
  }
  // The expected share is at most one in twenty; 97 of 100 such runs have sixteen or fewer. Seeds are fixed.
  expect(sure).toBeLessThanOrEqual(16);
  // Small effects are not reported, but with 250 responses that rarely applies.
  expect(reported).toBeLessThanOrEqual(sure);
});

describe('weighted insights', () => {
  const weight = question('number', 'weight', [], { decimals: 3 });
  const imported = question('number', 'weight', [], {
    variable: { name: 'W', label: null, is_weight: true },
  });
  const patterns: ((answers: MadeResponse['answers'], random: () => number) => number)[] = [
    // Uneven for half of the respondents only.
    ({ gender: of }, random) => (of === '1' ? 1 : random() < 0.2 ? 4 : 0.25),
    // A boost sample.
    ({ region: of }) => (of === '1' ? 0.2 : 1.3),
    // Random.
    (_, random) => Math.round(1000 * (0.2 - Math.log(1 - random()))) / 1000,
  ];
  const weighted = (question: typeof weight, seed: number) => {
    const responses = many(
      300,
      (random) => {
        const answers = nothing(random);
        return { answers: { ...answers, weight: patterns[seed % 3]!(answers, random) } };
      },
      seed * 104_729,
    );
    const weights = Float64Array.from(responses, ({ answers }) => answers['weight'] as number);
    return lookAt([...QUESTIONS, question], responses, { weights });
  };

  it('report noise in no more surveys than the false discovery rate allows', () => {
    let reporting = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const { findings } = insightsOf(weighted(weight, seed), null, 'weight');
      if (significantOnes(findings).length > 0) reporting += 1;
    }
    // One in twenty of 40.
    expect(reporting).toBeLessThanOrEqual(2);
  });

  it('give a difference the p of the chi-square in the crosstab of both', () => {
    for (const measure of ['nominal', 'ordinal']) {
      const questions = [
        gender,
        question('single_choice', 'region', [...choices(2), option(-99, { missing: true })], { measure }),
      ];
      const responses = many(600, (random) => {
        const of = pick(random, 2);
        const region = random() < 0.1 ? '-99' : random() < 0.3 * of ? '1' : '2';
        return { answers: { gender: String(of), region } };
      });
      const random = randomNumbers(9);
      const weights = Float64Array.from(responses, () => 0.2 + 2 * random());
      const input = lookAt(questions, responses, { weights });
      const [found] = significantOnes(insightsOf(input).findings);
      const table = tableOf(input.dataset, { rows: ['region'], columns: ['gender'], weights });
      expect(table.chi_square!.test).toBe('rao_scott_f');
      expect(found!.evidence.pValue).toBeCloseTo(table.chi_square!.p_value, 12);
      expect(found!.evidence.effect!.value).toBeCloseTo(table.chi_square!.cramers_v, 3);
    }
  });

  it('do not use a weight as an outcome, neither the selected one nor that of an imported file', () => {
    const summarize = (question: typeof weight, used?: string) => {
      const { findings, tests } = insightsOf(weighted(question, 3), null, used);
      return {
        tests: tests.pValues.length,
        ids: findings.map(({ id }) => id).filter((id) => id.includes('weight')),
      };
    };
    const without = insightsOf(weighted(weight, 3), new Set(QUESTIONS.map(({ id }) => id)), 'weight');
    expect(summarize(weight, 'weight')).toEqual({ tests: without.tests.pValues.length, ids: [] });
    expect(summarize(imported)).toEqual({ tests: without.tests.pValues.length, ids: [] });
    // A number that is not used as a weight is an outcome.
    expect(summarize(weight).tests).toBeGreaterThan(without.tests.pValues.length);
  });
});

test('the order of the responses changes only the last digits', () => {
  const rows = many(700, (random) => {
    const answers = nothing(random);
    return {
      answers: {
        ...answers,
        nps: answers['gender'] === '1' ? 3 : 9,
        brand: String(Math.ceil((answers['price'] as number) / 2)),
      },
    };
  });
  const findingsOf = (responses: MadeResponse[]) =>
    insightsOf(lookAt(QUESTIONS, responses)).findings.map(({ id, statement }) => ({ id, statement }));
  expect(findingsOf([...rows].reverse())).toEqual(findingsOf(rows));
});

test('compares two choices in one direction only', () => {
  const { tests } = insightsOf(
    lookAt(
      [gender, brand],
      many(300, (random) => ({
        answers: { gender: String(pick(random, 2)), brand: String(pick(random, 5)) },
      })),
    ),
  );
  // Link and language are constant.
  expect(tests.tested).toEqual({ pairs: 1, of: 1, tests: 1 });
});

describe('a five-point choice', () => {
  const createResponses = (asScale: boolean) =>
    many(400, (random) => {
      const index = pick(random, 4);
      const rating = Math.min(5, pick(random, 4) + (index === 3 ? 2 : 0));
      return {
        answers: { region: String(index), rating: asScale ? rating : String(rating), nps: 2 * rating },
      };
    });
  const differences = (rating: ReturnType<typeof question>, asScale = false) =>
    insightsOf(lookAt([region, rating, nps], createResponses(asScale))).findings.filter(({ id }) =>
      id.includes('rating'),
    );

  it('has the findings of a scale if it is ordinal', () => {
    const text = 'Rating';
    const points = question('scale', 'rating', [], { max: 5 }, { text });
    const ordinal = question('single_choice', 'rating', choices(5), { measure: 'ordinal' }, { text });
    const plain = (question: typeof points, asScale?: boolean) =>
      differences(question, asScale).map(({ id, statement, figures }) => ({ id, statement, figures }));
    const ofScale = plain(points, true);
    expect(ofScale.map(({ id }) => id)).toContain('driver:rating:nps');
    for (const finding of ofScale) expect(plain(ordinal)).toContainEqual(finding);
    expect(differences(ordinal).find(({ id }) => id === 'difference:rating:region')).toMatchObject({
      figures: { group: 'Option 3' },
      evidence: { effect: { measure: 'cohens_d' } },
    });
  });

  it('is compared by shares and not correlated with a score if it is nominal', () => {
    const found = differences(question('single_choice', 'rating', choices(5)));
    expect(found.map(({ evidence }) => evidence.effect?.measure)).not.toContain('pearson_r');
    expect(
      found.find(
        ({ id }) => id.startsWith('difference:region:rating') || id.startsWith('difference:rating:region'),
      ),
    ).toMatchObject({ evidence: { effect: { measure: 'cramers_v' } } });
  });

  it('can form groups if it is ordinal, but is no key measure beside a rating', () => {
    const ages = question('single_choice', 'ages', choices(5), { measure: 'ordinal' });
    const { catalog } = lookAt([ages, price, age], []);
    const { segments, key } = selectVariables(catalog, null, null);
    expect(segments.map(({ entry }) => entry.spec.columnCode)).toContain('ages');
    expect(key?.entry.spec.columnCode).toBe('price');
  });
});

test('does not compare groups of fewer than thirty', () => {
  const responses = many(600, (_random, index) => ({
    answers: { gender: index < 29 ? '1' : '2', brand: index < 29 ? '1' : '2' },
  }));
  expect(insightsOf(lookAt([gender, brand], responses)).tests.pValues).toEqual([]);
});
