/** Automatic checks. */
export const QUALITY_CHECKS = [
  'speeder',
  'straightliner',
  'duplicate',
  'open_end',
  'attention_check',
] as const;
export type QualityCheck = (typeof QUALITY_CHECKS)[number];
/** What sets a flag: an automatic check, or a user. */
export const FLAG_SOURCES = [...QUALITY_CHECKS, 'manual'] as const;
export type FlagSource = (typeof FLAG_SOURCES)[number];
type Severity = 'low' | 'medium' | 'high';

/** A suspicious property of a response: the measured value and the threshold. */
export interface QualityFlag {
  check: FlagSource;
  severity: Severity;
  metric: string;
  value: number | string | null;
  threshold: number | string | null;
  /** The columns it was found in; empty: the response as a whole. */
  column_codes: string[];
  /** Additional values measured by the same check. */
  measures?: Record<string, number | null>;
}

/** A stored flag with its review. The three review fields are set together, or absent until it is reviewed. */
export interface StoredFlag extends QualityFlag {
  review?: 'confirmed' | 'dismissed';
  /** A user_id. */
  reviewed_by?: number;
  /** ISO 8601. */
  reviewed_at?: string;
}

/** The quality data stored with a response. */
export interface ResponseQuality {
  flags: StoredFlag[];
}
