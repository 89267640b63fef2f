import type { DeckNumber, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { sparkChart } from '../charts/spark-chart.ts';
import { markdownParagraphs, textHeight } from '../markdown-text.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { type Paragraph, plainParagraph } from '../text-body.ts';
import { sourceHeight } from './source-height.ts';

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
  figures.forEach((figure, place) => {
    const [row, column] = [Math.floor(place / across), place % across];
    const box = {
      x: room.x + column * (width + GAP),
      y: room.y + 8 + row * (height + GAP),
      width,
      height: height - 8,
    };
    writeNumber(figure, box, writer);
  });
  if (below > 0) {
    const y = Math.min(room.y + rows * (height + GAP), body.y + body.height - below);
    writer.text(paragraphs, { name: 'Text', box: { ...body, y, height: below }, usualSize: TYPE.text });
  }
}

function writeNumber(
  { label, value, change, sparkline, source }: DeckNumber,
  box: Box,
  writer: SlideWriter,
): void {
  const { paint } = writer.around;
  const [ink, soft] = [paint.name(paint.look.ink), paint.name(paint.look.soft)];
  const small = sourceHeight(source, box.width);
  const points = sparkline.filter((point) => point.value !== null).length > 1 ? sparkline : [];
  const spark = points.length > 0 && box.height > 150 ? SPARK_HEIGHT : 0;
  const paragraphs: Paragraph[] = [plainParagraph(label, { size: TYPE.chartTitle, fill: soft })];
  if (typeof value !== 'string')
    paragraphs.push(plainParagraph(value.problem, { size: TYPE.chartTitle, fill: ink }, { before: 6 }));
  else paragraphs.push(plainParagraph(value, { size: TYPE.number, bold: true, fill: ink }, { before: 2 }));
  if (change !== null) {
    const text = `${ARROWS[change.direction]}${change.text}`;
    paragraphs.push(plainParagraph(text, { size: TYPE.small, fill: soft }, { before: 2 }));
  }
  const rule = { ...box, height: 2 };
  writer.rule(rule, paint.look.line);
  const top = { ...box, y: box.y + 12, height: box.height - 12 - small - spark - (spark > 0 ? 8 : 0) };
  const wanted = Math.min(textHeight(paragraphs, box.width, TYPE.chartTitle) + 8, top.height);
  writer.text(paragraphs, {
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
