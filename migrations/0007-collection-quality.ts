import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE responses
      -- seconds by page_id, each bounded by what the server saw pass
      ADD COLUMN page_times jsonb,
      -- keyed by survey; only where duplicate checks of the address ask for it, never of an anonymous survey
      ADD COLUMN address_hash text,
      -- as the respondent's page sent it; only where duplicate checks of it ask for it, never of an anonymous survey
      ADD COLUMN fingerprint text,
      -- {"flags": [...]}, what was conspicuous when the response ended
      ADD COLUMN quality jsonb,
      ADD COLUMN consented_at timestamptz;
    CREATE INDEX responses_address ON responses (survey_id, address_hash) WHERE address_hash IS NOT NULL;
    CREATE INDEX responses_fingerprint ON responses (survey_id, fingerprint) WHERE fingerprint IS NOT NULL;
    CREATE INDEX responses_external_id ON responses (survey_id, external_id) WHERE external_id IS NOT NULL;

    -- Every reader of response times asks for it.
    ALTER TABLE surveys ADD COLUMN is_anonymous boolean
      GENERATED ALWAYS AS (coalesce(survey_settings -> 'anonymous' = 'true'::jsonb, false)) STORED;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE surveys DROP COLUMN is_anonymous;
    ALTER TABLE responses DROP COLUMN page_times, DROP COLUMN address_hash, DROP COLUMN fingerprint, DROP COLUMN quality,
      DROP COLUMN consented_at;
  `);
}
