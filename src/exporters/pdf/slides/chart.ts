import { createChartDrawing } from '../../../domain/charts/draw-chart.ts';
import type { ChartDrawing } from '../../../domain/charts/chart-drawing.ts';
import type { ChartFigures } from '../../../domain/charts/chart-data.ts';
import { formatFigure } from '../../../domain/charts/figure-texts.ts';
import { type DeckChart, type DeckProblem, type DeckSlide, isProblem } from '../../../domain/reports/deck.ts';
import { chartDeckTable } from '../../../domain/reports/chart-deck-table.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas } from '../pdf-canvas.ts';
import { paintSvg } from '../svg-painter.ts';
import { drawProblem } from './problem.ts';
import { drawMarkdown } from './markdown.ts';
import { joinSourceLines } from '../../slides/source-text.ts';
import { drawSource } from './source.ts';
import { drawTable } from './table.ts';

type ChartSlide = Extract<DeckSlide, { type: 'chart' }>;
/** The renderer of chart-svg.ts. */
export type DrawSvg = (drawing: ChartDrawing, name: string) => string;

const GAP = 36;
const CHART_SHARE = 0.66;

const sideBySide = (box: Box, share: number): [Box, Box] => {
  const first = (box.width - GAP) * share;
  return [
    { ...box, width: first },
    { ...box, x: box.x + first + GAP, width: box.width - GAP - first },
  ];
};

export function drawCharts(
  { charts, markdown, title }: ChartSlide,
  body: Box,
  canvas: PdfCanvas,
  drawSvg: DrawSvg,
): void {
  const [first, second] = charts;
  if (first === undefined) return;
  if (second !== undefined) {
    const box = markdown === null ? body : { ...body, height: body.height * 0.78 };
    const [left, right] = sideBySide(box, 0.5);
    drawChart(first, left, canvas, drawSvg);
    drawChart(second, right, canvas, drawSvg);
    if (markdown !== null) {
      const y = box.y + box.height + 14;
      drawMarkdown(markdown, { ...body, y, height: body.y + body.height - y }, canvas, {
        size: TEXT_SIZES.small + 1,
      });
    }
    return;
  }
  const named = first.title === title ? { ...first, title: null } : first;
  if (markdown === null) return drawChart(named, body, canvas, drawSvg);
  const [chartBox, textBox] = sideBySide(body, CHART_SHARE);
  drawChart(named, chartBox, canvas, drawSvg);
  drawMarkdown(markdown, textBox, canvas, { size: TEXT_SIZES.text });
}

function drawChart(chart: DeckChart, box: Box, canvas: PdfCanvas, drawSvg: DrawSvg): void {
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
  const problem = problemOf(chart.figures);
  if (problem !== null) drawProblem(problem, area, canvas);
  else drawChartFigures(chart as DrawableChart, area, canvas, drawSvg);
}

function problemOf(figures: DeckChart['figures']): DeckProblem | null {
  if (isProblem(figures)) return figures;
  const { base, suppressed, categories, series } = figures;
  if (base === null || suppressed === true) {
    return { problem: 'Hidden: too few respondents.' };
  }
  const isEmpty = base.unweighted === 0 || categories.length === 0 || series.length === 0;
  return isEmpty ? { problem: 'No answers yet.' } : null;
}

type DrawableChart = DeckChart & { figures: ChartFigures };

function drawChartFigures(chart: DrawableChart, area: Box, canvas: PdfCanvas, drawSvg: DrawSvg): void {
  const { figures, options, alt } = chart;
  if (figures.chart_type === 'kpi') {
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
  const fitted = fitDrawing(chart, area, canvas, drawSvg);
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
function fitDrawing(
  chart: DrawableChart,
  area: Box,
  canvas: PdfCanvas,
  drawSvg: DrawSvg,
): FittedDrawing | null {
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
  const scale = area.height / drawing!.height;
  const wider = drawAtScale(scale)!;
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
