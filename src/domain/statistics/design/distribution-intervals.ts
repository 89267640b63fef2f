import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import type { Column } from '../../columns/columns.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { createNumberReader } from '../../dataset/read-numbers.ts';
import { type Base, type Count, countRows } from '../base.ts';
import { unionBaseMask } from '../crosstab/variable-axis.ts';
import type { Distribution, EstimatedStatistics } from '../distribution.ts';
import { tallyNumbers } from '../tally.ts';
import {
  type Estimates,
  estimateMeans,
  estimateTotals,
  logitError,
  promoterValues,
  standardError,
  WHOLE_SAMPLE,
} from './estimates.ts';
import {
  NO_PRECISION,
  type Precision,
  presentMeanPrecision,
  presentPrecision,
  presentSharePrecision,
  type ShareIntervalSettings,
} from './precision.ts';
import { estimateQuantile, type QuantileRule } from './quantiles.ts';
import { buildLinearizedDesign, type SampleDesign } from './sample-design.ts';

/** How intervals of figures are computed. */
export interface IntervalSettings extends ShareIntervalSettings {
  /** Null: the responses of each figure are a simple random sample. */
  design: SampleDesign | null;
  /** The responses that the figures describe: a domain of the design. */
  domain: Uint8Array;
  quantileRule: QuantileRule;
}

/** More categories have no intervals: each takes a pass over the responses. */
const MAX_CATEGORIES = 200;

/** The simple random sample of the rows with a value: `t.test` and `prop.test` of R describe it. */
function simpleRandomSample(values: Float64Array): SampleDesign {
  return buildLinearizedDesign({
    mask: Uint8Array.from(values, (value) => Number(!Number.isNaN(value))),
    weights: null,
  });
}

/** Whether a row is in the category at an index of the distribution; null: the column has no such categories. */
function membershipOf(
  column: Column,
  { categories, grouped_by: groupedBy, breaks }: Distribution,
): ((row: number, index: number) => boolean) | null {
  switch (column.kind) {
    case 'categorical': {
      const { indices } = column;
      return (row, index) => indices[row] === index;
    }
    case 'binary': {
      const numbers = categories.map(({ number }) => number);
      return (row, index) => {
        const cell = column.cell(row);
        return cell !== null && Number(cell) === numbers[index];
      };
    }
    case 'multiple':
      return (row, index) => column.has(row, index);
    case 'numeric': {
      const { values } = column;
      if (breaks !== null) {
        const last = breaks.length - 2;
        return (row, index) =>
          values[row]! >= breaks[index]! && (values[row]! < breaks[index + 1]! || index === last);
      }
      if (groupedBy !== null) return null;
      const numbers = categories.map(({ number }) => number);
      return (row, index) => values[row] === numbers[index];
    }
    case 'text':
    case 'date':
      return null;
  }
}

/** The precision of the share of a variable of 0 and 1 (NaN: not in the base), as percentages. */
function presentShare(values: Float64Array, settings: IntervalSettings): Precision {
  const design = settings.design ?? simpleRandomSample(values);
  const found = estimateMeans(design, values, WHOLE_SAMPLE, { onlyVariances: true });
  const [estimate, df] = [found.values[0]!, found.degreesOfFreedom[0]!];
  const base = countBaseOf(design, values);
  return presentSharePrecision(
    { estimate, se: standardError(found, 0), logitError: logitError(found, 0), df, base },
    settings,
  );
}

function countBaseOf({ weights }: SampleDesign, values: Float64Array): Count {
  const mask = Uint8Array.from(values, (value, row) => Number(!Number.isNaN(value) && weights[row]! > 0));
  return countRows(mask, weights);
}

function presentEstimate(estimates: Estimates, level: number) {
  const [estimate, se, df] = [
    estimates.values[0]!,
    standardError(estimates, 0),
    estimates.degreesOfFreedom[0]!,
  ];
  if (!(estimates.counts[0]! > 0)) return null;
  return { estimate, ...presentMeanPrecision({ estimate, se, df }, level) };
}

/** The statistics of the values of a domain (NaN: missing or outside of it). */
function estimateStatistics(
  values: Float64Array,
  settings: IntervalSettings,
  isNps: boolean,
): EstimatedStatistics {
  const { level, quantileRule: rule } = settings;
  const design = settings.design ?? simpleRandomSample(values);
  const onlyVariances = { onlyVariances: true };
  const counted = Uint8Array.from(values, (value, row) =>
    Number(!Number.isNaN(value) && design.weights[row]! > 0),
  );
  const tally = tallyNumbers(values, { mask: counted, weights: design.weights, withoutWeight: 0 });
  const quantile = (probability: number) => {
    const found = estimateQuantile(design, { values, tally }, { probability, rule, level });
    return (
      found && {
        estimate: found.estimate,
        ...presentPrecision(found.se ?? NaN, found.interval, found.df),
      }
    );
  };
  return {
    mean: presentEstimate(estimateMeans(design, values, WHOLE_SAMPLE, onlyVariances), level),
    sum: presentEstimate(estimateTotals(design, values, WHOLE_SAMPLE, onlyVariances), level),
    median: quantile(0.5),
    p25: quantile(0.25),
    p75: quantile(0.75),
    ...(isNps && {
      nps: presentEstimate(estimateMeans(design, promoterValues(values), WHOLE_SAMPLE, onlyVariances), level),
    }),
  };
}

/**
 * Adds standard errors and confidence intervals to the percentages of a distribution, and the estimates of its statistics. Texts, dates, numbers
 * grouped without bounds and distributions with more than 200 categories have no intervals of percentages. Yields after each pass over the
 * responses. The column must be loaded.
 */
export function* withIntervals(
  dataset: Dataset,
  entry: CatalogColumn,
  distribution: Distribution,
  settings: IntervalSettings & { base: Base },
): Generator<void, Distribution> {
  const column = dataset.column(entry);
  const { domain, base } = settings;
  const isMember = membershipOf(column, distribution);
  let { categories } = distribution;
  if (isMember !== null && categories.length <= MAX_CATEGORIES) {
    const field = entry.spec.columnCode;
    const inBase = yield* unionBaseMask(dataset, [entry], { base, mask: domain, field });
    const values = new Float64Array(domain.length);
    const added = [];
    for (const [index, category] of categories.entries()) {
      if (category.percent === null) {
        added.push({ ...category, ...NO_PRECISION });
        continue;
      }
      for (let row = 0; row < values.length; row++)
        values[row] = inBase[row] === 1 ? Number(isMember(row, index)) : NaN;
      added.push({ ...category, ...presentShare(values, settings) });
      yield;
    }
    categories = added;
  }
  if (distribution.stats === null) return { ...distribution, categories, estimates: null };
  const values = new Float64Array(domain.length);
  createNumberReader(column)(0, values);
  for (let row = 0; row < values.length; row++) if (domain[row] === 0) values[row] = NaN;
  const estimates = estimateStatistics(values, settings, distribution.stats.nps !== undefined);
  return { ...distribution, categories, estimates };
}
