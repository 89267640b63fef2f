import type { FlagSource, QualityFlag, ResponseQuality, StoredFlag } from './quality-flag.ts';

/** In the order of their codes in data files: 1, 2, 3. */
export const REVIEW_STATES = ['pending', 'confirmed', 'dismissed'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

interface Review {
  state: ReviewState;
  userId: number;
  at: Date;
}

/** What became of a flag; pending as long as nobody looked at it. */
export const reviewState = (flag: StoredFlag): ReviewState => flag.review ?? 'pending';

/** A response's: confirmed if one of its flags is, else pending if one is; null without flags. */
export function qualityStatus(quality: ResponseQuality | null): ReviewState | null {
  const states = quality?.flags.map(reviewState) ?? [];
  if (states.length === 0) return null;
  return states.includes('confirmed') ? 'confirmed' : states.includes('pending') ? 'pending' : 'dismissed';
}

/** The checks that flagged a response, each once, in the order of their names; null without flags. */
export function listFlaggedChecks(quality: ResponseQuality | null): string | null {
  const checks = new Set(quality?.flags.map((flag) => flag.check));
  return checks.size === 0 ? null : [...checks].sort().join(';');
}

/** Two flags with the same identity say the same of a response, however the figures moved. */
export function flagIdentity({ check, metric, column_codes: codes }: QualityFlag): string {
  return JSON.stringify([check, metric, ...codes]);
}

/**
 * What is kept after some checks ran again and found `found`: their pending flags are replaced; one that was reviewed stays,
 * with the new figures where it was found again. Flags of other checks, and those that people set, are left alone. null: no flags are left.
 */
export function mergeFoundFlags(
  before: ResponseQuality | null,
  found: readonly QualityFlag[],
  ran: ReadonlySet<FlagSource>,
): ResponseQuality | null {
  const fresh = new Map(found.map((flag) => [flagIdentity(flag), flag]));
  const kept = (before?.flags ?? []).flatMap((flag): StoredFlag[] => {
    if (!ran.has(flag.check)) return [flag];
    const identity = flagIdentity(flag);
    const again = fresh.get(identity);
    if (flag.review === undefined) return [];
    fresh.delete(identity);
    return [{ ...flag, ...again }];
  });
  const flags = [...kept, ...fresh.values()];
  return flags.length === 0 ? null : { flags };
}

/** The flags with a person's word on them, or on those of one check; null: nothing changes, who said the same first stays. */
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
    const bare = { ...flag };
    delete bare.review;
    delete bare.reviewed_by;
    delete bare.reviewed_at;
    return bare;
  });
  return changed ? { flags } : null;
}
