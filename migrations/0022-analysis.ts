import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- What an engine once made of texts or figures of a survey, so that asking again costs nothing.
    CREATE TABLE analysis_results (
      survey_id bigint NOT NULL REFERENCES surveys ON DELETE CASCADE,
      -- SHA-256 of the operation, the engine, the model, the options and what was read
      result_key bytea NOT NULL CHECK (octet_length(result_key) = 32),
      result jsonb NOT NULL,
      made_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (survey_id, result_key)
    );
    CREATE INDEX analysis_results_made ON analysis_results (made_at);

    -- What is being worked on: whoever asks for the same meanwhile waits for it.
    ALTER TABLE credit_reservations ADD COLUMN work_key bytea CHECK (octet_length(work_key) = 32);
    CREATE UNIQUE INDEX credit_reservations_work ON credit_reservations (organization_id, survey_id, work_key)
      WHERE reservation_state = 'open' AND work_key IS NOT NULL;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE credit_reservations DROP COLUMN work_key; DROP TABLE analysis_results');
}
