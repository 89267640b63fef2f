import { textWidth } from '../../../domain/charts/drawing/text-size.ts';
import type { DeckNumber, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { sparkChart } from '../charts/spark-chart.ts';
import { markdownParagraphs, textHeight } from '../markdown-text.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { type Paragraph, plainParagraph } from '../text-body.ts';
import { linesHeight } from './source-height.ts';

const GAP = 28;
const MOST_ACROSS = 4;
const SPARK_HEIGHT = 48;
const ARROWS = { up: '▲ ', down: '▼ ', same: '' } as const;

/** Large numbers beside each other, four in a row at most. */
export function numbersSlide(
  { figures, markdown }: Extract<DeckSlide, { type: 'key-figures' }>,
  body: Box,
  writer: SlideWriter,
): void {
  const paragraphs = markdown === null ? [] : markdownParagraphs(markdown, writer.around.paint);
  const below =
    paragraphs.length === 0
      ? 0
      : Math.min(textHeight(paragraphs, body.width, TYPE.text) + 6, body.height * 0.4);
  const room = { ...body, height: body.height - (below === 0 ? 0 : below + 18) };
  const rows = Math.ceil(figures.length / MOST_ACROSS);
  const across = Math.ceil(figures.length / Math.max(1, rows));
  const width = (room.width - GAP * (across - 1)) / across;
  const height = Math.min((room.height - GAP * (rows - 1)) / Math.max(1, rows), 250);
  const look = cardLook(figures, width, writer);
  figures.forEach((figure, place) => {
    const [row, column] = [Math.floor(place / across), place % across];
    const box = {
      x: room.x + column * (width + GAP),
      y: room.y + 8 + row * (height + GAP),
      width,
      height: height - 8,
    };
    writeNumber(figure, box, look, writer);
  });
  if (below > 0) {
    const y = Math.min(room.y + rows * (height + GAP), body.y + body.height - below);
    writer.text(paragraphs, { name: 'Text', box: { ...body, y, height: below }, usualSize: TYPE.text });
  }
}

/** Texts are measured as in a wide typeface, which that of a report hardly is. */
const NARROWER = 0.9;
const LEAST_NUMBER = 18;

/** What cards beside each other have in common, so that their figures and sources stand on one line. */
interface CardLook {
  numberSize: number;
  /** Of label, figure and change. */
  headHeight: number;
}

function cardLook(figures: readonly DeckNumber[], width: number, writer: SlideWriter): CardLook {
  const fitting = figures.map(({ value }) =>
    typeof value === 'string'
      ? (TYPE.number * width) / (textWidth(value, TYPE.number) * NARROWER)
      : TYPE.number,
  );
  const numberSize = Math.max(LEAST_NUMBER, Math.floor(Math.min(TYPE.number, ...fitting)));
  const heights = figures.map((figure) =>
    textHeight(headOf(figure, numberSize, writer), width, TYPE.chartTitle),
  );
  return { numberSize, headHeight: Math.max(0, ...heights) + 8 };
}

function headOf({ label, value, change }: DeckNumber, numberSize: number, writer: SlideWriter): Paragraph[] {
  const { paint } = writer.around;
  const [ink, soft] = [paint.name(paint.look.text), paint.name(paint.look.mutedText)];
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

function writeNumber(
  figure: DeckNumber,
  box: Box,
  { numberSize, headHeight }: CardLook,
  writer: SlideWriter,
): void {
  const { label, sparkline, source } = figure;
  const { paint } = writer.around;
  const small = linesHeight(source, box.width);
  const points = sparkline.filter((point) => point.value !== null).length > 1 ? sparkline : [];
  const spark = points.length > 0 && box.height > 150 ? SPARK_HEIGHT : 0;
  const rule = { ...box, height: 2 };
  writer.rule(rule, paint.look.line);
  const top = { ...box, y: box.y + 12, height: box.height - 12 - small - spark - (spark > 0 ? 8 : 0) };
  const wanted = Math.min(headHeight, top.height);
  writer.text(headOf(figure, numberSize, writer), {
    name: 'Key figure',
    box: { ...top, height: wanted },
    usualSize: TYPE.chartTitle,
  });
  if (spark > 0) {
    const place = { x: box.x, y: top.y + wanted + 6, width: Math.min(box.width, 240), height: spark };
    const known = points.filter((point) => point.value !== null);
    const alt = `${label}: from ${known[0]!.value} (${known[0]!.at}) to ${known.at(-1)!.value} (${known.at(-1)!.at})`;
    writer.chart(sparkChart(points, label, place, paint), { box: place, title: label, alt });
  }
  if (source.length > 0) {
    const y = top.y + wanted + (spark > 0 ? spark + 14 : 6);
    writer.small(source, { ...box, y, height: small }, 'Source');
  }
}
