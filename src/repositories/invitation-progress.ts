import type { Database } from '../db/connect.ts';
import { type InvitationStatus, statusesBefore } from '../domain/invitations/invitation-status.ts';

export type RespondentStep = Extract<InvitationStatus, 'opened' | 'started' | 'completed'>;

const STEP_TIME = { opened: 'opened_at', started: 'started_at', completed: 'completed_at' } as const;

/** Progress of invited respondents. A transaction locks invitations first, then links, reservations and responses. */
export class InvitationProgressRepository {
  constructor(private readonly db: Database) {}

  /** Locks the invitations until the transaction ends, and returns those whose response has ended. */
  async lockEnded(invitationIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db('invitations')
      .select('invitation_id', 'has_ended')
      .whereRaw('invitation_id = ANY(?::bigint[])', [[...invitationIds]])
      .orderBy('invitation_id')
      .forNoKeyUpdate();
    return new Set(rows.flatMap((row) => (row.has_ended ? [row.invitation_id] : [])));
  }

  /** Moves the invitations forward to this step. `isTimed`: false for an anonymous survey, which stores no time. */
  async recordInvitationStatus(
    invitationIds: readonly number[],
    step: RespondentStep,
    { isTimed, hasEnded }: { isTimed: boolean; hasEnded: boolean },
  ): Promise<void> {
    const time = STEP_TIME[step];
    await this.db('invitations')
      .whereRaw('invitation_id = ANY(?::bigint[])', [[...invitationIds]])
      .update({
        invitation_status: this.db.raw(
          'CASE WHEN invitation_status = ANY(?) THEN ? ELSE invitation_status END',
          [[...statusesBefore(step)], step],
        ),
        has_ended: this.db.raw('has_ended OR ?', [hasEnded]),
        ...(isTimed ? { [time]: this.db.raw('coalesce(??, now())', [time]) } : {}),
      });
  }
}
