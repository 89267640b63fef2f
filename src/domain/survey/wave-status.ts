export const WAVE_STATUSES = ['scheduled', 'active', 'ended'] as const;
export type WaveStatus = (typeof WAVE_STATUSES)[number];

/** Start null: open from the beginning; end null: never ends. */
export interface WaveDates {
  start: Date | null;
  end: Date | null;
}

/** Returns the status at a time. The start is inclusive, the end exclusive. */
export function waveStatusOf({ start, end }: WaveDates, now: Date): WaveStatus {
  if (end !== null && end <= now) return 'ended';
  return start !== null && start > now ? 'scheduled' : 'active';
}
