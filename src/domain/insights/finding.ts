const MAX_LABEL = 90;

/** Quotes a label, truncating long ones. */
export function quoteLabel(label: string): string {
  const text = label.replace(/\s+/g, ' ').trim();
  return `“${text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1).trimEnd()}…` : text}”`;
}

/** Rounds to a maximum number of decimals. */
export function roundTo(value: number, decimals = 1): number {
  const factor = 10 ** decimals;
  // Turns -0 into 0.
  return Math.round(value * factor) / factor + 0;
}

/** Formats a share from 0 to 1 as a percentage. */
export const formatPercent = (share: number): string => `${roundTo(100 * share)} %`;

const WHOLE_NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
/** Formats 12345 as 12,345. */
export const formatCount = (count: number): string => WHOLE_NUMBER.format(count);

/** `1 response`, `2 responses`. */
export const pluralize = (count: number, one: string, more = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : more}`;

/** Rounds to four significant digits. */
export const roundSignificant = (value: number): number => Number(value.toPrecision(4));

/** An effect size and its measure. */
export interface Effect {
  measure: 'cramers_v' | 'cohens_h' | 'cohens_d' | 'pearson_r' | 'ratio' | 'share';
  value: number;
}

export const INSIGHT_KINDS = [
  'majority',
  'top_box',
  'nps',
  'difference',
  'driver',
  'trend_break',
  'completion',
] as const;
export type InsightKind = (typeof INSIGHT_KINDS)[number];

export const ANOMALY_KINDS = [
  'outliers',
  'unusual_durations',
  'speeders',
  'straightliners',
  'unlikely_responses',
  'sudden_day',
  'source_differs',
  'change_point',
] as const;
export type AnomalyKind = (typeof ANOMALY_KINDS)[number];

/** A finding, as a sentence with its figures. */
export interface Finding {
  /** Unique within one analysis, and stable when it is repeated. */
  id: string;
  kind: InsightKind | AnomalyKind;
  /** A few words without figures. */
  headline: string;
  statement: string;
  /** Percentages are 0 to 100. */
  figures: Readonly<Record<string, string | number | null>>;
  evidence: {
    questionIds: readonly number[];
    /** The most extreme responses first, at most MAX_LISTED; null: the finding is not about individual responses. */
    responseIds: readonly number[] | null;
    /** Total number of these responses. */
    responseCount: number | null;
    /** Unweighted number of responses used. */
    base: number;
    /** null: a descriptive finding without a test. */
    pValue: number | null;
    /** q-value by Benjamini and Hochberg, over all tests of the same analysis. */
    qValue: number | null;
    effect: Effect | null;
  };
}

/** A finding before the p-value correction. `strength`: effect size relative to a medium effect (Cohen). */
export interface Candidate {
  finding: Finding;
  strength: number;
  /** Findings with the same topic are redundant; only the best one is kept. */
  topic: string;
}

/** Maximum number of response ids in a finding. */
export const MAX_LISTED = 50;
/** Minimum unweighted group size for comparisons. */
export const MIN_BASE = 30;
/** Maximum expected share of false findings among significant ones. */
export const FALSE_DISCOVERY_RATE = 0.05;
