import { LIGHT_THEME } from '../../../domain/charts/chart-theme.ts';
import { drawSparkline } from '../../../domain/charts/drawing/sparkline.ts';
import type { DeckNumber, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas } from '../pdf-canvas.ts';
import { paintSvg } from '../svg-painter.ts';
import type { DrawSvg } from './chart.ts';
import { drawMarkdown } from './markdown.ts';
import { drawSource } from './source.ts';

type KeyFiguresSlide = Extract<DeckSlide, { type: 'key-figures' }>;

const GAP = 20;
const PADDING = 18;
const MAX_CARD_HEIGHT = 210;
const INCREASE_COLOR = '#17694a';
const DECREASE_COLOR = '#b3261e';

/** Draws cards, up to four per row, with a text below. */
export function drawKeyFigures(
  { figures, markdown }: KeyFiguresSlide,
  body: Box,
  canvas: PdfCanvas,
  drawSvg: DrawSvg,
): void {
  const count = figures.length;
  const columns = count <= 4 ? Math.max(1, count) : Math.ceil(count / 2);
  const rows = Math.ceil(count / columns);
  const cardsHeight = markdown === null ? body.height : body.height * (rows > 1 ? 0.74 : 0.55);
  const width = (body.width - GAP * (columns - 1)) / columns;
  const height = Math.min((cardsHeight - GAP * (rows - 1)) / rows, MAX_CARD_HEIGHT);
  figures.forEach((figure, index) => {
    const x = body.x + (index % columns) * (width + GAP);
    const y = body.y + Math.floor(index / columns) * (height + GAP);
    drawCard(figure, { x, y, width, height }, canvas, drawSvg);
  });
  if (markdown !== null) {
    const y = body.y + rows * (height + GAP) + 6;
    drawMarkdown(markdown, { ...body, y, height: body.y + body.height - y }, canvas, {
      size: TEXT_SIZES.text - 1,
    });
  }
}

function drawCard(
  { label, value, change, sparkline: points, source }: DeckNumber,
  box: Box,
  canvas: PdfCanvas,
  drawSvg: DrawSvg,
) {
  canvas.drawArtifact(() => {
    const { x, y, width, height } = canvas.toPageBox(box);
    canvas.doc.roundedRect(x, y, width, height, 8).lineWidth(0.75).stroke(LIGHT_THEME.line);
  });
  const content = { x: box.x + PADDING, y: box.y + PADDING - 4, width: box.width - 2 * PADDING };
  const bottom = box.y + box.height - PADDING + 4;
  canvas.withTag('Sect', () => {
    let y = canvas.drawParagraph(label, content, {
      size: TEXT_SIZES.small,
      bold: true,
      color: LIGHT_THEME.mutedText,
      maxLines: 2,
    });
    const aboveSource = drawSource(source, { ...content, y, height: bottom - y }, canvas);
    y += 2;
    if (typeof value !== 'string') {
      canvas.drawParagraph(
        value.problem,
        { ...content, y: y + 6 },
        { size: TEXT_SIZES.small, color: LIGHT_THEME.mutedText, maxLines: 4 },
      );
      return;
    }
    y = canvas.drawParagraph(
      value,
      { ...content, y },
      { size: fitSize(value, content.width, canvas), bold: true, leading: 1.15, maxLines: 1 },
    );
    if (change !== null) {
      const color = { up: INCREASE_COLOR, down: DECREASE_COLOR, same: LIGHT_THEME.mutedText }[
        change.direction
      ];
      y = canvas.drawParagraph(
        change.text,
        { ...content, y },
        { size: TEXT_SIZES.small, color, maxLines: 1 },
      );
    }
    const remainingHeight = aboveSource.y + aboveSource.height - y;
    if (points.filter((point) => point.value !== null).length < 2 || remainingHeight < 26) return;
    const size = { width: content.width, height: Math.min(remainingHeight - 4, 44) };
    const drawing = drawSparkline(points, { theme: canvas.style, ...size });
    const { x } = canvas.toPageBox({ ...content, height: 0 });
    const position = { x, y: y + 4, scale: 1, width: size.width, isMirrored: canvas.rightToLeft };
    canvas.withTag(
      'Figure',
      () => canvas.markContent(() => paintSvg(drawSvg(drawing, 's'), canvas, position)),
      {
        alt: describeSparkline(points),
      },
    );
  });
}

function fitSize(value: string, width: number, canvas: PdfCanvas): number {
  let size: number = TEXT_SIZES.number;
  while (size > 16 && canvas.measureWidth(value, { size, bold: true }) > width) size -= 2;
  return size;
}

const describeSparkline = (points: DeckNumber['sparkline']): string =>
  points.map(({ at, value }) => `${at}: ${value ?? '–'}`).join('; ');
