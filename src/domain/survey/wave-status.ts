export const WAVE_STATUSES = ['scheduled', 'active', 'ended'] as const;
export type WaveStatus = (typeof WAVE_STATUSES)[number];

/** null: open from the beginning, or never ends. */
export interface WaveDates {
  start: Date | null;
  end: Date | null;
}

/** The moment of its start is in it, that of its end is not. */
export function waveStatusOf({ start, end }: WaveDates, now: Date): WaveStatus {
  if (end !== null && end <= now) return 'ended';
  return start !== null && start > now ? 'scheduled' : 'active';
}
