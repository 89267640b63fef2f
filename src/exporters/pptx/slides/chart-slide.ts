import type { ChartFigures } from '../../../domain/charts/chart-data.ts';
import { formatFigure } from '../../../domain/charts/format-figure.ts';
import type { DeckChart, DeckSlide } from '../../../domain/reports/deck.ts';
import { isProblem } from '../../../domain/reports/deck.ts';
import { chartDeckTable } from '../../../domain/reports/chart-deck-table.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { nativeChart } from '../charts/native-chart.ts';
import type { ChartCompanion } from '../charts/plotted-chart.ts';
import { deckTable } from '../deck-table.ts';
import { CHART_SHARE, chartRoom, PLACE, type Placeholder, sideBySide } from '../layouts.ts';
import { markdownParagraphs, textHeight } from '../markdown-text.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';
import { problemBox } from './problem-box.ts';
import { sourceHeight } from './source-height.ts';
import { sourceText } from '../../slides/source-text.ts';

interface ChartPlaces {
  chart: Placeholder;
  title: Placeholder | null;
  source: Placeholder;
}

const ONE: ChartPlaces = { chart: PLACE.chart, title: null, source: PLACE.source };
const TWO: readonly [ChartPlaces, ChartPlaces] = [
  { chart: PLACE.chart, title: PLACE.chartTitle, source: PLACE.source },
  { chart: PLACE.secondChart, title: PLACE.secondChartTitle, source: PLACE.secondSource },
];

export function chartSlide(
  slide: Extract<DeckSlide, { type: 'chart' }>,
  body: Box,
  title: string | null,
  writer: SlideWriter,
): void {
  const { charts, markdown } = slide;
  const [first, second] = charts;
  if (first === undefined) return;
  const paragraphs = markdown === null ? [] : markdownParagraphs(markdown, writer.around.paint);
  if (second === undefined) {
    const [wide, beside] = paragraphs.length === 0 ? [body, null] : sideBySide(body, CHART_SHARE);
    writeChart(first, wide, ONE, first.title !== title, writer);
    if (beside !== null)
      writer.text(paragraphs, { name: 'Text', placeholder: PLACE.text, box: beside, usualSize: TYPE.text });
    return;
  }
  const below =
    paragraphs.length === 0
      ? 0
      : Math.min(textHeight(paragraphs, body.width, TYPE.chartTitle) + 6, body.height * 0.3);
  const upper = { ...body, height: body.height - (below === 0 ? 0 : below + 14) };
  sideBySide(upper, 0.5).forEach((box, place) => {
    const chart = place === 0 ? first : second;
    writeChart(chart, box, TWO[place]!, true, writer);
  });
  if (below > 0) {
    const box = { ...body, y: body.y + body.height - below, height: below };
    writer.text(paragraphs, { name: 'Text', box, usualSize: TYPE.chartTitle });
  }
}

function writeChart(
  chart: DeckChart,
  box: Box,
  places: ChartPlaces,
  showsTitle: boolean,
  writer: SlideWriter,
): void {
  const { paint } = writer.around;
  const title = showsTitle && chart.title !== null && chart.title !== '' ? chart.title : null;
  const sources = sourceHeight(chart.source, box.width);
  const room = chartRoom(box, { hasTitle: title !== null, sourceHeight: sources });
  if (title !== null) {
    const look =
      places.title === null ? { size: TYPE.chartTitle, bold: true, fill: paint.name(paint.look.text) } : {};
    writer.text([plainParagraph(title, look)], {
      name: 'Chart title',
      box: room.title,
      usualSize: TYPE.chartTitle,
      ...(places.title !== null && { placeholder: places.title }),
    });
  }
  writeFigures(chart, room.chart, places, writer);
  if (chart.source.length > 0)
    writer.text([plainParagraph(sourceText(chart.source), {}, { before: 0 })], {
      name: 'Source',
      placeholder: places.source,
      box: room.source,
      usualSize: TYPE.source,
      anchor: 'b',
    });
}

function writeFigures(chart: DeckChart, room: Box, places: ChartPlaces, writer: SlideWriter): void {
  const { paint } = writer.around;
  const { figures, options, axisMax, alt } = chart;
  if (isProblem(figures)) {
    problemBox([null, figures.problem], room, writer);
    return;
  }
  const nothing = nothingWords(figures);
  if (nothing !== null) {
    problemBox(nothing, room, writer);
    return;
  }
  if (figures.chart_type === 'kpi') {
    const value = figures.series[0]?.values[0] ?? null;
    const text = value === null ? '–' : formatFigure(value, figures.aggregation.function, options.decimals);
    const look = { size: 88, bold: true, fill: paint.name(paint.look.text) };
    writer.text([plainParagraph(text, look, { align: 'center' })], {
      name: 'Figure',
      box: room,
      anchor: 'ctr',
    });
    return;
  }
  const native = nativeChart({
    ...{ figures, options, theme: paint.look, paint, axisMax },
    width: room.width,
    height: room.height,
  });
  if (native === null) {
    const { table, height } = deckTable(chartDeckTable(figures, { decimals: options.decimals }), room, paint);
    writer.table(table, { box: { ...room, height: Math.min(height, room.height) }, alt });
    return;
  }
  const within = ({ x, y, width, height }: Box): Box => ({ x: room.x + x, y: room.y + y, width, height });
  const title = chart.title ?? figures.dimension.label;
  writer.chart(native, { box: within(native.box), alt, title, placeholder: places.chart });
  for (const companion of native.companions) writeCompanion(companion, within(companion.box), alt, writer);
}

function writeCompanion(companion: ChartCompanion, box: Box, alt: string, writer: SlideWriter): void {
  if (companion.kind === 'text') {
    writer.text(companion.paragraphs, { name: companion.name, box, anchor: companion.anchor });
    return;
  }
  const { paint } = writer.around;
  const { entries } = companion;
  const row = Math.min(26, box.height / Math.max(1, entries.length));
  const size = Math.max(8, Math.min(13, Math.floor(row * 0.52)));
  const ink = paint.name(paint.look.text);
  const lines = entries.map(({ fill, figure, name }) => ({
    cells: [
      {
        paragraphs: [
          plainParagraph('■', { size: size + 2, fill: paint.name(fill) }, { align: 'center', before: 0 }),
        ],
      },
      { paragraphs: [plainParagraph(figure, { size, bold: true, fill: ink }, { align: 'end', before: 0 })] },
      { paragraphs: [plainParagraph(name, { size, fill: paint.name(paint.look.mutedText) }, { before: 0 })] },
    ],
    height: row,
    rule: 'none' as const,
  }));
  const widths = [22, 58, Math.max(60, box.width - 80)];
  writer.table({ widths, lines, hasHeader: false, padding: { x: 3, y: 1 } }, { box, alt });
}

/** As on the page of a dashboard; null: there is something to be shown. */
function nothingWords({
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
