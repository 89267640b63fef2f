type QualityCheck = 'speeder' | 'straightliner' | 'duplicate' | 'attention_check';
type Severity = 'low' | 'medium' | 'high';

/** Something conspicuous about one response: what was measured, and where the line was drawn. */
export interface QualityFlag {
  check: QualityCheck;
  severity: Severity;
  metric: string;
  value: number | string | null;
  threshold: number | string | null;
  /** What it was seen in; empty: the response as a whole. */
  column_codes: string[];
  /** Further figures of the same check. */
  measures?: Record<string, number | null>;
}

/** What is kept with a response. */
export interface ResponseQuality {
  flags: QualityFlag[];
}
