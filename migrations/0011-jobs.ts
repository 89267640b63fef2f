import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Work that outlives its request. Put here in the transaction that asks for it, so that neither is there without the other.
    CREATE TABLE jobs (
      job_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      organization_id bigint NOT NULL REFERENCES organizations,
      -- who started it, and alone sees it
      user_id bigint NOT NULL REFERENCES users,
      survey_id bigint REFERENCES surveys,
      kind text NOT NULL,
      payload jsonb NOT NULL,
      status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
      -- 0 to 1
      progress real NOT NULL DEFAULT 0,
      message text,
      result jsonb,
      -- {"message", "code", "details"}, as a client gets it
      error jsonb,
      attempts integer NOT NULL DEFAULT 0,
      -- not before
      run_at timestamptz NOT NULL DEFAULT now(),
      -- the attempt that runs it: whoever has lost its lease can write nothing any more
      lease_id uuid,
      lease_until timestamptz,
      -- the request that started it, as the log knows it
      request_id text,
      created_at timestamptz NOT NULL DEFAULT now(),
      started_at timestamptz,
      finished_at timestamptz,
      CHECK ((lease_id IS NULL) = (lease_until IS NULL)),
      CHECK ((finished_at IS NULL) = (status IN ('queued', 'running')))
    );
    CREATE INDEX jobs_unfinished ON jobs (run_at, job_id) WHERE finished_at IS NULL;
    CREATE INDEX jobs_of_user ON jobs (user_id, job_id);
    CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;

    -- A row is there before its bytes are and until after they are gone, so that no stored file is ever without one.
    CREATE TABLE job_files (
      -- how the file store knows it
      stored_name uuid PRIMARY KEY,
      -- null: nobody's any more, its bytes are to be removed
      job_id bigint REFERENCES jobs ON DELETE SET NULL,
      file_name text NOT NULL,
      content_type text NOT NULL,
      size_bytes bigint,
      created_at timestamptz NOT NULL DEFAULT now(),
      -- null: still being written
      stored_at timestamptz
    );
    CREATE INDEX job_files_by_job ON job_files (job_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`DROP TABLE job_files, jobs;`);
}
