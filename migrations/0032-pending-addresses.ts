import type { Knex } from 'knex';

/**
 * Users who wait for approval do not hold their address against other organizations: joining through an invite link does not reveal where
 * an address has an account. Active and suspended users still have an address of their own over all organizations.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    DROP INDEX users_email_unique;
    -- Created first: within one organization this is the one that PostgreSQL reports.
    CREATE UNIQUE INDEX users_organization_email_unique ON users (organization_id, lower(user_email)) WHERE user_status <> 0;
    CREATE UNIQUE INDEX users_email_unique ON users (lower(user_email)) WHERE user_status IN (1, 3);
    -- For logins, which find users of any status.
    CREATE INDEX users_email ON users (lower(user_email)) WHERE user_status <> 0;
  `);
}

/** Users who wait for approval with an address that somebody else has are rejected. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`
    UPDATE users u SET user_status = 0 WHERE user_status = 2 AND EXISTS (
      SELECT FROM users o WHERE lower(o.user_email) = lower(u.user_email) AND o.user_id <> u.user_id
        AND (o.user_status IN (1, 3) OR (o.user_status = 2 AND o.user_id < u.user_id)));
    DROP INDEX users_email, users_email_unique, users_organization_email_unique;
    CREATE UNIQUE INDEX users_email_unique ON users (lower(user_email)) WHERE user_status <> 0;
  `);
}
