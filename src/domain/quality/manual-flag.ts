import type { ResponseQuality, StoredFlag } from './quality-flag.ts';

/** What a person found conspicuous; the reason they gave is its value. */
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

/** Marked by a person; null: it is already, and stays as it is. */
export function addManualFlag(
  quality: ResponseQuality | null,
  reason: string | null,
): ResponseQuality | null {
  const flags = quality?.flags ?? [];
  if (flags.some(({ check }) => check === 'manual')) return null;
  return { ...quality, flags: [...flags, createManualFlag(reason)] };
}

/** Without the mark of a person; undefined: there is none. What the checks found stays. */
export function removeManualFlag(quality: ResponseQuality | null): ResponseQuality | null | undefined {
  const flags = quality?.flags ?? [];
  const kept = flags.filter(({ check }) => check !== 'manual');
  if (kept.length === flags.length) return undefined;
  return kept.length === 0 ? null : { ...quality, flags: kept };
}
