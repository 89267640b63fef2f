/** What can be checked without a person. */
export const QUALITY_CHECKS = [
  'speeder',
  'straightliner',
  'duplicate',
  'open_end',
  'attention_check',
] as const;
export type QualityCheck = (typeof QUALITY_CHECKS)[number];
/** By whom a flag is set: a check, or a person. */
export const FLAG_SOURCES = [...QUALITY_CHECKS, 'manual'] as const;
export type FlagSource = (typeof FLAG_SOURCES)[number];
type Severity = 'low' | 'medium' | 'high';

/** Something conspicuous about one response: what was measured, and where the line was drawn. */
export interface QualityFlag {
  check: FlagSource;
  severity: Severity;
  metric: string;
  value: number | string | null;
  threshold: number | string | null;
  /** What it was seen in; empty: the response as a whole. */
  column_codes: string[];
  /** Further figures of the same check. */
  measures?: Record<string, number | null>;
}

/** A flag as it is kept: with what a person made of it, all three or, as long as nobody looked at it, none of them. */
export interface StoredFlag extends QualityFlag {
  review?: 'confirmed' | 'dismissed';
  /** A user_id. */
  reviewed_by?: number;
  /** ISO 8601. */
  reviewed_at?: string;
}

/** What is kept with a response. */
export interface ResponseQuality {
  flags: StoredFlag[];
}
