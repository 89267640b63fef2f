import { LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';
import { drawSparkline } from '../../domain/charts/types/variable.ts';
import { type DeckChart, type DeckNumber, type DeckSlide, isProblem } from '../../domain/reports/deck.ts';
import {
  type Box,
  CHART_SHARE,
  findChartProblem,
  joinSourceLines,
  sideBySide,
  TEXT_SIZES,
} from '../slide-page.ts';
import type { PdfCanvas } from './pdf-canvas.ts';
import { drawMarkdown } from './markdown.ts';
import { drawProblem, drawSource, paintSvg } from './slide-parts.ts';
import { createChartDrawing, figureTypeOf } from '../../domain/charts/registry.ts';
import type { ChartDrawing } from '../../domain/charts/drawing/chart-drawing.ts';
import type { ChartFigures } from '../../domain/charts/chart-data.ts';
import { formatFigure } from '../../domain/charts/figures/figure-texts.ts';
import { chartDeckTable } from '../../domain/reports/deck-tables.ts';
import { drawTable } from './table-slides.ts';

type ChartSlide = Extract<DeckSlide, { type: 'chart' }>;
/** The renderer of chart-svg.ts. */
export type DrawSvg = (drawing: ChartDrawing, name: string) => string;

export function drawCharts({
  chartSlide: { charts, markdown, title },
  body,
  canvas,
  drawSvg,
}: {
  chartSlide: ChartSlide;
  body: Box;
  canvas: PdfCanvas;
  drawSvg: DrawSvg;
}): void {
  const [first, second] = charts;
  if (first === undefined) return;
  if (second !== undefined) {
    const box = markdown === null ? body : { ...body, height: body.height * 0.78 };
    const [left, right] = sideBySide(box, 0.5);
    drawChart({ chart: first, box: left, canvas, drawSvg });
    drawChart({ chart: second, box: right, canvas, drawSvg });
    if (markdown !== null) {
      const y = box.y + box.height + 14;
      drawMarkdown(markdown, { ...body, y, height: body.y + body.height - y }, canvas, {
        size: TEXT_SIZES.small + 1,
      });
    }
    return;
  }
  const named = first.title === title ? { ...first, title: null } : first;
  if (markdown === null) return drawChart({ chart: named, box: body, canvas, drawSvg });
  const [chartBox, textBox] = sideBySide(body, CHART_SHARE);
  drawChart({ chart: named, box: chartBox, canvas, drawSvg });
  drawMarkdown(markdown, textBox, canvas, { size: TEXT_SIZES.text });
}

function drawChart({
  chart,
  box,
  canvas,
  drawSvg,
}: {
  chart: DeckChart;
  box: Box;
  canvas: PdfCanvas;
  drawSvg: DrawSvg;
}): void {
  let area = box;
  if (chart.title !== null) {
    const end = canvas.drawParagraph(chart.title, box, {
      size: TEXT_SIZES.chartTitle,
      bold: true,
      maxLines: 2,
      as: 'H2',
    });
    area = { ...box, y: end + 8, height: box.y + box.height - end - 8 };
  }
  area = drawSource([joinSourceLines(chart.source)], area, canvas);
  const problem = isProblem(chart.figures) ? chart.figures : findChartProblem(chart.figures);
  if (problem !== null) drawProblem(problem, area, canvas);
  else drawChartFigures({ chart: chart as DrawableChart, area, canvas, drawSvg });
}

type DrawableChart = DeckChart & { figures: ChartFigures };

function drawChartFigures({
  chart,
  area,
  canvas,
  drawSvg,
}: {
  chart: DrawableChart;
  area: Box;
  canvas: PdfCanvas;
  drawSvg: DrawSvg;
}): void {
  const { figures, options, alt } = chart;
  if (figureTypeOf(figures).view === 'number') {
    const value = figures.series[0]?.values[0] ?? null;
    const text = value === null ? '–' : formatFigure(value, figures.aggregation.function, options.decimals);
    const size = Math.min(area.height / 1.4, 96);
    const y = area.y + Math.max(0, (area.height - size * 1.35) / 3);
    canvas.drawParagraph(
      text,
      { ...area, y },
      { size, bold: true, color: canvas.style.accent.fill, maxLines: 1 },
    );
    return;
  }
  const fitted = fitDrawing({ chart, area, canvas, drawSvg });
  if (fitted === null)
    return drawTable(chartDeckTable(figures, { decimals: options.decimals }), area, canvas);
  const { svg, width, scale } = fitted;
  const { x } = canvas.toPageBox({ ...area, width: width * scale });
  const position = { x, y: area.y, scale, width, isMirrored: canvas.rightToLeft };
  canvas.withTag('Figure', () => canvas.markContent(() => paintSvg(svg, canvas, position)), { alt });
}

/** Points per pixel: the largest scale with which the chart fits. */
const SCALES = [1.25, 1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5];

/** The smallest scale that is tried to avoid truncated names. */
const MIN_SCALE_FOR_NAMES = 0.8;

/** A chart at its final scale. */
interface FittedDrawing {
  svg: string;
  /** Pixels. */
  width: number;
  scale: number;
}

/** Returns null for charts that are shown as a table. */
function fitDrawing({
  chart,
  area,
  canvas,
  drawSvg,
}: {
  chart: DrawableChart;
  area: Box;
  canvas: PdfCanvas;
  drawSvg: DrawSvg;
}): FittedDrawing | null {
  const { figures, options } = chart;
  const drawAtScale = (scale: number) => {
    const size = { width: Math.floor(area.width / scale), height: Math.floor(area.height / scale) };
    return createChartDrawing({ figures, options, theme: canvas.style, ...size });
  };
  const toFitted = (drawing: ChartDrawing, scale: number): FittedDrawing => ({
    svg: drawSvg(withSharedAxis(drawing, chart), 'c'),
    width: drawing.width,
    scale,
  });
  let drawing: ChartDrawing | null = null;
  let largest: FittedDrawing | null = null;
  for (const scale of SCALES) {
    if (largest !== null && scale < MIN_SCALE_FOR_NAMES) break;
    drawing = drawAtScale(scale);
    if (drawing === null) return null;
    if (drawing.height * scale > area.height + 0.5) continue;
    const fitted = toFitted(drawing, scale);
    if (!fitted.svg.includes('…')) return fitted;
    largest ??= fitted;
  }
  if (largest !== null) return largest;
  if (drawing === null) return null;
  const scale = area.height / drawing.height;
  const wider = drawAtScale(scale);
  if (wider === null) return null;
  return toFitted(wider, Math.min(scale, area.height / wider.height));
}

/** Charts that are split over several slides share one axis range. */
function withSharedAxis(drawing: ChartDrawing, { axisMax }: DeckChart): ChartDrawing {
  if (axisMax === null) return drawing;
  const option = { ...drawing.option };
  for (const key of ['xAxis', 'yAxis']) {
    const axis = option[key];
    if (isAxis(axis) && axis.type === 'value') option[key] = { ...axis, max: axisMax };
  }
  return { ...drawing, option };
}

const isAxis = (found: unknown): found is { type: string } =>
  typeof found === 'object' && found !== null && 'type' in found;

type KeyFiguresSlide = Extract<DeckSlide, { type: 'key-figures' }>;

const CARD_GAP = 20;
const PADDING = 18;
const MAX_CARD_HEIGHT = 210;
const INCREASE_COLOR = '#17694a';
const DECREASE_COLOR = '#b3261e';

/** Draws cards, up to four per row, with a text below. */
export function drawKeyFigures({
  keyFiguresSlide: { figures, markdown },
  body,
  canvas,
  drawSvg,
}: {
  keyFiguresSlide: KeyFiguresSlide;
  body: Box;
  canvas: PdfCanvas;
  drawSvg: DrawSvg;
}): void {
  const count = figures.length;
  const columns = count <= 4 ? Math.max(1, count) : Math.ceil(count / 2);
  const rows = Math.ceil(count / columns);
  const cardsHeight = markdown === null ? body.height : body.height * (rows > 1 ? 0.74 : 0.55);
  const width = (body.width - CARD_GAP * (columns - 1)) / columns;
  const height = Math.min((cardsHeight - CARD_GAP * (rows - 1)) / rows, MAX_CARD_HEIGHT);
  figures.forEach((figure, index) => {
    const x = body.x + (index % columns) * (width + CARD_GAP);
    const y = body.y + Math.floor(index / columns) * (height + CARD_GAP);
    drawCard({ deckNumber: figure, box: { x, y, width, height }, canvas, drawSvg });
  });
  if (markdown !== null) {
    const y = body.y + rows * (height + CARD_GAP) + 6;
    drawMarkdown(markdown, { ...body, y, height: body.y + body.height - y }, canvas, {
      size: TEXT_SIZES.text - 1,
    });
  }
}

function drawCard({
  deckNumber: { label, value, change, sparkline, source },
  box,
  canvas,
  drawSvg,
}: {
  deckNumber: DeckNumber;
  box: Box;
  canvas: PdfCanvas;
  drawSvg: DrawSvg;
}) {
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
    if (sparkline.filter((point) => point.value !== null).length < 2 || remainingHeight < 26) return;
    const size = { width: content.width, height: Math.min(remainingHeight - 4, 44) };
    const drawing = drawSparkline(sparkline, { theme: canvas.style, ...size });
    const { x } = canvas.toPageBox({ ...content, height: 0 });
    const position = { x, y: y + 4, scale: 1, width: size.width, isMirrored: canvas.rightToLeft };
    canvas.withTag(
      'Figure',
      () => canvas.markContent(() => paintSvg(drawSvg(drawing, 's'), canvas, position)),
      {
        alt: describeSparkline(sparkline),
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
