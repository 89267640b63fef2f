import type { Knex } from 'knex';

/** The reason of the skip rule that ended a response is data of the workspace, not a message to the respondent. */
export async function up(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE responses RENAME COLUMN status_message TO end_reason');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE responses RENAME COLUMN end_reason TO status_message');
}
