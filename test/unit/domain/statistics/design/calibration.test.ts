import { expect, it } from 'vitest';
import { describeCalibration } from '../../../../../src/domain/statistics/design/calibration.ts';
import {
  estimateMeans,
  estimateTotals,
  standardError,
} from '../../../../../src/domain/statistics/design/estimates.ts';
import { testIndependenceUnderDesign } from '../../../../../src/domain/statistics/design/independence-under-design.ts';
import { apiclus1, clustered } from './api-designs.ts';

const base = apiclus1.numbers('pw');
const rows = Int32Array.from(base.keys());
const ones = new Float64Array(apiclus1.size).fill(1);

/** The weights of linear calibration, as `calibrate` computes them: w (1 + x'λ). */
function calibrated() {
  const x = apiclus1.numbers('api99');
  let [count, sum, squares] = [0, 0, 0];
  for (const row of rows) {
    count += base[row]!;
    sum += base[row]! * x[row]!;
    squares += base[row]! * x[row]! ** 2;
  }
  const [missing, missingSum] = [6194 - count, 3914069 - sum];
  const slope = (count * missingSum - sum * missing) / (count * squares - sum ** 2);
  const constant = (missing - slope * sum) / count;
  return base.map((weight, row) => weight * (1 + constant + slope * x[row]!));
}

// g <- calibrate(dc, ~api99, c(6194, 3914069)); svymean(~api00, g); svytotal(~enroll, g); svychisq(~stype + comp.imp, g)
it('takes what the calibration explains from the variance', () => {
  const weights = calibrated();
  const calibration = describeCalibration([ones, apiclus1.numbers('api99')], base, rows);
  const design = clustered({ weights, calibration });
  const mean = estimateMeans(design, apiclus1.numbers('api00'));
  expect(mean.values[0]).toBeCloseTo(666.717736250273, 6);
  expect(standardError(mean, 0)).toBeCloseTo(3.295880912157, 6);
  const total = estimateTotals(design, apiclus1.numbers('enroll'));
  expect(total.values[0]).toBeCloseTo(3357372.048059, 2);
  expect(standardError(total, 0)).toBeCloseTo(243227.186803, 2);
  const [types, targets] = [apiclus1.indices('stype'), apiclus1.indices('comp.imp')];
  const cells = types.indices.map((type, row) => type * 2 + targets.indices[row]!);
  const test = testIndependenceUnderDesign(design, { cells, rows: 3, columns: 2 });
  expect(test!.statistic).toBeCloseTo(4.373209206573, 6);
});
