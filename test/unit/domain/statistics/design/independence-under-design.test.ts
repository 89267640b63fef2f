import { expect, it } from 'vitest';
import {
  type DesignIndependence,
  testIndependenceUnderDesign,
} from '../../../../../src/domain/statistics/design/independence-under-design.ts';
import {
  buildLinearizedDesign,
  buildReplicateDesign,
} from '../../../../../src/domain/statistics/design/sample-design.ts';
import { testIndependence } from '../../../../../src/domain/statistics/independence.ts';
import { type DesignData, readDesignData } from '../../../../support/survey-designs.ts';
import { apiclus1, apistrat, clustered, stratified, weighted } from './api-designs.ts';

function cross(data: DesignData, row: string, column: string) {
  const [rows, columns] = [data.indices(row), data.indices(column)];
  const cells = rows.indices.map((index, at) => index * columns.levels.length + columns.indices[at]!);
  return { cells, rows: rows.levels.length, columns: columns.levels.length };
}

function expectTest(found: DesignIndependence | null, [statistic, df, df2, pValue]: readonly number[]): void {
  expect(found!.statistic).toBeCloseTo(statistic!, 6);
  expect(found!.df).toBeCloseTo(df!, 6);
  expect(found!.df2).toBeCloseTo(df2!, 4);
  expect(found!.pValue / pValue!).toBeCloseTo(1, 6);
}

// svychisq(~stype + comp.imp, svydesign(~1, weights = ~pw, data = apistrat))
it('equals the test of weighted tables without strata and clusters', () => {
  const table = cross(apistrat, 'stype', 'comp.imp');
  expectTest(
    testIndependenceUnderDesign(weighted(), table),
    [14.54414215, 1.889746441, 376.0595418, 1.452517519e-6],
  );
});

// svychisq(~sch.wide + comp.imp, ds); ~stype + comp.imp, dc
it('tests a table under strata, and under clusters', () => {
  expectTest(
    testIndependenceUnderDesign(stratified(), cross(apistrat, 'sch.wide', 'comp.imp')),
    [47.317733, 1, 197, 7.822040652e-11],
  );
  expectTest(
    testIndependenceUnderDesign(clustered(), cross(apiclus1, 'stype', 'comp.imp')),
    [3.545073723, 1.429358573, 20.01102002, 0.06135438664],
  );
});

// svychisq(~stype + sch.wide, subset(dc, stype != "H"))
it('ignores empty rows, and takes the degrees of freedom of the domain', () => {
  const isKept = apiclus1.texts('stype').map((type) => type !== 'H');
  const table = cross(apiclus1, 'stype', 'sch.wide');
  const cells = table.cells.map((cell, row) => (isKept[row] ? cell : -1));
  const found = testIndependenceUnderDesign(clustered(), { ...table, cells }, (row) => isKept[row]!);
  expectTest(found, [7.0321745088, 1, 14, 0.0189614430478]);
});

// The same data, one row per stratum, cluster, race and cholesterol with the sum of the weights, has the same totals of clusters.
// svychisq(~HI_CHOL + race, svydesign(~SDMVPSU, strata = ~SDMVSTRA, weights = ~WTMEC2YR, nest = TRUE, data = nhanes))
it('tests a table under strata and clusters, with missing answers as a domain', () => {
  const nhanes = readDesignData('nhanes');
  const [races, answers] = [nhanes.indices('race'), nhanes.numbers('chol')];
  const cells = races.indices.map((race, row) =>
    Number.isNaN(answers[row]!) ? -1 : answers[row]! * 4 + race,
  );
  const design = buildLinearizedDesign({
    mask: nhanes.mask,
    weights: nhanes.numbers('weight'),
    strata: nhanes.indices('SDMVSTRA').indices,
    clusters: nhanes.indices('SDMVPSU').indices,
  });
  expectTest(
    testIndependenceUnderDesign(design, { cells, rows: 2, columns: 4 }),
    [3.1513386217, 1.9229766794, 30.76762687, 0.0586747436855],
  );

  // With weights alone: svydesign(~1, weights = ~WTMEC2YR, data = nhanes)
  const counts = [0, 1].map((answer) =>
    [0, 1, 2, 3].map((race) => {
      const sum = { count: 0, weight: 0, squaredWeight: 0 };
      for (let row = 0; row < nhanes.size; row++) {
        if (answers[row] !== answer || races.indices[row] !== race) continue;
        sum.count += nhanes.numbers('respondents')[row]!;
        sum.weight += nhanes.numbers('weight')[row]!;
        sum.squaredWeight += nhanes.numbers('squared_weight')[row]!;
      }
      return sum;
    }),
  );
  expect(testIndependence(counts, 8591)!.pValue).toBeCloseTo(0.0035688, 7);
});

// svychisq(~stype + comp.imp, as.svrepdesign(dc, type = "JK1"))
it('tests a table with replicate weights', () => {
  const weights = apiclus1.numbers('pw');
  const { indices, levels } = apiclus1.indices('dnum');
  const replicates = levels.map((_, left) =>
    weights.map((weight, row) => (indices[row] === left ? 0 : (weight * 15) / 14)),
  );
  const scale = (14 / 15) * ((757 - 15) / 757);
  const design = buildReplicateDesign({ mask: apiclus1.mask, weights, replicates, method: 'jk1', scale });
  expectTest(
    testIndependenceUnderDesign(design, cross(apiclus1, 'stype', 'comp.imp')),
    [3.1558853432, 1.38940737, 19.45170318, 0.0799222703676],
  );
});

it('tests nothing with one row, or without degrees of freedom', () => {
  const table = cross(apistrat, 'stype', 'comp.imp');
  const first = { ...table, cells: table.cells.map((cell) => (cell < table.columns ? cell : -1)) };
  expect(testIndependenceUnderDesign(weighted(), first)).toBeNull();
  expect(testIndependenceUnderDesign(weighted(), table, (row) => row === 0)).toBeNull();
});
