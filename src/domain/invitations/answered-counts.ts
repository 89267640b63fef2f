import type { InvitationStatus } from './invitation-status.ts';

/** The fewest invited people whose answers are shown together. */
export const MIN_RELEASED = 5;

/** How many invited people answered on a day, `YYYY-MM-DD`. */
export interface AnsweredDay {
  day: string;
  count: number;
}

/**
 * Returns how many answers to invitations of an anonymous survey are shown: those of days before `today`, in batches of at least
 * MIN_RELEASED. Fewer wait until later days complete the batch. Days that are over never change, so neither does a released batch.
 */
export function countReleasedAnswers(days: readonly AnsweredDay[], today: string): number {
  let released = 0;
  let waiting = 0;
  const over = days.filter(({ day }) => day < today).sort((a, b) => (a.day < b.day ? -1 : 1));
  for (const { count } of over) {
    waiting += count;
    if (waiting < MIN_RELEASED) continue;
    released += waiting;
    waiting = 0;
  }
  return released;
}

/**
 * Returns the counts of an anonymous survey with the released answers as `completed`. Its invitations stay `sent` or `kept` when they are answered, so
 * that no change of a status depends on who answered.
 */
export function withReleasedAnswers(
  counts: Readonly<Record<InvitationStatus, number>>,
  days: readonly AnsweredDay[],
  today: string,
): Record<InvitationStatus, number> {
  const completed = Math.min(counts.kept + counts.sent, countReleasedAnswers(days, today));
  const ofSent = Math.min(counts.sent, completed);
  return { ...counts, kept: counts.kept - (completed - ofSent), sent: counts.sent - ofSent, completed };
}
