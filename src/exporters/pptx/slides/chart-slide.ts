import type { ChartFigures } from '../../../domain/charts/chart-data.ts';
import { formatFigure } from '../../../domain/charts/format-figure.ts';
import type { DeckChart, DeckSlide } from '../../../domain/reports/deck.ts';
import { isProblem } from '../../../domain/reports/deck.ts';
import { chartDeckTable } from '../../../domain/reports/chart-deck-table.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { nativeChart } from '../charts/native-chart.ts';
import type { ChartCompanion } from '../charts/plotted-chart.ts';
import { layoutTable } from '../deck-table.ts';
import { CHART_SHARE, chartArea, PLACEHOLDERS, type Placeholder, sideBySide } from '../layouts.ts';
import { markdownParagraphs, textHeight } from '../markdown-text.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';
import { writeProblemBox } from './problem-box.ts';
import { sourceHeight } from './source-height.ts';
import { joinSourceLines } from '../../slides/source-text.ts';

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

export function writeChartSlide(
  slide: Extract<DeckSlide, { type: 'chart' }>,
  body: Box,
  title: string | null,
  writer: SlideWriter,
): void {
  const { charts, markdown } = slide;
  const [first, second] = charts;
  if (first === undefined) return;
  const paragraphs = markdown === null ? [] : markdownParagraphs(markdown, writer.context.palette);
  if (second === undefined) {
    const [wide, beside] = paragraphs.length === 0 ? [body, null] : sideBySide(body, CHART_SHARE);
    writeChart(first, wide, SINGLE_CHART, first.title !== title, writer);
    if (beside !== null)
      writer.addText(paragraphs, {
        name: 'Text',
        placeholder: PLACEHOLDERS.text,
        box: beside,
        usualSize: TYPE.text,
      });
    return;
  }
  const below =
    paragraphs.length === 0
      ? 0
      : Math.min(textHeight(paragraphs, body.width, TYPE.chartTitle) + 6, body.height * 0.3);
  const upper = { ...body, height: body.height - (below === 0 ? 0 : below + 14) };
  sideBySide(upper, 0.5).forEach((box, index) => {
    const chart = index === 0 ? first : second;
    writeChart(chart, box, TWO_CHARTS[index]!, true, writer);
  });
  if (below > 0) {
    const box = { ...body, y: body.y + body.height - below, height: below };
    writer.addText(paragraphs, { name: 'Text', box, usualSize: TYPE.chartTitle });
  }
}

function writeChart(
  chart: DeckChart,
  box: Box,
  places: ChartPlaceholders,
  showsTitle: boolean,
  writer: SlideWriter,
): void {
  const { palette } = writer.context;
  const title = showsTitle && chart.title !== null && chart.title !== '' ? chart.title : null;
  const sources = sourceHeight(chart.source, box.width);
  const room = chartArea(box, { hasTitle: title !== null, sourceHeight: sources });
  if (title !== null) {
    const look =
      places.title === null
        ? { size: TYPE.chartTitle, bold: true, fill: palette.colorName(palette.style.text) }
        : {};
    writer.addText([plainParagraph(title, look)], {
      name: 'Chart title',
      box: room.title,
      usualSize: TYPE.chartTitle,
      ...(places.title !== null && { placeholder: places.title }),
    });
  }
  writeFigures(chart, room.chart, places, writer);
  if (chart.source.length > 0)
    writer.addText([plainParagraph(joinSourceLines(chart.source), {}, { before: 0 })], {
      name: 'Source',
      placeholder: places.source,
      box: room.source,
      usualSize: TYPE.source,
      anchor: 'b',
    });
}

function writeFigures(chart: DeckChart, room: Box, places: ChartPlaceholders, writer: SlideWriter): void {
  const { palette } = writer.context;
  const { figures, options, axisMax, alt } = chart;
  if (isProblem(figures)) {
    writeProblemBox([null, figures.problem], room, writer);
    return;
  }
  const nothing = emptyChartMessage(figures);
  if (nothing !== null) {
    writeProblemBox(nothing, room, writer);
    return;
  }
  if (figures.chart_type === 'kpi') {
    const value = figures.series[0]?.values[0] ?? null;
    const text = value === null ? '–' : formatFigure(value, figures.aggregation.function, options.decimals);
    const look = { size: 88, bold: true, fill: palette.colorName(palette.style.text) };
    writer.addText([plainParagraph(text, look, { align: 'center' })], {
      name: 'Figure',
      box: room,
      anchor: 'ctr',
    });
    return;
  }
  const native = nativeChart({
    ...{ figures, options, theme: palette.style, palette, axisMax },
    width: room.width,
    height: room.height,
  });
  if (native === null) {
    const { table, height } = layoutTable(
      chartDeckTable(figures, { decimals: options.decimals }),
      room,
      palette,
    );
    writer.addTable(table, { box: { ...room, height: Math.min(height, room.height) }, alt });
    return;
  }
  const within = ({ x, y, width, height }: Box): Box => ({ x: room.x + x, y: room.y + y, width, height });
  const title = chart.title ?? figures.dimension.label;
  writer.addChart(native, { box: within(native.box), alt, title, placeholder: places.chart });
  for (const companion of native.companions) writeCompanion(companion, within(companion.box), alt, writer);
}

function writeCompanion(companion: ChartCompanion, box: Box, alt: string, writer: SlideWriter): void {
  if (companion.kind === 'text') {
    writer.addText(companion.paragraphs, { name: companion.name, box, anchor: companion.anchor });
    return;
  }
  const { palette } = writer.context;
  const { entries } = companion;
  const row = Math.min(26, box.height / Math.max(1, entries.length));
  const size = Math.max(8, Math.min(13, Math.floor(row * 0.52)));
  const ink = palette.colorName(palette.style.text);
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
      { paragraphs: [plainParagraph(figure, { size, bold: true, fill: ink }, { align: 'end', before: 0 })] },
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

/** As on the page of a dashboard; null: there is something to be shown. */
function emptyChartMessage({
  base,
  suppressed,
  categories,
  series,
}: ChartFigures): readonly [string, string] | null {
  if (base === null || (suppressed === true && categories.length === 0))
    return ['Not shown', 'Hidden: too few respondents.'];
  if (base.unweighted === 0 || categories.length === 0 || series.length === 0)
    return ['No answers yet', 'Nobody who is counted here has answered.'];
  return null;
}
