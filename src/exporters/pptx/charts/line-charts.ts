import { categoryNames, extremes, seriesFills } from '../../../domain/charts/drawing/bars.ts';
import { FONT_SIZE, LINE_HEIGHT, showsValues } from '../../../domain/charts/drawing/chart-drawing.ts';
import { textWidth, wrapped } from '../../../domain/charts/drawing/text-size.ts';
import { categoryAxis, valueAxis } from './axes.ts';
import { chartSpace } from './chart-space.ts';
import { DataSheet } from './data-sheet.ts';
import { NO_LABELS, type ValueLabel, valueLabels } from './labels.ts';
import { numberFormat } from './number-format.ts';
import {
  legendHeight,
  type NativeChart,
  plotPlace,
  type PlottedChart,
  seriesNames,
  wholeBox,
} from './plotted-chart.ts';

/** Above so many points figures stand at the last one only. */
const MAX_LABELLED = 12;
const DENSE_FROM = 17;
const AXIS_ROOM = 44;
const [CATEGORIES, VALUES, FAR_CATEGORIES, FAR_VALUES] = [1, 2, 3, 4];

/** Names under the axis: all where they fit, else each so many. */
function underAxis(names: readonly string[], room: number): { each: number; height: number } {
  const longest = Math.max(
    ...names.flatMap((name) => name.split(' ')).map((word) => textWidth(word, FONT_SIZE)),
    0,
  );
  if (room >= 44 && (longest <= room - 6 || longest > 90)) {
    const lines = names.map((name) => wrapped(name, room - 8, FONT_SIZE, 3).length);
    return { each: 1, height: Math.max(1, ...lines) * LINE_HEIGHT + 12 };
  }
  const widest = Math.max(...names.map((name) => textWidth(name, FONT_SIZE)), 1);
  const each = Math.ceil((Math.min(widest, 90) + 12) / Math.max(room, 1));
  return { each, height: LINE_HEIGHT + 12 };
}

function lineShape({ paint, look }: PlottedChart, fill: string, isDense: boolean): string {
  const border = isDense ? '<a:ln><a:noFill/></a:ln>' : paint.line(look.ground, 1.5);
  return [
    `<c:spPr>${paint.line(fill, 2.5)}</c:spPr>`,
    `<c:marker><c:symbol val="circle"/><c:size val="${isDense ? 4 : 8}"/><c:spPr>${paint.fill(fill)}${border}</c:spPr></c:marker>`,
  ].join('');
}

/** From where to where figures lie, with room for their labels; undefined: PowerPoint may choose. */
function range({ figures, axisMax }: PlottedChart, isLabelled: boolean, fromZero: boolean) {
  const { series } = figures;
  const known = series.flatMap(({ values }) => values).filter((value) => value !== null);
  if (known.length === 0) return { min: 0, max: 1 };
  const { least, greatest } = extremes(series.map(({ values }) => values));
  const most = Math.max(axisMax ?? -Infinity, ...known);
  if (fromZero) {
    const span = (Math.max(most, greatest) - least || 1) * 0.1;
    return { min: least, max: isLabelled || axisMax !== null ? Math.max(most, greatest) + span : undefined };
  }
  if (!isLabelled) return { min: undefined, max: axisMax ?? undefined };
  const low = Math.min(...known);
  const span = most - low || 1;
  return { min: low - span * 0.3, max: most + span * 0.2 };
}

/** A course over categories that follow each other; as an area it is filled below. */
export function lineChart(chart: PlottedChart, isArea: boolean): NativeChart {
  const { figures, paint, look, width, options } = chart;
  const { series, categories, aggregation } = figures;
  const names = categoryNames(chart);
  const titles = seriesNames(chart);
  const fills = seriesFills(chart);
  const sheet = new DataSheet(
    names,
    series.map(({ values }, place) => ({ name: titles[place]!, values })),
  );
  const isLabelled = showsValues(chart) && categories.length <= MAX_LABELLED && series.length <= 2;
  const isDense = categories.length >= DENSE_FROM;
  const half = (name: string | undefined) => Math.min(textWidth(name ?? '', FONT_SIZE), 80) / 2 + 4;
  const left = Math.max(half(names[0]), isLabelled ? 18 : AXIS_ROOM);
  const right = Math.max(half(names.at(-1)), isLabelled ? 18 : AXIS_ROOM);
  const { each, height: bottom } = underAxis(names, (width - left - right) / Math.max(1, names.length - 1));
  const top = legendHeight(chart, titles) + 12;
  /** Of two lines the upper one has its figures above, the lower one below. */
  const isLower = (place: number, index: number) => {
    const [own, other] = [series[place]!.values[index], series[1 - place]?.values[index]];
    return own != null && other != null && (own < other || (own === other && place === 1));
  };
  const labels = (place: number) =>
    series[place]!.values.map((value, index, { length }): ValueLabel | null => {
      const isShown = showsValues(chart) && (isLabelled || index === length - 1);
      if (value === null || !isShown) return null;
      return {
        format: numberFormat(value, aggregation.function, options.decimals),
        position: !isLabelled ? 'r' : isLower(place, index) ? 'b' : 't',
        ...{ size: FONT_SIZE, color: look.ink, bold: true },
      };
    });
  const ranges = (place: number) => sheet.categoryRange() + sheet.valueRange(place);
  const drawn = series.map((_, place) => {
    const number = place + (isArea ? series.length : 0);
    return `<c:ser><c:idx val="${number}"/><c:order val="${number}"/>${sheet.name(place)}${lineShape(chart, fills[place]!.fill, isDense)}${valueLabels(labels(place), paint)}${ranges(place)}<c:smooth val="0"/></c:ser>`;
  });
  const ids = `<c:axId val="${CATEGORIES}"/><c:axId val="${VALUES}"/>`;
  const opacity = series.length > 1 ? 0.12 : 0.16;
  // An area of its own would be framed on all sides: the line above it is a chart over it, of the same cells.
  const areas = series.map(
    (_, place) =>
      `<c:ser><c:idx val="${place}"/><c:order val="${place}"/>${sheet.name(place)}<c:spPr>${paint.fill(fills[place]!.fill, opacity)}<a:ln><a:noFill/></a:ln></c:spPr>${ranges(place)}</c:ser>`,
  );
  const area = `<c:areaChart><c:grouping val="standard"/><c:varyColors val="0"/>${areas.join('')}${NO_LABELS}${ids}</c:areaChart>`;
  const plots = `${isArea ? area : ''}<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${drawn.join('')}<c:marker val="1"/>${ids}</c:lineChart>`;
  const fromZero = isArea || ['count', 'percent', 'top_box', 'sum'].includes(aggregation.function);
  const { min, max } = range(chart, isLabelled, fromZero);
  const axes =
    categoryAxis({ id: CATEGORIES, crosses: VALUES, at: 'b', nameEach: each }, paint) +
    valueAxis(
      {
        id: VALUES,
        crosses: CATEGORIES,
        at: 'l',
        min,
        max,
        isShown: !isLabelled,
        isMidCategory: true,
        format: axisFormat(chart),
      },
      paint,
    );
  const without = isArea ? series.map((_, place) => place) : [];
  const legend = series.length > 1 ? { without } : null;
  return {
    xml: chartSpace(
      { plots, axes, place: plotPlace(chart, { left, right, top, bottom }), legend },
      paint,
      chart.language,
    ),
    sheet,
    box: wholeBox(chart),
    companions: [],
  };
}

/** Of an axis, whose steps are round. */
function axisFormat({ figures }: PlottedChart): string {
  const { function: name } = figures.aggregation;
  return name === 'percent' || name === 'top_box' ? '0"%"' : 'General';
}

/** Bars, and a line over them on a scale of its own. */
export function lineOverBars(chart: PlottedChart): NativeChart {
  const { figures, paint, look, width, options } = chart;
  const names = categoryNames(chart);
  const titles = seriesNames(chart);
  const fills = seriesFills(chart);
  const sheet = new DataSheet(
    names,
    figures.series.map(({ values }, place) => ({ name: titles[place]!, values })),
  );
  const band = (width - 2 * AXIS_ROOM) / Math.max(1, names.length);
  const { each, height: bottom } = underAxis(names, band);
  const top = legendHeight(chart, titles) + 12;
  const start = (place: number) =>
    `<c:ser><c:idx val="${place}"/><c:order val="${place}"/>${sheet.name(place)}`;
  const ranges = (place: number) => sheet.categoryRange() + sheet.valueRange(place);
  const bars: string[] = [];
  const drawn: string[] = [];
  figures.series.forEach(({ drawn_as: drawnAs, values }, place) => {
    const { fill } = fills[place]!;
    if (drawnAs !== 'line') {
      bars.push(
        `${start(place)}<c:spPr>${paint.fill(fill)}</c:spPr><c:invertIfNegative val="0"/>${ranges(place)}</c:ser>`,
      );
      return;
    }
    const labels = values.map((value): ValueLabel | null =>
      value === null || !showsValues(chart) || names.length > MAX_LABELLED
        ? null
        : // Of the line no function is told; two decimals suit a mean as they suit a share.
          {
            format: numberFormat(value, 'mean', options.decimals),
            position: 't',
            size: FONT_SIZE,
            color: look.ink,
            bold: true,
          },
    );
    drawn.push(
      `${start(place)}${lineShape(chart, fill, false)}${valueLabels(labels, paint)}${ranges(place)}<c:smooth val="0"/></c:ser>`,
    );
  });
  const one = `<c:axId val="${CATEGORIES}"/><c:axId val="${VALUES}"/>`;
  const two = `<c:axId val="${FAR_CATEGORIES}"/><c:axId val="${FAR_VALUES}"/>`;
  const gap = Math.round(Math.min(Math.max((band / Math.min(56, band * 0.72) - bars.length) * 100, 30), 500));
  const hasLine = drawn.length > 0;
  const plots = [
    `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${bars.join('')}<c:gapWidth val="${gap}"/>${one}</c:barChart>`,
    hasLine
      ? `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${drawn.join('')}<c:marker val="1"/>${two}</c:lineChart>`
      : '',
  ].join('');
  const axes = [
    categoryAxis({ id: CATEGORIES, crosses: VALUES, at: 'b', nameEach: each }, paint),
    valueAxis(
      {
        id: VALUES,
        crosses: CATEGORIES,
        at: 'l',
        format: axisFormat(chart),
        max: chart.axisMax ?? undefined,
      },
      paint,
    ),
    hasLine ? categoryAxis({ id: FAR_CATEGORIES, crosses: FAR_VALUES, at: 'b', isShown: false }, paint) : '',
    hasLine
      ? valueAxis({ id: FAR_VALUES, crosses: FAR_CATEGORIES, at: 'r', hasGrid: false, isFar: true }, paint)
      : '',
  ].join('');
  const place = plotPlace(chart, { left: AXIS_ROOM, right: AXIS_ROOM, top, bottom });
  return {
    xml: chartSpace(
      { plots, axes, place, legend: titles.length > 1 ? { without: [] } : null },
      paint,
      chart.language,
    ),
    sheet,
    box: wholeBox(chart),
    companions: [],
  };
}
