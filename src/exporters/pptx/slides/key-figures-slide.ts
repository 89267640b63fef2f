import { textWidth } from '../../../domain/charts/drawing/text-size.ts';
import type { DeckNumber, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { sparkChart } from '../charts/spark-chart.ts';
import { markdownParagraphs, textHeight } from '../markdown-text.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { type Paragraph, plainParagraph } from '../text-body.ts';
import { linesHeight } from './source-height.ts';

const GAP = 28;
const MAX_PER_ROW = 4;
const SPARK_HEIGHT = 48;
const ARROWS = { up: '▲ ', down: '▼ ', same: '' } as const;

/** Large numbers beside each other, four in a row at most. */
export function writeKeyFiguresSlide(
  { figures, markdown }: Extract<DeckSlide, { type: 'key-figures' }>,
  body: Box,
  writer: SlideWriter,
): void {
  const paragraphs = markdown === null ? [] : markdownParagraphs(markdown, writer.context.palette);
  const below =
    paragraphs.length === 0
      ? 0
      : Math.min(textHeight(paragraphs, body.width, TYPE.text) + 6, body.height * 0.4);
  const room = { ...body, height: body.height - (below === 0 ? 0 : below + 18) };
  const rows = Math.ceil(figures.length / MAX_PER_ROW);
  const across = Math.ceil(figures.length / Math.max(1, rows));
  const width = (room.width - GAP * (across - 1)) / across;
  const height = Math.min((room.height - GAP * (rows - 1)) / Math.max(1, rows), 250);
  const look = layoutCards(figures, width, writer);
  figures.forEach((figure, index) => {
    const [row, column] = [Math.floor(index / across), index % across];
    const box = {
      x: room.x + column * (width + GAP),
      y: room.y + 8 + row * (height + GAP),
      width,
      height: height - 8,
    };
    writeCard(figure, box, look, writer);
  });
  if (below > 0) {
    const y = Math.min(room.y + rows * (height + GAP), body.y + body.height - below);
    writer.addText(paragraphs, { name: 'Text', box: { ...body, y, height: below }, usualSize: TYPE.text });
  }
}

/** Texts are measured as in a wide typeface, which that of a report hardly is. */
const TEXT_WIDTH_FACTOR = 0.9;
const MIN_NUMBER_SIZE = 18;

/** What cards beside each other have in common, so that their figures and sources stand on one line. */
interface CardLayout {
  numberSize: number;
  /** Of label, figure and change. */
  headHeight: number;
}

function layoutCards(figures: readonly DeckNumber[], width: number, writer: SlideWriter): CardLayout {
  const fitting = figures.map(({ value }) =>
    typeof value === 'string'
      ? (TYPE.number * width) / (textWidth(value, TYPE.number) * TEXT_WIDTH_FACTOR)
      : TYPE.number,
  );
  const numberSize = Math.max(MIN_NUMBER_SIZE, Math.floor(Math.min(TYPE.number, ...fitting)));
  const heights = figures.map((figure) =>
    textHeight(cardText(figure, numberSize, writer), width, TYPE.chartTitle),
  );
  return { numberSize, headHeight: Math.max(0, ...heights) + 8 };
}

function cardText(
  { label, value, change }: DeckNumber,
  numberSize: number,
  writer: SlideWriter,
): Paragraph[] {
  const { palette } = writer.context;
  const [ink, soft] = [palette.colorName(palette.style.text), palette.colorName(palette.style.mutedText)];
  const paragraphs: Paragraph[] = [plainParagraph(label, { size: TYPE.chartTitle, fill: soft })];
  if (typeof value !== 'string')
    paragraphs.push(plainParagraph(value.problem, { size: TYPE.chartTitle, fill: ink }, { before: 6 }));
  else paragraphs.push(plainParagraph(value, { size: numberSize, bold: true, fill: ink }, { before: 2 }));
  if (change !== null) {
    const text = `${ARROWS[change.direction]}${change.text}`;
    paragraphs.push(plainParagraph(text, { size: TYPE.small, fill: soft }, { before: 2 }));
  }
  return paragraphs;
}

function writeCard(
  figure: DeckNumber,
  box: Box,
  { numberSize, headHeight }: CardLayout,
  writer: SlideWriter,
): void {
  const { label, sparkline, source } = figure;
  const { palette } = writer.context;
  const small = linesHeight(source, box.width);
  const points = sparkline.filter((point) => point.value !== null).length > 1 ? sparkline : [];
  const spark = points.length > 0 && box.height > 150 ? SPARK_HEIGHT : 0;
  const rule = { ...box, height: 2 };
  writer.addRule(rule, palette.style.line);
  const top = { ...box, y: box.y + 12, height: box.height - 12 - small - spark - (spark > 0 ? 8 : 0) };
  const wanted = Math.min(headHeight, top.height);
  writer.addText(cardText(figure, numberSize, writer), {
    name: 'Key figure',
    box: { ...top, height: wanted },
    usualSize: TYPE.chartTitle,
  });
  if (spark > 0) {
    const position = { x: box.x, y: top.y + wanted + 6, width: Math.min(box.width, 240), height: spark };
    const known = points.filter((point) => point.value !== null);
    const alt = `${label}: from ${known[0]!.value} (${known[0]!.at}) to ${known.at(-1)!.value} (${known.at(-1)!.at})`;
    writer.addChart(sparkChart(points, label, position, palette), { box: position, title: label, alt });
  }
  if (source.length > 0) {
    const y = top.y + wanted + (spark > 0 ? spark + 14 : 6);
    writer.addSmallText(source, { ...box, y, height: small }, 'Source');
  }
}
