import type { Knex } from 'knex';

/** API keys may expire, and the networks that they were used from are known. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE api_keys ADD COLUMN expires_at timestamptz;
    -- One row per network (an IPv4 address, or the /56 of an IPv6 address) that a key was used from.
    CREATE TABLE api_key_networks (
      api_key_id bigint NOT NULL REFERENCES api_keys,
      network text NOT NULL,
      first_used_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (api_key_id, network)
    );
  `);
}

/** Keys that have expired are revoked: without the column they would work again. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`
    UPDATE api_keys SET revoked_at = expires_at WHERE revoked_at IS NULL AND expires_at <= now();
    ALTER TABLE api_keys DROP COLUMN expires_at;
    DROP TABLE api_key_networks;
  `);
}
