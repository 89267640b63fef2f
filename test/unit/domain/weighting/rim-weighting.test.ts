import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeRimWeights, type Weighting } from '../../../../src/domain/weighting/rim-weighting.ts';
import type { WeightingRequest } from '../../../../src/domain/weighting/weighting-cells.ts';
import { dimension, request } from './weighting-fixture.ts';

function weighted(weightingRequest: WeightingRequest): Weighting {
  const outcome = computeRimWeights(weightingRequest);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.weighting;
}

function problems(weightingRequest: WeightingRequest) {
  const outcome = computeRimWeights(weightingRequest);
  return outcome.ok ? [] : outcome.problems;
}

function codes({ warnings }: Weighting): string[] {
  return warnings.map(({ code }) => code);
}

function repeat<T>(times: number, value: T): T[] {
  return Array.from({ length: times }, () => value);
}

describe('the apiclus1 schools of the R package survey', () => {
  const cells = [
    { type: 'E', wide: 'No', n: 12, population: 39.83924, mean1: 1.177039 },
    { type: 'E', wide: 'Yes', n: 132, population: 29.87067, mean1: 0.882521 },
    { type: 'H', wide: 'No', n: 3, population: 67.12553, mean1: 1.983205 },
    { type: 'H', wide: 'Yes', n: 11, population: 50.3294, mean1: 1.486968 },
    { type: 'M', wide: 'No', n: 8, population: 49.06907, mean1: 1.449732 },
    { type: 'M', wide: 'Yes', n: 17, population: 36.79102, mean1: 1.086981 },
  ];
  const schools = cells.flatMap((cell) => repeat(cell.n, cell));
  const dimensions = [
    dimension(
      'stype',
      schools.map(({ type }) => type),
      { E: 4421, H: 755, M: 1018 },
    ),
    dimension(
      'sch_wide',
      schools.map(({ wide }) => wide),
      { No: 1072, Yes: 5122 },
    ),
  ];
  const weightingRequest = request(dimensions, { targetType: 'count', tolerance: 1e-10 });

  it('get the published weights with mean 1', () => {
    const { weights, converged } = weighted(weightingRequest);
    expect(converged).toBe(true);
    for (const [row, { mean1 }] of schools.entries()) expect(weights[row]).toBeCloseTo(mean1, 6);
  });

  it('get the published weights scaled to the population', () => {
    const { weights, weightedBase, minWeight } = weighted({ ...weightingRequest, scaleTo: 6194 });
    expect(weightedBase).toBe(6194);
    // The limit of E Yes, computed to 30 digits, is 29.8706755: half a unit beyond the last published digit.
    expect(minWeight).toBeCloseTo(29.8706755, 7);
    for (const [row, { population }] of schools.entries()) {
      expect(Math.abs(weights[row]! - population)).toBeLessThan(1e-5);
    }
  });

  it('have the known design effect, effective base and efficiency', () => {
    const weighting = weighted(weightingRequest);
    expect(weighting.unweightedBase).toBe(183);
    expect(weighting.designEffect).toBeCloseTo(1.051657, 6);
    expect(weighting.effectiveBase).toBeCloseTo(174.0112, 4);
    expect(weighting.weightingEfficiency).toBeCloseTo(0.950881, 6);
    expect(weighting.warnings).toEqual([]);
  });

  it('show each category before and after', () => {
    const [stype] = weighted(weightingRequest).dimensions;
    expect(stype!.categories.map(({ value, count }) => [value, count])).toEqual([
      ['E', 144],
      ['H', 14],
      ['M', 25],
    ]);
    expect(stype!.categories[0]!.unweighted).toBeCloseTo((100 * 144) / 183, 9);
    expect(stype!.categories[0]!.target).toBeCloseTo((100 * 4421) / 6194, 9);
    expect(stype!.categories[0]!.difference).toBeCloseTo(0, 6);
  });
});

/** Two or three dimensions whose crossed cells all have respondents, so that raking converges. */
const surveys = fc
  .array(fc.integer({ min: 2, max: 3 }), { minLength: 2, maxLength: 3 })
  .chain((sizes) => {
    const crossed = sizes.reduce((all, size) => all * size, 1);
    return fc.record({
      sizes: fc.constant(sizes),
      counts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: crossed, maxLength: crossed }),
      wanted: fc.tuple(
        ...sizes.map((size) =>
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: size, maxLength: size }),
        ),
      ),
    });
  })
  .map(({ sizes, counts, wanted }) => {
    const answers: string[][] = sizes.map(() => []);
    for (const [cell, count] of counts.entries()) {
      let rest = cell;
      for (const [index, size] of sizes.entries()) {
        answers[index]!.push(...repeat(count, `v${rest % size}`));
        rest = Math.floor(rest / size);
      }
    }
    return sizes.map((_, index) => {
      const total = wanted[index]!.reduce((sum, part) => sum + part, 0);
      const targets = wanted[index]!.map((part, category) => [`v${category}`, (100 * part) / total] as const);
      return dimension(`Q${index}`, answers[index]!, Object.fromEntries(targets));
    });
  });

const exact = { tolerance: 1e-12, maxIterations: 2000 };

describe('weights of any sample', () => {
  it('match every margin within the tolerance and average 1', () => {
    fc.assert(
      fc.property(surveys, (dimensions) => {
        const weightingRequest = request(dimensions, { maxIterations: 2000 });
        const weighting = weighted(weightingRequest);
        expect(weighting.converged).toBe(true);
        for (const { categories } of weighting.dimensions) {
          for (const { difference } of categories)
            expect(Math.abs(difference)).toBeLessThanOrEqual(100.001e-6);
        }
        const sum = weighting.weights.reduce((total, weight) => total + weight, 0);
        expect(sum / weighting.weights.length).toBeCloseTo(1, 10);
        expect(weighting.effectiveBase).toBeLessThanOrEqual(weighting.unweightedBase * (1 + 1e-12));
      }),
    );
  });

  it('do not change when raked again', () => {
    fc.assert(
      fc.property(surveys, (dimensions) => {
        const weightingRequest = request(dimensions, { maxIterations: 2000 });
        const { weights } = weighted(weightingRequest);
        const again = weighted({ ...weightingRequest, baseWeights: weights, tolerance: 1.01e-6 });
        expect(again.iterations).toBe(0);
        for (const [row, weight] of again.weights.entries()) expect(weight).toBeCloseTo(weights[row]!, 10);
      }),
    );
  });

  it('do not depend on the order of the dimensions', () => {
    fc.assert(
      fc.property(surveys, (dimensions) => {
        const { weights } = weighted(request(dimensions, exact));
        const reversed = weighted(request([...dimensions].reverse(), exact));
        for (const [row, weight] of reversed.weights.entries()) expect(weight).toBeCloseTo(weights[row]!, 8);
      }),
    );
  });

  it('are all 1 if the targets equal the sample', () => {
    fc.assert(
      fc.property(surveys, (dimensions) => {
        const asSampled = dimensions.map((each) => ({
          ...each,
          targets: each.targets.map(({ value }, index) => ({
            value,
            target: each.indices.filter((answer) => answer === index).length,
          })),
        }));
        const { weights, effectiveBase, unweightedBase } = weighted(
          request(asSampled, { targetType: 'count' }),
        );
        expect(weights.every((weight) => weight === 1)).toBe(true);
        expect(effectiveBase).toBe(unweightedBase);
      }),
    );
  });

  it('stay within their limits and still average 1', () => {
    fc.assert(
      fc.property(surveys, (dimensions) => {
        const limits = { minWeight: 0.6, maxWeight: 1.8 };
        const { weights } = weighted(request(dimensions, limits));
        const sum = weights.reduce((total, weight) => total + weight, 0);
        expect(sum / weights.length).toBeCloseTo(1, 10);
        expect(Math.min(...weights)).toBeGreaterThanOrEqual(0.6 - 1e-12);
        expect(Math.max(...weights)).toBeLessThanOrEqual(1.8 + 1e-12);
      }),
    );
  });
});

describe('weight limits', () => {
  const answers = [...repeat(10, 'a'), ...repeat(90, 'b')];

  it('that keep a margin more than a percentage point from its target have not converged', () => {
    const weighting = weighted(request([dimension('Q1', answers, { a: 50, b: 50 })], { maxWeight: 3 }));
    expect(weighting.converged).toBe(false);
    expect(weighting.maxWeight).toBeCloseTo(3, 10);
    expect(weighting.minWeight).toBeCloseTo(70 / 90, 10);
    expect(weighting.trimmed).toBe(10);
    expect(weighting.maxError).toBeCloseTo(0.2, 10);
    expect(weighting.dimensions[0]!.categories[0]!.difference).toBeCloseTo(-20, 8);
    const [warning] = weighting.warnings;
    expect(warning).toMatchObject({ code: 'not_converged' });
    expect(warning?.message).toContain(
      '20.0 percentage points from its target; widen min_weight and max_weight',
    );
  });

  it('that bind slightly leave a reported residual', () => {
    const weighting = weighted(request([dimension('Q1', answers, { a: 30.5, b: 69.5 })], { maxWeight: 3 }));
    expect(weighting.converged).toBe(true);
    expect(weighting.maxError).toBeCloseTo(0.005, 10);
    expect(codes(weighting)).toContain('targets_missed');
  });

  it('warn where many respondents have no value of a dimension', () => {
    const some = [...repeat(41, 'a'), ...repeat(41, 'b'), ...repeat(18, null)];
    const weighting = weighted(request([dimension('Q1', some, { a: 50, b: 50 })]));
    expect(weighting.warnings).toEqual([
      { code: 'missing_share', message: expect.stringContaining('18.0 % of the respondents (18)') as string },
    ]);
    const few = [...repeat(48, 'a'), ...repeat(48, 'b'), ...repeat(4, null)];
    expect(codes(weighted(request([dimension('Q1', few, { a: 50, b: 50 })])))).toEqual([]);
  });

  it('that are never reached change nothing', () => {
    const free = weighted(request([dimension('Q1', answers, { a: 20, b: 80 })]));
    const limited = weighted(request([dimension('Q1', answers, { a: 20, b: 80 })], { maxWeight: 3 }));
    expect(limited.trimmed).toBe(0);
    expect(limited.weights[0]).toBeCloseTo(free.weights[0]!, 12);
  });

  it.each([
    ['min_weight', { minWeight: 1.2 }],
    ['min_weight', { minWeight: -1 }],
    ['max_weight', { maxWeight: 0.9 }],
  ])('that cannot be met are rejected (%s)', (field, limits) => {
    const weightingRequest = request([dimension('Q1', answers, { a: 50, b: 50 })], limits);
    expect(problems(weightingRequest).map((problem) => problem.field)).toEqual([field]);
  });
});

describe('respondents without a value in a dimension', () => {
  const dimensions = () => [
    dimension('Q1', ['a', 'a', 'a', 'b', null, 'n'], { a: 50, b: 50 }, [{ value: 'n', missing: true }]),
  ];

  it('keep their share, and the others meet the targets', () => {
    const { weights, dimensions: tables } = weighted(request(dimensions()));
    expect([...weights].map((weight) => Number(weight.toFixed(6)))).toEqual([
      0.666667, 0.666667, 0.666667, 2, 1, 1,
    ]);
    const missing = tables[0]!.categories.at(-1)!;
    expect([missing.value, missing.count]).toEqual([null, 2]);
    expect(missing.target).toBeCloseTo(100 / 3, 10);
  });

  it('have no weight if they are excluded', () => {
    const weighting = weighted(request(dimensions(), { missing: 'exclude' }));
    expect([...weighting.weights].map(Number.isNaN)).toEqual([false, false, false, false, true, true]);
    expect(weighting.unweightedBase).toBe(4);
    expect(codes(weighting)).toContain('excluded_missing');
  });

  it('are rejected if configured as an error', () => {
    expect(problems(request(dimensions(), { missing: 'error' }))).toEqual([
      { field: 'dimensions[0].column_code', message: '2 respondents without a value in Q1' },
    ]);
  });
});

describe('base weights and filters', () => {
  const answers = ['a', 'a', 'b', 'b'];

  it('keep their proportions within a category', () => {
    const baseWeights = Float64Array.of(1, 3, 2, 2);
    const { weights } = weighted(request([dimension('Q1', answers, { a: 25, b: 75 })], { baseWeights }));
    expect([...weights]).toEqual([0.25, 0.75, 1.5, 1.5]);
  });

  it('give no weight to respondents without a base weight', () => {
    const baseWeights = Float64Array.of(1, NaN, 1, 0);
    const weighting = weighted(request([dimension('Q1', answers, { a: 50, b: 50 })], { baseWeights }));
    expect([...weighting.weights]).toEqual([1, NaN, 1, NaN]);
    expect(codes(weighting)).toEqual(['without_base_weight']);
  });

  it('give no weight to filtered respondents and do not count them', () => {
    const mask = Uint8Array.of(1, 1, 1, 0);
    const { weights, unweightedBase } = weighted(
      request([dimension('Q1', answers, { a: 50, b: 50 })], { mask }),
    );
    expect([...weights]).toEqual([0.75, 0.75, 1.5, NaN]);
    expect(unweightedBase).toBe(3);
  });
});

describe('invalid targets', () => {
  const answers = ['a', 'b', 'b'];

  it.each([
    ['not adding up to 100', dimension('Q1', answers, { a: 50, b: 50.2 }), 'dimensions[0].targets'],
    ['negative', dimension('Q1', answers, { a: -10, b: 110 }), 'dimensions[0].targets[0].target'],
    ['not a number', dimension('Q1', answers, { a: NaN, b: 100 }), 'dimensions[0].targets[0].target'],
    [
      'without respondents',
      dimension('Q1', answers, { a: 50, b: 40, c: 10 }),
      'dimensions[0].targets[2].target',
    ],
    [
      'respondents without a target',
      dimension('Q1', ['a', 'b', '__proto__'], { a: 50, b: 50 }, [{ value: '__proto__' }]),
      'dimensions[0].targets',
    ],
    [
      'of an unknown value',
      { ...dimension('Q1', answers, { a: 50, b: 50 }), targets: [{ value: 'constructor', target: 100 }] },
      'dimensions[0].targets[0].value',
    ],
    [
      'repeated for a value',
      {
        ...dimension('Q1', ['a', 'a'], { a: 100 }),
        targets: [
          { value: 'a', target: 50 },
          { value: 'a', target: 50 },
        ],
      },
      'dimensions[0].targets[1].value',
    ],
  ])('%s', (_what, wrong, field) => {
    expect(problems(request([wrong])).map((problem) => problem.field)).toEqual([field]);
  });

  it('tolerate a tenth of a percent', () => {
    expect(problems(request([dimension('Q1', answers, { a: 50, b: 49.9 })]))).toEqual([]);
    expect(problems(request([dimension('Q1', answers, { a: 50, b: 50.1 })]))).toEqual([]);
  });

  it('are all reported at once', () => {
    const twice = [dimension('Q1', answers, { a: 50, b: 40 }), dimension('Q1', answers, { a: 50, b: -50 })];
    expect(problems(request(twice)).map(({ field }) => field)).toEqual([
      'dimensions[0].targets',
      'dimensions[1].column_code',
      'dimensions[1].targets[1].target',
    ]);
  });

  it('include those that leave no respondents, or only ones with a target of 0', () => {
    const nobody = request([dimension('Q1', answers, { a: 50, b: 50 })], { mask: new Uint8Array(3) });
    expect(problems(nobody).map(({ field }) => field)).toEqual(['filter']);
    const zeros = [
      dimension('Q1', ['a', 'b'], { a: 100, b: 0 }),
      dimension('Q2', ['x', 'y'], { x: 0, y: 100 }),
    ];
    expect(problems(request(zeros)).map(({ field }) => field)).toEqual(['dimensions']);
  });
});

describe('warnings', () => {
  it('report contradictory margins', () => {
    const same = ['a', 'a', 'b', 'b'];
    const dimensions = [dimension('Q1', same, { a: 50, b: 50 }), dimension('Q2', same, { a: 20, b: 80 })];
    const weighting = weighted(request(dimensions));
    expect([weighting.converged, weighting.iterations]).toEqual([false, 50]);
    expect(codes(weighting)).toContain('not_converged');
    expect(weighting.maxError).toBeCloseTo(0.3, 10);
  });

  it('report widely varying weights', () => {
    const answers = [...repeat(2, 'a'), ...repeat(98, 'b')];
    const weighting = weighted(request([dimension('Q1', answers, { a: 50, b: 50 })]));
    expect(weighting.weightingEfficiency).toBeLessThan(0.7);
    expect(codes(weighting)).toEqual(['low_efficiency']);
  });

  it('report counts with different totals, and a target of 0', () => {
    const dimensions = [
      dimension('Q1', ['a', 'b', 'c'], { a: 10, b: 10, c: 0 }),
      dimension('Q2', ['x', 'y', 'y'], { x: 500, y: 500 }),
    ];
    const weighting = weighted(request(dimensions, { targetType: 'count' }));
    expect(codes(weighting).slice(0, 2)).toEqual(['totals_differ', 'target_zero']);
    expect([...weighting.weights]).toEqual([1.5, 1.5, 0]);
  });
});
