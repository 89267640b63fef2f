import { expect, it } from 'vitest';
import { countRows } from '../../../../../src/domain/statistics/base.ts';
import {
  estimateMeans,
  separateDomains,
  standardError,
} from '../../../../../src/domain/statistics/design/estimates.ts';
import {
  linearizedShareError,
  type Precision,
  presentMeanPrecision,
  presentSharePrecision,
} from '../../../../../src/domain/statistics/design/precision.ts';
import { buildLinearizedDesign } from '../../../../../src/domain/statistics/design/sample-design.ts';
import { randomNumbers } from '../../../../../src/lib/seeded-random.ts';

const SAMPLES = 1_500;
const CLUSTERS = 50;
const CLUSTER_SIZE = 6;
const SIZE = CLUSTERS * CLUSTER_SIZE;

const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const ones = new Uint8Array(SIZE).fill(1);

/** The share of intervals around the truth. */
function coverageOf(seed: number, truth: number, draw: (random: () => number) => Precision): number {
  const random = randomNumbers(seed);
  let covered = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { ci_low, ci_high } = draw(random);
    if (ci_low! <= truth && truth <= ci_high!) covered++;
  }
  return covered / SAMPLES;
}

function expectCoverage(...simulation: Parameters<typeof coverageOf>): void {
  const coverage = coverageOf(...simulation);
  expect(coverage).toBeGreaterThan(0.93);
  expect(coverage).toBeLessThan(0.97);
}

/** The interval of a share of 0 and 1 in the rows of a mask, with weights alone, as the cells of a table have it. */
function shareOfCell(values: Float64Array, mask: Uint8Array, weights: Float64Array | null): Precision {
  const base = countRows(mask, weights);
  const part = countRows(
    mask.map((inside, row) => inside * values[row]!),
    weights,
  );
  const size = weights === null ? base.count : SIZE;
  return presentSharePrecision(
    {
      estimate: part.weight / base.weight,
      se: linearizedShareError({ part, base }, size),
      df: base.count - 1,
      base,
    },
    { shareMethod: weights === null ? 'wilson' : 'logit', level: 95 },
  );
}

it('Wilson intervals of a column contain the share in 93 to 97 % of samples', () => {
  expectCoverage(1, 30, (random) => {
    const values = Float64Array.from({ length: SIZE }, () => Number(random() < 0.3));
    return shareOfCell(
      values,
      ones.map(() => Number(random() < 0.4)),
      null,
    );
  });
});

it('logit intervals of a weighted column contain the share in 93 to 97 % of samples', () => {
  expectCoverage(2, 30, (random) => {
    const values = Float64Array.from({ length: SIZE }, () => Number(random() < 0.3));
    const weights = values.map(() => 0.3 + 2 * random());
    return shareOfCell(
      values,
      ones.map(() => Number(random() < 0.4)),
      weights,
    );
  });
});

/** Answers that depend on the cluster, in a column of 40 % of the respondents. */
function clusteredSample(random: () => number) {
  const clusters = Int32Array.from(ones, (_, row) => Math.trunc(row / CLUSTER_SIZE));
  const effects = Float64Array.from({ length: CLUSTERS }, () => 0.6 * normal(random));
  const latent = Float64Array.from(clusters, (cluster) => effects[cluster]! + normal(random));
  const column = Int32Array.from(ones, () => (random() < 0.4 ? 0 : -1));
  const weights = latent.map(() => 0.5 + random());
  return {
    latent,
    column,
    design: buildLinearizedDesign({ mask: ones, weights, clusters }),
  };
}

it('intervals of a mean in a column of a clustered sample contain it in 93 to 97 % of samples', () => {
  expectCoverage(3, 0, (random) => {
    const { latent, column, design } = clusteredSample(random);
    const found = estimateMeans(design, latent, separateDomains(column, 1));
    const [estimate, df] = [found.values[0]!, found.degreesOfFreedom[0]!];
    return presentMeanPrecision({ estimate, se: standardError(found, 0), df }, 95);
  });
});

it('logit intervals in a column of a clustered sample contain the share in 93 to 97 % of samples', () => {
  // Half of the normal distribution is above 0.
  expectCoverage(4, 50, (random) => {
    const { latent, column, design } = clusteredSample(random);
    const values = latent.map((value) => Number(value > 0));
    const found = estimateMeans(design, values, separateDomains(column, 1));
    const [estimate, df] = [found.values[0]!, found.degreesOfFreedom[0]!];
    const base = countRows(
      Uint8Array.from(column, (index) => Number(index === 0)),
      design.weights,
    );
    return presentSharePrecision(
      { estimate, se: standardError(found, 0), df, base },
      { shareMethod: 'logit', level: 95 },
    );
  });
});
