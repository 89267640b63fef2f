import type { ResponseQuality, StoredFlag } from './quality-flag.ts';

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

/** Removes the manual flag and keeps the flags of checks. Returns undefined if there is none. */
export function removeManualFlag(quality: ResponseQuality | null): ResponseQuality | null | undefined {
  const flags = quality?.flags ?? [];
  const kept = flags.filter(({ check }) => check !== 'manual');
  if (kept.length === flags.length) return undefined;
  return kept.length === 0 ? null : { ...quality, flags: kept };
}
