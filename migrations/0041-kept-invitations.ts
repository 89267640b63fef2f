import type { Knex } from 'knex';

const STATUSES = ['sent', 'opened', 'started', 'completed', 'failed', 'bounced', 'opted_out', 'suppressed'];
const ACTIVE = ['sent', 'opened', 'started', 'completed'];

export async function up(db: Knex): Promise<void> {
  await allowStatuses(db, ['queued', 'kept', ...STATUSES], ['queued', 'kept', ...ACTIVE]);
  // Invitations whose emails are all in the outbox were never sent.
  await db.raw(
    `UPDATE invitations SET invitation_status = CASE WHEN invitation_status = 'sent' THEN 'kept' ELSE invitation_status END, sent_at = NULL
     WHERE sent_at IS NOT NULL
       AND EXISTS (SELECT FROM mails WHERE mails.invitation_id = invitations.invitation_id AND mail_state = 'stored')
       AND NOT EXISTS (SELECT FROM mails WHERE mails.invitation_id = invitations.invitation_id AND mail_state = 'sent')`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    `UPDATE invitations SET invitation_status = 'sent', sent_at = coalesce(sent_at, created_at) WHERE invitation_status = 'kept'`,
  );
  await allowStatuses(db, ['queued', ...STATUSES], ['queued', ...ACTIVE]);
}

/** `active`: the statuses that a respondent can have once per link. */
async function allowStatuses(db: Knex, statuses: readonly string[], active: readonly string[]) {
  const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
  await db.raw('ALTER TABLE invitations DROP CONSTRAINT invitations_invitation_status_check');
  await db.raw(
    `ALTER TABLE invitations ADD CONSTRAINT invitations_invitation_status_check CHECK (invitation_status IN (${list(statuses)}))`,
  );
  await db.raw('DROP INDEX invitations_active_unique');
  await db.raw(
    `CREATE UNIQUE INDEX invitations_active_unique ON invitations (link_id, respondent_id) WHERE invitation_status IN (${list(active)})`,
  );
}
