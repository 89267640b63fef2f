/** How large a difference or relation is, by the measure that fits it. */
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

/** Something that was found, said in a full sentence with its figures. */
export interface Finding {
  /** Unique among those of one look at the data, and the same when it is looked at again. */
  id: string;
  kind: InsightKind | AnomalyKind;
  /** In a few words, without figures. */
  headline: string;
  statement: string;
  /** Percents are 0 to 100. */
  figures: Readonly<Record<string, string | number | null>>;
  evidence: {
    questionIds: readonly number[];
    /** The most conspicuous ones first, at most MAX_LISTED; null: it is about no particular responses. */
    responseIds: readonly number[] | null;
    /** How many they are in all. */
    responseCount: number | null;
    /** Responses that it was computed from, unweighted. */
    base: number;
    /** null: it describes, and nothing was tested. */
    pValue: number | null;
    /** After Benjamini and Hochberg, over everything that was tested in the same look. */
    qValue: number | null;
    effect: Effect | null;
  };
}

/** A finding whose p is not yet corrected. `strength`: its effect in units of a medium one, by Cohen. */
export interface Candidate {
  finding: Finding;
  strength: number;
  /** Findings of one topic say much the same: the best one stands for them. */
  topic: string;
}

/** Responses that a finding lists. */
export const MAX_LISTED = 50;
/** Groups with fewer respondents, unweighted, are not compared. */
export const MIN_BASE = 30;
/** The share of false findings among those that are called significant, on average, is at most this. */
export const FALSE_DISCOVERY_RATE = 0.05;
