import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Keyed hash of the client_secret that came with the first request of a submission_id; null: none came.
    ALTER TABLE responses ADD COLUMN client_secret_hash text;

    -- The address for opting out has a token of its own, which does not open the survey. Mails sent before this migration name
    -- link_token in both addresses: opting out by link_token stays possible for their invitations alone.
    ALTER TABLE invitations
      ADD COLUMN opt_out_token text,
      ADD COLUMN link_token_opts_out boolean NOT NULL DEFAULT false;
    UPDATE invitations SET link_token_opts_out = true, opt_out_token = replace(gen_random_uuid()::text, '-', '');
    ALTER TABLE invitations
      ALTER COLUMN opt_out_token SET NOT NULL,
      ADD CONSTRAINT invitations_opt_out_token_unique UNIQUE (opt_out_token);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE invitations DROP COLUMN opt_out_token, DROP COLUMN link_token_opts_out;
    ALTER TABLE responses DROP COLUMN client_secret_hash;
  `);
}
