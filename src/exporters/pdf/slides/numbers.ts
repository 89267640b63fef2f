import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import { drawSparkline } from '../../../domain/charts/drawing/sparkline.ts';
import type { DeckNumber, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import type { Pen } from '../pen.ts';
import { paintSvg } from '../svg-painter.ts';
import type { DrawSvg } from './chart.ts';
import { drawProse } from './prose.ts';
import { drawSource } from './source.ts';

type Numbers = Extract<DeckSlide, { type: 'key-figures' }>;

const GAP = 20;
const PADDING = 18;
const HIGHEST = 210;
const GOOD = '#17694a';
const WRONG = '#b3261e';

/** Cards, up to four in a row, with a text below them. */
export function drawNumbers({ figures, markdown }: Numbers, body: Box, pen: Pen, drawSvg: DrawSvg): void {
  const count = figures.length;
  const across = count <= 4 ? Math.max(1, count) : Math.ceil(count / 2);
  const rows = Math.ceil(count / across);
  const room = markdown === null ? body.height : body.height * (rows > 1 ? 0.74 : 0.55);
  const width = (body.width - GAP * (across - 1)) / across;
  const height = Math.min((room - GAP * (rows - 1)) / rows, HIGHEST);
  figures.forEach((figure, place) => {
    const x = body.x + (place % across) * (width + GAP);
    const y = body.y + Math.floor(place / across) * (height + GAP);
    drawCard(figure, { x, y, width, height }, pen, drawSvg);
  });
  if (markdown !== null) {
    const y = body.y + rows * (height + GAP) + 6;
    drawProse(markdown, { ...body, y, height: body.y + body.height - y }, pen, { size: TYPE.text - 1 });
  }
}

function drawCard(
  { label, value, change, sparkline: points, source }: DeckNumber,
  box: Box,
  pen: Pen,
  drawSvg: DrawSvg,
) {
  pen.aside(() => {
    const { x, y, width, height } = pen.placed(box);
    pen.doc.roundedRect(x, y, width, height, 8).lineWidth(0.75).stroke(LIGHT_THEME.line);
  });
  const inner = { x: box.x + PADDING, y: box.y + PADDING - 4, width: box.width - 2 * PADDING };
  const bottom = box.y + box.height - PADDING + 4;
  pen.part('Sect', () => {
    let y = pen.paragraph(label, inner, {
      size: TYPE.small,
      bold: true,
      color: LIGHT_THEME.mutedText,
      maxLines: 2,
    });
    const rest = drawSource(source, { ...inner, y, height: bottom - y }, pen);
    y += 2;
    if (typeof value !== 'string') {
      pen.paragraph(
        value.problem,
        { ...inner, y: y + 6 },
        { size: TYPE.small, color: LIGHT_THEME.mutedText, maxLines: 4 },
      );
      return;
    }
    y = pen.paragraph(
      value,
      { ...inner, y },
      { size: sizeOf(value, inner.width, pen), bold: true, leading: 1.15, maxLines: 1 },
    );
    if (change !== null) {
      const color = { up: GOOD, down: WRONG, same: LIGHT_THEME.mutedText }[change.direction];
      y = pen.paragraph(change.text, { ...inner, y }, { size: TYPE.small, color, maxLines: 1 });
    }
    const left = rest.y + rest.height - y;
    if (points.filter((point) => point.value !== null).length < 2 || left < 26) return;
    const size = { width: inner.width, height: Math.min(left - 4, 44) };
    const drawing = drawSparkline(points, { theme: pen.look, ...size });
    const { x } = pen.placed({ ...inner, height: 0 });
    const place = { x, y: y + 4, scale: 1, width: size.width, isMirrored: pen.rightToLeft };
    pen.part('Figure', () => pen.seen(() => paintSvg(drawSvg(drawing, 's'), pen, place)), {
      alt: courseOf(points),
    });
  });
}

function sizeOf(value: string, width: number, pen: Pen): number {
  let size: number = TYPE.number;
  while (size > 16 && pen.width(value, { size, bold: true }) > width) size -= 2;
  return size;
}

const courseOf = (points: DeckNumber['sparkline']): string =>
  points.map(({ at, value }) => `${at}: ${value ?? '–'}`).join('; ');
