import type { ChartFigures, VariableFigure } from '../charts/chart-data.ts';
import type { ChartOptions } from '../charts/chart-config.ts';
import type { ReportSettings } from './report.ts';

/** A report with computed figures, limited to what the reader may see. Plain data, so that it can be sent to a worker thread. */
export interface DeckHeader {
  title: string;
  description: string | null;
  organization: string;
  /** Author in the file properties. */
  author: string;
  createdAt: Date;
  style: DeckStyle;
}

export interface DeckStyle extends Omit<ReportSettings, 'logo_image_id'> {
  logo: DeckImage | null;
}

/** Re-encoded from the upload, so that it is safe to decode. */
export interface DeckImage {
  kind: 'png' | 'jpeg';
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

export type DeckSlide = SlideFrame &
  (
    | { type: 'title' | 'section'; subtitle: string | null }
    | { type: 'text'; markdown: string }
    | { type: 'chart'; charts: DeckChart[]; markdown: string | null }
    | { type: 'table'; table: DeckTable | DeckProblem }
    | { type: 'image'; picture: DeckImage | DeckProblem; alt: string | null; caption: string | null }
    | { type: 'key-figures'; figures: DeckNumber[]; markdown: string | null }
    | { type: 'method'; survey: string; parts: MethodSection[] }
  );

interface SlideFrame {
  title: string | null;
  /** Part number of content split over several slides. */
  part: { number: number; total: number } | null;
  /** Speaker notes: the author's, then wording, bases, filters and weights. */
  notes: string;
}

/** A message shown instead of content that cannot be shown. */
export interface DeckProblem {
  problem: string;
}

/** One of the charts of a slide; a slide has one or two. */
export interface DeckChart {
  title: string | null;
  figures: ChartFigures | DeckProblem;
  options: Partial<ChartOptions>;
  /** End of the shared axis of a chart split over several slides. */
  axisMax: number | null;
  /** Source lines: question, base, filter, weight, notes. */
  source: string[];
  /** Alternative text. */
  alt: string;
}

/** One large number. */
export interface DeckNumber {
  label: string;
  /** The formatted number (`4.25`, `45%`), or the reason why there is none. */
  value: string | DeckProblem;
  /** `+0.3 since Wave 1`. */
  change: { direction: 'up' | 'down' | 'same'; text: string } | null;
  sparkline: NonNullable<VariableFigure['sparkline']>;
  source: string[];
}

/** A table with formatted figures. */
export interface DeckTable {
  /** Header of the label column. */
  corner: string;
  columns: DeckColumn[];
  rows: DeckRow[];
  source: string[];
}

interface DeckColumn {
  label: string;
  letter: string | null;
  /** The label of its variable; adjacent columns share one heading. Absent: no heading. */
  heading?: string;
}

export interface DeckRow {
  label: string;
  /** heading: the label of a variable, whose rows follow. */
  kind: 'heading' | 'category' | 'net' | 'mean' | 'base';
  /** Parallel to the columns; empty for a heading. `text` is empty if the cell has no figure. */
  cells: { text: string; letters: string }[];
}

/** A section of the method appendix. */
export interface MethodSection {
  heading: string;
  /** Name and value of each fact, one per line. */
  facts: [name: string, value: string][];
  paragraphs: string[];
  table: DeckTable | null;
}

export function isProblem(found: object): found is DeckProblem {
  return 'problem' in found;
}
