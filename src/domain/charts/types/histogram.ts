import { notAllowedFor } from '../../../lib/error-messages.ts';
import { invalid, unprocessableField } from '../../../lib/errors.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { selectCountedRows } from '../../statistics/base.ts';
import { isMeasure } from '../../statistics/crosstab/variable-axis.ts';
import { computeHistogram, freedmanDiaconis, type Histogram, MAX_BINS } from '../../statistics/histogram.ts';
import { type Tally, tallyNumbers } from '../../statistics/tally.ts';
import { type ChartSettings, computeChartFigures } from '../chart.ts';
import {
  addConfigIssue,
  type ChartOptions,
  type ConfigContext,
  type FigureConfig,
  isCounting,
} from '../chart-config.ts';
import type { ChartFigures } from '../chart-data.ts';
import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
  textWidth,
} from '../drawing/chart-drawing.ts';
import type { ChartPlan } from '../figures/chart-plan.ts';
import { categoryAxis, drawClassBars, seriesFill, valueAxis } from '../drawing/bars.ts';
import { readMeasureValues } from '../figures/measure.ts';
import { type FigureColumn, figureColumns, formatFigure, formatNumber } from '../figures/figure-texts.ts';
import { figureType } from './figure-type.ts';
import { trimCharactersEnd } from '../../../lib/trim-characters.ts';

/** The distribution of a number in classes of equal width; of a scale or an NPS, in its points. */
export const histogramType = figureType({
  type: 'histogram',
  name: 'Histogram',
  layout: 'categories',
  checkConfig,
  checkPlan,
  figures: computeFigures,
  draw: drawHistogram,
  nativeWriter: 'histogram',
  columns: withCumulativePercents,
  example: { title: 'Age', config: { dimension: 'Q2', options: { bins: 10 } } },
});

function checkConfig({ aggregation, options, ...config }: FigureConfig, context: ConfigContext): void {
  for (const name of ['series', 'nets', 'compare'] as const)
    if (config[name] !== undefined)
      addConfigIssue(context, [name], `a histogram shows one distribution and has no ${name}`);
  if (aggregation !== undefined && !isCounting(aggregation.function))
    addConfigIssue(
      context,
      ['aggregation', 'function'],
      `${aggregation.function} ${notAllowedFor('a histogram', 'use count or percent')}`,
    );
  if (options.sort !== 'original')
    addConfigIssue(
      context,
      ['options', 'sort'],
      notAllowedFor('a histogram', 'its classes are in the order of their values'),
    );
  if (options.limit !== undefined)
    addConfigIssue(context, ['options', 'limit'], notAllowedFor('a histogram', 'set options.bins'));
  if (options.bins === 'none')
    addConfigIssue(context, ['options', 'bins'], notAllowedFor('a histogram', 'use a bar chart'));
}

/** A number, or a question whose points are numbers: a scale or an NPS. */
function checkPlan({ dimension, composite, config }: ChartPlan): void {
  const { entry, field } = dimension;
  const { columnCode, type, measure } = entry.spec;
  if (composite !== null || type !== 'number' || measure === 'nominal')
    throw unprocessableField(
      'no_number',
      field,
      `a histogram shows the distribution of a number; ${columnCode} is not a number`,
    );
  if (!isMeasure(entry) && config.options.bins !== 'auto')
    throw invalid('options.bins', notAllowedFor(columnCode, 'each of its points is a class'));
}

function* computeFigures(
  dataset: Dataset,
  plan: ChartPlan,
  settings: ChartSettings,
): Generator<void, ChartFigures> {
  const { entry } = plan.dimension;
  const column = dataset.column(entry);
  if (column.kind !== 'numeric' || !isMeasure(entry))
    return yield* computeChartFigures(dataset, plan, settings);
  const { mask, weights } = settings.counting;
  const values = readMeasureValues(column, mask.length);
  const tally = tallyNumbers(values, selectCountedRows(mask, weights));
  const bins = chooseClasses(tally, plan.config.options.bins);
  yield;
  return yield* computeChartFigures(dataset, { ...plan, bins }, settings);
}

/**
 * The classes with round bounds whose number is nearest to the wanted one. Unlike other charts, a histogram has classes however few
 * different values there are. Returns 'none' if all values are equal.
 */
function chooseClasses(tally: Tally, bins: ChartOptions['bins']): ChartPlan['bins'] {
  const isAutomatic = typeof bins !== 'number';
  const classes = isAutomatic ? freedmanDiaconis(tally) : bins;
  const wanted = Math.min(classes, MAX_BINS);
  let nearest: Histogram | null = null;
  const distance = ({ breaks }: Histogram) => Math.abs(breaks.length - 1 - wanted);
  // The width is rounded up, so that a larger number gives the next narrower width.
  for (let count = wanted; count <= MAX_BINS; count++) {
    const histogram = computeHistogram(tally, count);
    if (histogram === null) return 'none';
    if (nearest === null || distance(histogram) < distance(nearest)) nearest = histogram;
  }
  if (nearest === null) return 'none';
  return { ...nearest, method: isAutomatic ? 'freedman_diaconis' : 'fixed', classes };
}

/**
 * Adds the percentages up to each class. Not if classes are missing (small groups are hidden) or percentages are rounded, because the sums
 * would be wrong.
 */
function withCumulativePercents(figures: ChartFigures, decimals: number | undefined): FigureColumn[] {
  const columns = figureColumns(figures, decimals);
  const { categories, series, notes } = figures;
  const [first] = series;
  const percents = first?.percents.filter((percent) => percent !== null) ?? [];
  const isIncomplete =
    percents.length < categories.length ||
    categories.some(({ is_rest: isRest }) => isRest) ||
    notes.some(({ code }) => code === 'rounded');
  if (first === undefined || isIncomplete || percents.length === 0) return columns;
  let sum = 0;
  const sums = percents.map((percent) => (sum += percent));
  const cumulative: FigureColumn = {
    name: 'Cumulative percent',
    letter: null,
    value: (row) => sums[row] ?? null,
    text: (row) => formatFigure(sums[row] ?? 0, 'percent', decimals),
    letters: () => [],
    base: first.base,
  };
  return [...columns, cumulative];
}

const VALUE_AXIS = 40;
const TICK = 4;

/** Adjacent bars with the bounds of the classes below their edges. Points of a scale have their names below the bars. */
function drawHistogram(chart: DrawableChart): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const { categories, binning } = figures;
  const values = figures.series[0]?.values ?? [];
  // Bounds can only be at the edges if no class is hidden.
  if (binning === undefined || binning.breaks.length !== categories.length + 1) return drawClassBars(chart);
  const bounds = binning.breaks.map((bound) => formatNumber(bound, decimalsOf(binning.width)));
  const texts = values.map((value) => (value === null ? '–' : formatValue(chart, value)));
  const widest = Math.max(...texts.map((text) => textWidth(text, FONT_SIZE)));
  const half = Math.max(...bounds.map((bound) => textWidth(bound, FONT_SIZE))) / 2 + 2;
  const isLabeled = showsValues(chart) && widest + 4 <= (width - 2 * half) / values.length;
  const left = isLabeled ? half : Math.max(VALUE_AXIS, half);
  const step = Math.ceil((2 * half + 10) / ((width - left - half) / values.length));
  const isShown = (index: number) => index % step === 0;
  const greatest = Math.max(...values.map((value) => value ?? 0));
  const { fill } = seriesFill(chart, 0);
  const top = isLabeled ? 22 : 8;
  const bottom = LINE_HEIGHT + TICK + 8;
  const bars = categoryAxis(chart, []);
  return {
    width,
    height: Math.max(chart.height, top + bottom + 120),
    option: {
      ...STATIC_CHART,
      grid: { left, right: half, top, bottom, outerBoundsMode: 'none' },
      xAxis: [
        { ...bars, data: values.map((_, index) => String(index)), axisLabel: { show: false } },
        {
          ...categoryAxis(chart, bounds),
          position: 'bottom',
          boundaryGap: false,
          axisTick: { show: true, length: TICK, interval: isShown, lineStyle: { color: theme.line } },
          axisLabel: {
            ...categoryAxis(chart, bounds).axisLabel,
            formatter: (index: string) => (isShown(Number(index)) ? (bounds[Number(index)] ?? '') : ''),
          },
        },
      ],
      yAxis: { ...valueAxis(chart, !isLabeled), min: 0, max: isLabeled ? greatest || 1 : undefined },
      series: [
        {
          ...STATIC_SERIES,
          type: 'bar',
          // Pixels.
          barCategoryGap: 2,
          data: values.map((value, index) => ({
            value: value ?? 0,
            itemStyle: { color: options.colors?.[index] ?? fill },
            label: {
              show: isLabeled,
              position: 'top',
              color: theme.text,
              fontSize: FONT_SIZE,
              fontWeight: 600,
              formatter: texts[index],
            },
          })),
        },
      ],
    },
  };
}

/** The decimals of the multiples of a width of 1, 2, 2.5 or 5 times a power of ten. */
const decimalsOf = (width: number): number =>
  trimCharactersEnd(width.toFixed(12), /0/).split('.')[1]?.length ?? 0;
