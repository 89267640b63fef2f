import type { FlagSource, QualityFlag, ResponseQuality, StoredFlag } from './quality-flag.ts';

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
