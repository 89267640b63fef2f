import { requireItem } from '../../lib/require-value.ts';
import type { ChartFigures } from '../../domain/charts/chart-data.ts';
import { figureTypeOf, type NativeWriter } from '../../domain/charts/registry.ts';
import { formatFigure } from '../../domain/charts/figures/figure-texts.ts';
import { chartDeckTable } from '../../domain/reports/deck-tables.ts';
import { type DeckChart, type DeckSlide, isProblem } from '../../domain/reports/deck.ts';
import { type Box, CHART_SHARE, joinSourceLines, sideBySide, TEXT_SIZES } from '../slide-page.ts';
import type { ChartCompanion, NativeChart, PlottedChart } from './charts/plotted-chart.ts';
import { layoutTable } from './deck-table.ts';
import { chartArea, type Placeholder, PLACEHOLDERS } from './layouts.ts';
import { type SlideWriter, sourceHeight, writeProblemBox } from './slide-writer.ts';
import { markdownParagraphs, plainParagraph, textHeight } from './text-body.ts';
import { mergeLabelSeries } from '../../domain/charts/drawing/chart-drawing.ts';
import { fitsVerticalBars } from '../../domain/charts/drawing/bars.ts';
import { clusteredBars, stackedBars, histogramChart } from './charts/bar-charts.ts';
import { lineChart, barLineChart } from './charts/line-charts.ts';
import { gaugeChart, radarChart, pieOrDonutChart } from './charts/pie-radar-gauge.ts';

interface ChartPlaceholders {
  chart: Placeholder;
  title: Placeholder | null;
  source: Placeholder;
}

const SINGLE_CHART: ChartPlaceholders = {
  chart: PLACEHOLDERS.chart,
  title: null,
  source: PLACEHOLDERS.source,
};
const TWO_CHARTS: readonly [ChartPlaceholders, ChartPlaceholders] = [
  { chart: PLACEHOLDERS.chart, title: PLACEHOLDERS.chartTitle, source: PLACEHOLDERS.source },
  {
    chart: PLACEHOLDERS.secondChart,
    title: PLACEHOLDERS.secondChartTitle,
    source: PLACEHOLDERS.secondSource,
  },
];

export function writeChartSlide({
  slide,
  body,
  title,
  writer,
}: {
  slide: Extract<DeckSlide, { type: 'chart' }>;
  body: Box;
  title: string | null;
  writer: SlideWriter;
}): void {
  const { charts, markdown } = slide;
  const [first, second] = charts;
  if (first === undefined) return;
  const paragraphs = markdown === null ? [] : markdownParagraphs(markdown, writer.context.palette);
  if (second === undefined) {
    const [chartBox, textBox] = paragraphs.length === 0 ? [body, null] : sideBySide(body, CHART_SHARE);
    writeChart({
      chart: first,
      box: chartBox,
      placeholders: SINGLE_CHART,
      showsTitle: first.title !== title,
      writer,
    });
    if (textBox !== null)
      writer.addText(paragraphs, {
        name: 'Text',
        placeholder: PLACEHOLDERS.text,
        box: textBox,
        fontSize: TEXT_SIZES.text,
      });
    return;
  }
  const textBelowHeight =
    paragraphs.length === 0
      ? 0
      : Math.min(textHeight(paragraphs, body.width, TEXT_SIZES.chartTitle) + 6, body.height * 0.3);
  const upper = { ...body, height: body.height - (textBelowHeight === 0 ? 0 : textBelowHeight + 14) };
  sideBySide(upper, 0.5).forEach((box, index) => {
    const chart = index === 0 ? first : second;
    writeChart({ chart, box, placeholders: requireItem(TWO_CHARTS, index), showsTitle: true, writer });
  });
  if (textBelowHeight > 0) {
    const box = { ...body, y: body.y + body.height - textBelowHeight, height: textBelowHeight };
    writer.addText(paragraphs, { name: 'Text', box, fontSize: TEXT_SIZES.chartTitle });
  }
}

function writeChart({
  chart,
  box,
  placeholders,
  showsTitle,
  writer,
}: {
  chart: DeckChart;
  box: Box;
  placeholders: ChartPlaceholders;
  showsTitle: boolean;
  writer: SlideWriter;
}): void {
  const { palette } = writer.context;
  const title = showsTitle && chart.title !== null && chart.title !== '' ? chart.title : null;
  const heightOfSource = sourceHeight(chart.source, box.width);
  const area = chartArea(box, { hasTitle: title !== null, sourceHeight: heightOfSource });
  if (title !== null) {
    const format =
      placeholders.title === null
        ? { size: TEXT_SIZES.chartTitle, bold: true, fill: palette.colorName(palette.style.text) }
        : {};
    writer.addText([plainParagraph(title, format)], {
      name: 'Chart title',
      box: area.title,
      fontSize: TEXT_SIZES.chartTitle,
      ...(placeholders.title !== null && { placeholder: placeholders.title }),
    });
  }
  writeFigures({ chart, area: area.chart, placeholders, writer });
  if (chart.source.length > 0)
    writer.addText([plainParagraph(joinSourceLines(chart.source), {}, { before: 0 })], {
      name: 'Source',
      placeholder: placeholders.source,
      box: area.source,
      fontSize: TEXT_SIZES.source,
      anchor: 'b',
    });
}

function writeFigures({
  chart,
  area,
  placeholders,
  writer,
}: {
  chart: DeckChart;
  area: Box;
  placeholders: ChartPlaceholders;
  writer: SlideWriter;
}): void {
  const { palette } = writer.context;
  const { figures, options, axisMax, alt } = chart;
  if (isProblem(figures)) {
    writeProblemBox([null, figures.problem], area, writer);
    return;
  }
  const emptyMessage = emptyChartMessage(figures);
  if (emptyMessage !== null) {
    writeProblemBox(emptyMessage, area, writer);
    return;
  }
  if (figureTypeOf(figures).view === 'number') {
    const value = figures.series[0]?.values[0] ?? null;
    const text = value === null ? '–' : formatFigure(value, figures.aggregation.function, options.decimals);
    const format = { size: 88, bold: true, fill: palette.colorName(palette.style.text) };
    writer.addText([plainParagraph(text, format, { align: 'center' })], {
      name: 'Figure',
      box: area,
      anchor: 'ctr',
    });
    return;
  }
  const native = createNativeChart({
    figures,
    options,
    theme: palette.style,
    palette,
    axisMax,
    width: area.width,
    height: area.height,
  });
  if (native === null) {
    const { table, height } = layoutTable(
      chartDeckTable(figures, { decimals: options.decimals }),
      area,
      palette,
    );
    writer.addTable(table, { box: { ...area, height: Math.min(height, area.height) }, alt });
    return;
  }
  const toSlideBox = ({ x, y, width, height }: Box): Box => ({ x: area.x + x, y: area.y + y, width, height });
  const title = chart.title ?? figures.dimension.label;
  writer.addChart(native, { box: toSlideBox(native.box), alt, title, placeholder: placeholders.chart });
  for (const companion of native.companions)
    writeCompanion({ companion, box: toSlideBox(companion.box), alt, writer });
}

function writeCompanion({
  companion,
  box,
  alt,
  writer,
}: {
  companion: ChartCompanion;
  box: Box;
  alt: string;
  writer: SlideWriter;
}): void {
  if (companion.kind === 'text') {
    writer.addText(companion.paragraphs, { name: companion.name, box, anchor: companion.anchor });
    return;
  }
  const { palette } = writer.context;
  const { entries } = companion;
  const row = Math.min(26, box.height / Math.max(1, entries.length));
  const size = Math.max(8, Math.min(13, Math.floor(row * 0.52)));
  const textColor = palette.colorName(palette.style.text);
  const lines = entries.map(({ fill, figure, name }) => ({
    cells: [
      {
        paragraphs: [
          plainParagraph(
            '■',
            { size: size + 2, fill: palette.colorName(fill) },
            { align: 'center', before: 0 },
          ),
        ],
      },
      {
        paragraphs: [
          plainParagraph(figure, { size, bold: true, fill: textColor }, { align: 'end', before: 0 }),
        ],
      },
      {
        paragraphs: [
          plainParagraph(name, { size, fill: palette.colorName(palette.style.mutedText) }, { before: 0 }),
        ],
      },
    ],
    height: row,
    rule: 'none' as const,
  }));
  const widths = [22, 58, Math.max(60, box.width - 80)];
  writer.addTable({ widths, lines, hasHeader: false, padding: { x: 3, y: 1 } }, { box, alt });
}

/** The message of a chart without data, as on a dashboard; null: the chart has data. */
function emptyChartMessage(figures: ChartFigures): readonly [string, string] | null {
  const { base, suppressed, categories, series } = figures;
  if (base === null || (suppressed === true && categories.length === 0))
    return ['Not shown', 'Hidden: too few respondents.'];
  if (base.unweighted > 0 && categories.length > 0 && series.length > 0) return null;
  const { title, text } = figureTypeOf(figures).emptyText;
  return [title, text];
}

/** The writers by the names in the chart types. */
const WRITERS: Record<NativeWriter, (chart: PlottedChart) => NativeChart> = {
  bars: (chart) => clusteredBars(chart, !fitsVerticalBars(chart)),
  'horizontal-bars': (chart) => clusteredBars(chart, true),
  'stacked-bars': stackedBars,
  lines: (chart) => lineChart(chart, false),
  areas: (chart) => lineChart(chart, true),
  'bars-and-line': barLineChart,
  pie: (chart) => pieOrDonutChart(chart, false),
  donut: (chart) => pieOrDonutChart(chart, true),
  histogram: histogramChart,
  radar: radarChart,
  gauge: gaugeChart,
};

/** A native PowerPoint chart with its workbook; null: the figures are shown as text. */
function createNativeChart(plotted: PlottedChart): NativeChart | null {
  const chart = mergeLabelSeries(plotted);
  const { categories, series } = chart.figures;
  const { nativeWriter } = figureTypeOf(chart.figures);
  if (nativeWriter === null || categories.length === 0 || series.length === 0) return null;
  return WRITERS[nativeWriter](chart);
}
