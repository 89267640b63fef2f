import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- A row is there before its bytes are and until after they are gone, so that no stored file is ever without one.
    CREATE TABLE response_files (
      survey_id bigint NOT NULL REFERENCES surveys,
      file_id uuid NOT NULL,
      response_id bigint NOT NULL,
      question_code text NOT NULL,
      -- how the file store knows it; random, and not the file_id that clients see
      stored_name uuid NOT NULL,
      original_name text NOT NULL,
      content_type text NOT NULL,
      size_bytes bigint,
      sha256 text,
      created_at timestamptz NOT NULL DEFAULT now(),
      -- null: still coming in
      stored_at timestamptz,
      -- its bytes are to be removed, then the row
      deleted_at timestamptz,
      PRIMARY KEY (survey_id, file_id)
    );
    CREATE INDEX response_files_by_response ON response_files (survey_id, response_id, question_code);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`DROP TABLE response_files;`);
}
