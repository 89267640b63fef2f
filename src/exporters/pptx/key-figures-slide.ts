import { requireItem } from '../../lib/require-value.ts';
import { textWidth } from '../../domain/charts/drawing/chart-drawing.ts';
import type { DeckNumber, DeckSlide } from '../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../slide-page.ts';
import { chartOptions, type NativeChart } from './charts/plotted-chart.ts';
import { DataSheet } from './charts/chart-part.ts';
import type { Palette } from './ooxml.ts';
import { linesHeight, type SlideWriter } from './slide-writer.ts';
import { markdownParagraphs, type Paragraph, plainParagraph, textHeight } from './text-body.ts';

const GAP = 28;
const MAX_PER_ROW = 4;
const SPARK_HEIGHT = 48;
const ARROWS = { up: '▲ ', down: '▼ ', same: '' } as const;

/** Writes key figures, at most four per row. */
export function writeKeyFiguresSlide(
  { figures, markdown }: Extract<DeckSlide, { type: 'key-figures' }>,
  body: Box,
  writer: SlideWriter,
): void {
  const paragraphs = markdown === null ? [] : markdownParagraphs(markdown, writer.context.palette);
  const textHeightBelow =
    paragraphs.length === 0
      ? 0
      : Math.min(textHeight(paragraphs, body.width, TEXT_SIZES.text) + 6, body.height * 0.4);
  const area = { ...body, height: body.height - (textHeightBelow === 0 ? 0 : textHeightBelow + 18) };
  const rows = Math.ceil(figures.length / MAX_PER_ROW);
  const columns = Math.ceil(figures.length / Math.max(1, rows));
  const width = (area.width - GAP * (columns - 1)) / columns;
  const height = Math.min((area.height - GAP * (rows - 1)) / Math.max(1, rows), 250);
  const layout = layoutCards(figures, width, writer);
  figures.forEach((figure, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const box = {
      x: area.x + column * (width + GAP),
      y: area.y + 8 + row * (height + GAP),
      width,
      height: height - 8,
    };
    writeCard({ figure, box, cardLayout: layout, writer });
  });
  if (textHeightBelow > 0) {
    const y = Math.min(area.y + rows * (height + GAP), body.y + body.height - textHeightBelow);
    writer.addText(paragraphs, {
      name: 'Text',
      box: { ...body, y, height: textHeightBelow },
      fontSize: TEXT_SIZES.text,
    });
  }
}

/** Texts are measured with a wide typeface; the typeface of a report is usually narrower. */
const TEXT_WIDTH_FACTOR = 0.9;
const MIN_NUMBER_SIZE = 18;

/** The layout shared by all cards, so that figures and sources align. */
interface CardLayout {
  numberSize: number;
  /** Height of label, figure and change. */
  headHeight: number;
}

function layoutCards(figures: readonly DeckNumber[], width: number, writer: SlideWriter): CardLayout {
  const fittingSizes = figures.map(({ value }) =>
    typeof value === 'string'
      ? (TEXT_SIZES.number * width) / (textWidth(value, TEXT_SIZES.number) * TEXT_WIDTH_FACTOR)
      : TEXT_SIZES.number,
  );
  const numberSize = Math.max(MIN_NUMBER_SIZE, Math.floor(Math.min(TEXT_SIZES.number, ...fittingSizes)));
  const heights = figures.map((figure) =>
    textHeight(cardText(figure, numberSize, writer), width, TEXT_SIZES.chartTitle),
  );
  return { numberSize, headHeight: Math.max(0, ...heights) + 8 };
}

function cardText(
  { label, value, change }: DeckNumber,
  numberSize: number,
  writer: SlideWriter,
): Paragraph[] {
  const { palette } = writer.context;
  const [textColor, mutedColor] = [
    palette.colorName(palette.style.text),
    palette.colorName(palette.style.mutedText),
  ];
  const paragraphs: Paragraph[] = [plainParagraph(label, { size: TEXT_SIZES.chartTitle, fill: mutedColor })];
  if (typeof value !== 'string')
    paragraphs.push(
      plainParagraph(value.problem, { size: TEXT_SIZES.chartTitle, fill: textColor }, { before: 6 }),
    );
  else
    paragraphs.push(plainParagraph(value, { size: numberSize, bold: true, fill: textColor }, { before: 2 }));
  if (change !== null) {
    const text = `${ARROWS[change.direction]}${change.text}`;
    paragraphs.push(plainParagraph(text, { size: TEXT_SIZES.small, fill: mutedColor }, { before: 2 }));
  }
  return paragraphs;
}

function writeCard({
  figure,
  box,
  cardLayout: { numberSize, headHeight },
  writer,
}: {
  figure: DeckNumber;
  box: Box;
  cardLayout: CardLayout;
  writer: SlideWriter;
}): void {
  const { label, sparkline, source } = figure;
  const { palette } = writer.context;
  const sourceHeight = linesHeight(source, box.width);
  const points = sparkline.filter((point) => point.value !== null).length > 1 ? sparkline : [];
  const sparkHeight = points.length > 0 && box.height > 150 ? SPARK_HEIGHT : 0;
  const rule = { ...box, height: 2 };
  writer.addRule(rule, palette.style.line);
  const textArea = {
    ...box,
    y: box.y + 12,
    height: box.height - 12 - sourceHeight - sparkHeight - (sparkHeight > 0 ? 8 : 0),
  };
  const textHeightPoints = Math.min(headHeight, textArea.height);
  writer.addText(cardText(figure, numberSize, writer), {
    name: 'Key figure',
    box: { ...textArea, height: textHeightPoints },
    fontSize: TEXT_SIZES.chartTitle,
  });
  if (sparkHeight > 0) {
    const position = {
      x: box.x,
      y: textArea.y + textHeightPoints + 6,
      width: Math.min(box.width, 240),
      height: sparkHeight,
    };
    const answered = points.filter((point) => point.value !== null);
    const [first, last] = [requireItem(answered, 0), requireItem(answered, -1)];
    const alt = `${label}: from ${first.value} (${first.at}) to ${last.value} (${last.at})`;
    writer.addChart(sparkChart({ points, name: label, box: position, palette }), {
      box: position,
      title: label,
      alt,
    });
  }
  if (source.length > 0) {
    const y = textArea.y + textHeightPoints + (sparkHeight > 0 ? sparkHeight + 14 : 6);
    writer.addSmallText(source, { ...box, y, height: sourceHeight }, 'Source');
  }
}

/** A sparkline without axes. */
function sparkChart({
  points,
  name,
  box,
  palette,
}: {
  points: DeckNumber['sparkline'];
  name: string;
  box: Box;
  palette: Palette;
}): NativeChart {
  const sheet = new DataSheet(
    points.map(({ at }) => at),
    [{ name, values: points.map(({ value }) => value) }],
  );
  const values = points.map(({ value }) => value).filter((value) => value !== null);
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const padding = (greatest - least || 1) * 0.15;
  const plotArea = { x: 0.03, y: 0.05, width: 0.94, height: 0.9 };
  return {
    layers: [
      {
        type: 'line',
        data: [sheet.seriesData(0)],
        options: {
          chartColors: [palette.colorName(palette.style.accent.fill)],
          lineSize: 2,
          lineDataSymbol: 'circle',
          lineDataSymbolSize: 5,
          catAxisHidden: true,
          valAxisMinVal: least - padding,
          valAxisMaxVal: greatest + padding,
        },
      },
    ],
    options: chartOptions({ plotArea, hasLegend: false }, palette),
    labels: [[]],
    sheet,
    box,
    companions: [],
  };
}
