import { requireItem } from '../lib/require-value.ts';
import {
  type ChartTheme,
  chooseFills,
  type Fill,
  LIGHT_THEME,
} from '../domain/charts/drawing/chart-theme.ts';
import type { ChartFigures } from '../domain/charts/chart-data.ts';
import { figureTypeOf } from '../domain/charts/registry.ts';
import type { DeckProblem, DeckStyle } from '../domain/reports/deck.ts';
import type { ReportSettings } from '../domain/reports/report.ts';

/** Points from the upper left corner, for a left-to-right report. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The positions of slide elements in a left-to-right report; see `mirrorBox` for right-to-left. */
export interface SlidePage {
  width: number;
  height: number;
  margin: number;
  /** The heading, aligned to its lower edge. */
  title: Box;
  /** The area between heading and footer. */
  body: Box;
  footer: Box;
  number: Box;
  /** On the first slide and on section slides. */
  cover: { title: Box; subtitle: Box; rule: Box };
  /** Organization and date at the bottom of the first slide. */
  byline: Box;
  /** Maximum area of the logo: on the first slide, and in the footer of the others. */
  coverLogo: Box;
  footerLogo: Box;
}

const SIZES = { '16:9': [960, 540], a4: [841.89, 595.28] } as const;
const MARGIN = 48;

/** Font sizes in points. */
export const TEXT_SIZES = {
  cover: 40,
  subtitle: 20,
  title: 26,
  chartTitle: 14,
  text: 16,
  small: 12,
  source: 10,
  foot: 9,
  number: 40,
} as const;

export function slidePageLayout(size: ReportSettings['page_size']): SlidePage {
  const [width, height] = SIZES[size];
  const contentWidth = width - 2 * MARGIN;
  const footer = { y: height - 36, height: 18 };
  const bodyTop = 104;
  const coverTop = height * 0.36;
  return {
    width,
    height,
    margin: MARGIN,
    title: { x: MARGIN, y: 28, width: contentWidth, height: 64 },
    body: { x: MARGIN, y: bodyTop, width: contentWidth, height: footer.y - 12 - bodyTop },
    footer: { x: MARGIN, ...footer, width: contentWidth - 150 },
    number: { x: width - MARGIN - 40, ...footer, width: 40 },
    cover: {
      rule: { x: MARGIN, y: coverTop - 22, width: 56, height: 5 },
      title: { x: MARGIN, y: coverTop, width: contentWidth * 0.86, height: 106 },
      subtitle: { x: MARGIN, y: coverTop + 116, width: contentWidth * 0.86, height: 64 },
    },
    byline: { x: MARGIN, y: height - 60, width: contentWidth, height: 20 },
    coverLogo: { x: MARGIN, y: 40, width: 200, height: 56 },
    footerLogo: { x: width - MARGIN - 140, y: height - 41, width: 90, height: 26 },
  };
}

const COLUMN_GAP = 36;

/** Share of the width for a chart beside a text. */
export const CHART_SHARE = 0.66;

/** Splits a box into two columns; `share` is the share of the first. */
export function sideBySide(box: Box, share: number): [Box, Box] {
  const firstWidth = (box.width - COLUMN_GAP) * share;
  return [
    { ...box, width: firstWidth },
    { ...box, x: box.x + firstWidth + COLUMN_GAP, width: box.width - COLUMN_GAP - firstWidth },
  ];
}

/** The mirrored position for a right-to-left page. */
export function mirrorBox(box: Box, { width }: Pick<SlidePage, 'width'>): Box {
  return { ...box, x: width - box.x - box.width };
}

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = new Set([
  'ar',
  'arc',
  'ckb',
  'dv',
  'fa',
  'he',
  'iw',
  'ks',
  'ps',
  'sd',
  'ug',
  'ur',
  'yi',
]);

/** `pt` of the language tag `pt-BR`. */
export function primaryLanguageOf(language: string): string {
  const [primary = ''] = language.toLowerCase().split('-');
  return primary;
}

export const isRightToLeft = (language: string): boolean => RIGHT_TO_LEFT.has(primaryLanguageOf(language));

export interface ReportStyle extends ChartTheme {
  /** The accent color; the first chart color unless the report sets chart colors. */
  accent: Fill;
}

/** The light theme with the colors of the report before the default colors. */
export function reportStyle({ color, colors }: Pick<DeckStyle, 'color' | 'colors'>): ReportStyle {
  const chosen = colors.length > 0 ? colors : color === null ? [] : [color];
  const count = Math.max(chosen.length, LIGHT_THEME.colors.length);
  const fills = chooseFills(LIGHT_THEME, { count, palette: 'categorical', chosen });
  const accent =
    color === null
      ? requireItem(LIGHT_THEME.colors, 0)
      : requireItem(chooseFills(LIGHT_THEME, { count: 1, palette: 'categorical', chosen: [color] }), 0);
  return { ...LIGHT_THEME, colors: fills, accent };
}

/** Joins the source lines of a figure: question, base, filter and weight. */
export const joinSourceLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('  ·  ');

/** Why a chart is not drawn: its base is too small to be shown, or nothing is counted. */
export function findChartProblem(figures: ChartFigures): DeckProblem | null {
  const { base, suppressed, categories, series } = figures;
  if (base === null || suppressed === true) return { problem: 'Hidden: too few respondents.' };
  const isEmpty = base.unweighted === 0 || categories.length === 0 || series.length === 0;
  return isEmpty ? { problem: `${figureTypeOf(figures).emptyText.title}.` } : null;
}
