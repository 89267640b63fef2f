import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- is_seeded: made by the server for trying things out; an imported test response is none.
    -- seed_removal: it was taken away with all seeded ones; no change with a smaller change_id brings it back when it is undone.
    ALTER TABLE responses
      ADD COLUMN is_seeded boolean NOT NULL DEFAULT false,
      ADD COLUMN seed_removal bigint;
    CREATE INDEX responses_seeded ON responses (survey_id) WHERE is_seeded;

    -- Until now a test response came from nowhere else but an import, which notes what it makes.
    UPDATE responses r SET is_seeded = true
    WHERE is_test AND NOT is_preview AND submission_id IS NULL AND link_id IS NULL AND NOT EXISTS (
      SELECT FROM data_changes c JOIN data_change_rows d USING (survey_id, change_id)
      WHERE c.operation = 'import' AND d.survey_id = r.survey_id AND d.response_id = r.response_id
        AND d.before ->> 'deletedAt' IS NOT NULL);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    DROP INDEX responses_seeded;
    ALTER TABLE responses DROP COLUMN is_seeded, DROP COLUMN seed_removal;
  `);
}
