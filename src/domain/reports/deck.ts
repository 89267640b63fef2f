import type { ChartFigures, VariableFigure } from '../charts/chart-data.ts';
import type { ChartOptions } from '../charts/config-parts.ts';
import type { ReportSettings } from './report-settings.ts';

/**
 * A report as its files are drawn from: every figure is made, and whatever the reader may not see is gone. Plain data, so that it can be
 * handed to another thread.
 */
export interface DeckHeader {
  title: string;
  description: string | null;
  organization: string;
  /** Who made the file, for its properties. */
  author: string;
  createdAt: Date;
  style: DeckStyle;
}

export interface DeckStyle extends Omit<ReportSettings, 'logo_image_id'> {
  logo: DeckImage | null;
}

/** Made anew by us from what was uploaded, so that it is safe to be read. */
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
  /** Of a slide whose content is spread over several: which one this is. */
  part: { number: number; of: number } | null;
  /** Speaker notes: the author's, then wording, bases, filters and weights. */
  notes: string;
}

/** What stands in the place of something that cannot be shown, and why, in words for readers. */
export interface DeckProblem {
  problem: string;
}

/** One or two of a slide. */
export interface DeckChart {
  title: string | null;
  figures: ChartFigures | DeckProblem;
  options: Partial<ChartOptions>;
  /** For a chart that is spread over several slides: where the axis of all of them ends. */
  axisMax: number | null;
  /** Lines below it: question, base, filter, weight, notes. */
  source: string[];
  /** For who does not see it: what it is, and its figures in words as far as these are few. */
  alt: string;
}

/** One large number. */
export interface DeckNumber {
  label: string;
  /** As it is read: `4.25`, `45%`; or why there is none. */
  value: string | DeckProblem;
  /** `+0.3 since Wave 1`. */
  change: { direction: 'up' | 'down' | 'same'; text: string } | null;
  sparkline: NonNullable<VariableFigure['sparkline']>;
  source: string[];
}

/** A table as it is read: every figure is a text. */
export interface DeckTable {
  /** Of the column with the rows' labels. */
  corner: string;
  columns: DeckColumn[];
  rows: DeckRow[];
  source: string[];
}

interface DeckColumn {
  label: string;
  letter: string | null;
  /** The label of the variable that it is a category of: neighbours that share one stand together below it. Absent: it stands alone. */
  heading?: string;
}

export interface DeckRow {
  label: string;
  /** heading: the label of a variable, whose rows follow. */
  kind: 'heading' | 'category' | 'net' | 'mean' | 'base';
  /** Parallel to the columns; none for a heading. `text` is empty where there is nothing to be told. */
  cells: { text: string; letters: string }[];
}

/** A part of an appendix, made from the survey. */
export interface MethodSection {
  heading: string;
  /** Name and value, one below the other. */
  facts: [name: string, value: string][];
  paragraphs: string[];
  table: DeckTable | null;
}

export function isProblem(found: object): found is DeckProblem {
  return 'problem' in found;
}
