import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Which segments a survey's columns can be read from, all of one moment. Responses stay the truth: without these everything is only
    -- slower.
    CREATE TABLE survey_segments (
      survey_id bigint PRIMARY KEY REFERENCES surveys ON DELETE CASCADE,
      -- what PostgreSQL showed when they were right: what was written since is read from the responses
      snapshot pg_snapshot NOT NULL,
      -- whether times are told as days
      is_anonymous boolean NOT NULL,
      -- [{segment_id, last_id, rows}] in the order of ids: each begins behind the one before
      ranges jsonb NOT NULL,
      -- The transaction that wrote this row. Where it is not the row's own xmin, the row was copied here from another server, whose
      -- snapshots mean nothing.
      sealed_xid xid8 NOT NULL DEFAULT pg_current_xact_id()
    );

    CREATE SEQUENCE response_segment_ids AS bigint;

    -- The columns of one question, or of one metadata column, for a run of responses.
    CREATE TABLE response_segments (
      segment_id bigint NOT NULL,
      -- a question's code, that of a metadata column, or #ids and #states
      unit text NOT NULL,
      survey_id bigint NOT NULL REFERENCES surveys ON DELETE CASCADE,
      -- SHA-256 of how it is laid out: with other options of the question it cannot be read
      layout bytea NOT NULL,
      -- SHA-256 of the data
      checksum bytea NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (segment_id, unit)
    );
    CREATE INDEX response_segments_survey ON response_segments (survey_id);
    -- It is compressed already.
    ALTER TABLE response_segments ALTER COLUMN data SET STORAGE EXTERNAL;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP TABLE survey_segments, response_segments; DROP SEQUENCE response_segment_ids');
}
