import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE responses
      -- An author trying the draft: always a test, and in no figure, file, grid, quota or count.
      ADD COLUMN is_preview boolean NOT NULL DEFAULT false,
      -- what the skip that ended the response says about it
      ADD COLUMN status_message text,
      ADD CONSTRAINT responses_preview_is_test CHECK (is_test OR NOT is_preview);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE responses DROP CONSTRAINT responses_preview_is_test, DROP COLUMN is_preview, DROP COLUMN status_message;
  `);
}
