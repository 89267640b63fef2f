import type { Database } from '../db/connect.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { type InvitationStatus, statusesBefore } from '../domain/invitations/invitation-status.ts';

export type RespondentStep = Extract<InvitationStatus, 'opened' | 'started' | 'completed'>;

const MOMENT = { opened: 'opened_at', started: 'started_at', completed: 'completed_at' } as const;

/** What invited people do with their invitations. Whoever takes locks takes these first, then links, places and responses. */
export class InvitationStepRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Until the transaction ends nobody else answers by these. Those whose response has ended. */
  async lockEnded(invitationIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ invitation_id: number; has_ended: boolean }>(
      this.db,
      `SELECT invitation_id, has_ended FROM invitations WHERE invitation_id = ANY(?::bigint[])
       ORDER BY invitation_id FOR NO KEY UPDATE`,
      [invitationIds],
    );
    return new Set(rows.flatMap((row) => (row.has_ended ? [row.invitation_id] : [])));
  }

  /** `isTimed`: of an anonymous survey nobody keeps when. */
  async take(
    invitationIds: readonly number[],
    step: RespondentStep,
    { isTimed, hasEnded }: { isTimed: boolean; hasEnded: boolean },
  ): Promise<void> {
    const column = MOMENT[step];
    await countOf(
      this.db,
      `UPDATE invitations SET invitation_status = CASE WHEN invitation_status = ANY(?) THEN ? ELSE invitation_status END,
         has_ended = has_ended OR ?, ${column} = CASE WHEN ? THEN coalesce(${column}, now()) ELSE ${column} END
       WHERE invitation_id = ANY(?::bigint[])`,
      [statusesBefore(step), step, hasEnded, isTimed, invitationIds],
    );
  }
}
