import type { Knex } from 'knex';

/** A key has a row only together with its reply, so rows without one belong to requests that were cut off. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    DELETE FROM idempotency_keys WHERE status IS NULL;
    ALTER TABLE idempotency_keys
      ALTER COLUMN status SET NOT NULL,
      ALTER COLUMN reply SET NOT NULL;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE idempotency_keys
      ALTER COLUMN status DROP NOT NULL,
      ALTER COLUMN reply DROP NOT NULL;
  `);
}
