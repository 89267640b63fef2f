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

/** A flag set by a user, with the reason as its value. */
function createManualFlag(reason: string | null): StoredFlag {
  return {
    check: 'manual',
    severity: 'medium',
    metric: 'marked',
    value: reason,
    threshold: null,
    column_codes: [],
  };
}

/** Adds a manual flag. Returns null if there is one already, which is kept. */
export function addManualFlag(
  quality: ResponseQuality | null,
  reason: string | null,
): ResponseQuality | null {
  const flags = quality?.flags ?? [];
  if (flags.some(({ check }) => check === 'manual')) return null;
  return { ...quality, flags: [...flags, createManualFlag(reason)] };
}

/** Leaves the response out of figures with a confirmed manual flag. Returns null if a confirmed flag leaves it out already. */
export function leaveOut(
  quality: ResponseQuality | null,
  reason: string | null,
  { userId, at }: Omit<Review, 'state'>,
): ResponseQuality | null {
  if (qualityStatus(quality) === 'confirmed') return null;
  return reviewFlags(addManualFlag(quality, reason) ?? { flags: quality?.flags ?? [] }, 'manual', {
    state: 'confirmed',
    userId,
    at,
  });
}

/** Removes the manual flag and keeps the flags of checks. Returns undefined if there is none. */
export function removeManualFlag(quality: ResponseQuality | null): ResponseQuality | null | undefined {
  const flags = quality?.flags ?? [];
  const kept = flags.filter(({ check }) => check !== 'manual');
  if (kept.length === flags.length) return undefined;
  return kept.length === 0 ? null : { ...quality, flags: kept };
}

/** In the order of their codes in data files: 1, 2, 3. */
export const REVIEW_STATES = ['pending', 'confirmed', 'dismissed'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

interface Review {
  state: ReviewState;
  userId: number;
  at: Date;
}

/** The review state of a flag; pending until it is reviewed. */
export const reviewState = (flag: StoredFlag): ReviewState => flag.review ?? 'pending';

/** The status of a response: confirmed if one of its flags is, otherwise pending if one is; null without flags. */
export function qualityStatus(quality: ResponseQuality | null): ReviewState | null {
  const states = quality?.flags.map(reviewState) ?? [];
  if (states.length === 0) return null;
  return states.includes('confirmed') ? 'confirmed' : states.includes('pending') ? 'pending' : 'dismissed';
}

/** The checks that flagged a response, without duplicates, sorted by name; null without flags. */
export function listFlaggedChecks(quality: ResponseQuality | null): string | null {
  const checks = new Set(quality?.flags.map((flag) => flag.check));
  return checks.size === 0 ? null : [...checks].sort().join(';');
}

/** Flags with the same identity report the same problem of a response, even if the measured values changed. */
export function flagIdentity({ check, metric, column_codes: codes }: QualityFlag): string {
  return JSON.stringify([check, metric, ...codes]);
}

/**
 * Merges the flags found by running some checks again. Replaces their pending flags. Keeps reviewed flags, with new values if they were
 * found again, and flags of other checks and manual flags. Returns null if no flags are left.
 */
export function mergeFoundFlags(
  before: ResponseQuality | null,
  found: readonly QualityFlag[],
  checksRun: ReadonlySet<FlagSource>,
): ResponseQuality | null {
  const foundByIdentity = new Map(found.map((flag) => [flagIdentity(flag), flag]));
  const kept = (before?.flags ?? []).flatMap((flag): StoredFlag[] => {
    if (!checksRun.has(flag.check)) return [flag];
    const identity = flagIdentity(flag);
    const foundFlag = foundByIdentity.get(identity);
    if (flag.review === undefined) return [];
    foundByIdentity.delete(identity);
    return [{ ...flag, ...foundFlag }];
  });
  const flags = [...kept, ...foundByIdentity.values()];
  return flags.length === 0 ? null : { flags };
}

/**
 * Records a review of all flags, or of those of one check. Returns null if nothing changes; the first reviewer with the same decision is
 * kept.
 */
export function reviewFlags(
  quality: ResponseQuality,
  check: FlagSource | null,
  { state, userId, at }: Review,
): ResponseQuality | null {
  let changed = false;
  const flags = quality.flags.map((flag): StoredFlag => {
    if ((check !== null && flag.check !== check) || reviewState(flag) === state) return flag;
    changed = true;
    if (state !== 'pending') {
      return { ...flag, review: state, reviewed_by: userId, reviewed_at: at.toISOString() };
    }
    const unreviewedFlag = { ...flag };
    delete unreviewedFlag.review;
    delete unreviewedFlag.reviewed_by;
    delete unreviewedFlag.reviewed_at;
    return unreviewedFlag;
  });
  return changed ? { flags } : null;
}

type StateCounts = Record<ReviewState, number>;

const zeroCounts = (): StateCounts => ({ pending: 0, confirmed: 0, dismissed: 0 });

/** Counts flags by review state. */
export class ReviewCounts {
  /** Responses with flags. */
  flagged = 0;
  /** Responses with flags, by status. */
  readonly responses = zeroCounts();
  /** Flags by check, in the order of FLAG_SOURCES. */
  readonly checks = new Map<FlagSource, { responses: number; flags: StateCounts }>(
    FLAG_SOURCES.map((check) => [check, { responses: 0, flags: zeroCounts() }]),
  );

  add(quality: ResponseQuality): void {
    const status = qualityStatus(quality);
    if (status === null) return;
    this.flagged++;
    this.responses[status]++;
    const seen = new Set<FlagSource>();
    for (const flag of quality.flags) {
      const counts = this.checks.get(flag.check);
      if (counts === undefined) continue;
      counts.flags[reviewState(flag)]++;
      if (!seen.has(flag.check)) counts.responses++;
      seen.add(flag.check);
    }
  }
}
