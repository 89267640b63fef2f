import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Every key and every query of response-level tables begins with survey_id, so that they can be spread by it. For the same
    -- reason, and because its check would be a statement of its own for every row, there is no foreign key to surveys: those are
    -- never removed, and survey_id always comes from a survey or link that was just read.
    CREATE SEQUENCE response_ids;
    CREATE TABLE responses (
      survey_id bigint NOT NULL,
      response_id bigint NOT NULL DEFAULT nextval('response_ids'),
      submission_id text,
      -- lets its respondent continue; nobody else has it
      response_token text NOT NULL,
      response_status text NOT NULL CHECK (response_status IN ('complete', 'partial', 'screened_out')),
      status_reason text,
      survey_version integer NOT NULL,
      link_id bigint,
      wave_id bigint,
      respondent_id bigint,
      external_id text,
      language text,
      last_page_id bigint,
      is_test boolean NOT NULL DEFAULT false,
      started_at timestamptz NOT NULL DEFAULT now(),
      completed_at timestamptz,
      updated_at timestamptz NOT NULL DEFAULT now(),
      duration_seconds double precision,
      deleted_at timestamptz,
      -- by question code; null was shown and skipped, absent was not shown
      answers jsonb NOT NULL DEFAULT '{}',
      -- what edits replaced, by question code
      originals jsonb,
      -- values that came with the link
      hidden jsonb,
      -- The transaction that wrote the row last. Readers remember the snapshot they read under and next time fetch the rows
      -- whose transaction that snapshot did not see: right in whichever order transactions commit.
      changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
      PRIMARY KEY (survey_id, response_id)
    );
    ALTER SEQUENCE response_ids OWNED BY responses.response_id;
    CREATE UNIQUE INDEX responses_submission_unique ON responses (survey_id, submission_id) WHERE submission_id IS NOT NULL;
    CREATE UNIQUE INDEX responses_token_unique ON responses (survey_id, response_token);
    CREATE INDEX responses_changed ON responses (survey_id, changed_xid);

    CREATE FUNCTION note_changed_xid() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_xid := pg_current_xact_id();
      RETURN NEW;
    END $$;
    CREATE TRIGGER responses_note_changed BEFORE UPDATE ON responses FOR EACH ROW EXECUTE FUNCTION note_changed_xid();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`DROP TABLE responses; DROP FUNCTION note_changed_xid;`);
}
