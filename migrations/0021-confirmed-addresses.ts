import type { Knex } from 'knex';

/*
 * An email address counts beyond its organization once it is confirmed. How existing addresses count:
 * - confirmed by mail: the owner has used a link that was mailed to the address (the audit log has it, and no later change of the address).
 * - confirmed by the operator of the server: superadmins, whom only the command line creates.
 * - confirmed within their organization only: other users who have signed in. An administrator created or approved them, but that does not
 *   prove that the mailbox is theirs, so they block no other organization.
 * - not confirmed: users who have never signed in.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (table) => {
    table.timestamp('email_confirmed_at');
    table.text('email_confirmed_by').checkIn(['mail', 'operator', 'admin']);
    table.check('(email_confirmed_at IS NULL) = (email_confirmed_by IS NULL)', {}, 'users_email_confirmed');
  });
  await db.schema.alterTable('password_resets', (table) => {
    table.text('purpose').notNullable().defaultTo('reset').checkIn(['reset', 'sign-in', 'confirm']);
    // Whether the link was mailed to the address of the user, so that using it proves that the address is theirs.
    table.boolean('is_mailed').notNullable().defaultTo(false);
  });
  await db.raw(`
    UPDATE users u SET email_confirmed_at = now(), email_confirmed_by = CASE
      WHEN user_role = 'superadmin' THEN 'operator'
      WHEN EXISTS (
        SELECT FROM audit_log used
        WHERE used.organization_id = u.organization_id AND used.object_type = 'user' AND used.object_id = u.user_id::text
          AND used.action = 'user.password_reset' AND NOT EXISTS (
            SELECT FROM audit_log changed
            WHERE changed.organization_id = u.organization_id AND changed.object_type = 'user' AND changed.object_id = u.user_id::text
              AND changed.action = 'user.updated' AND changed.audit_id > used.audit_id
              AND changed.details -> 'fields' @> '["user_email"]')) THEN 'mail'
      ELSE 'admin' END
    WHERE user_status IN (1, 3) AND (last_login_at IS NOT NULL OR user_role = 'superadmin')
  `);
  // An address belongs to one user of the installation who has proved that it is theirs. Others with the same address block nobody.
  await db.raw('DROP INDEX users_email_unique');
  await db.raw(`
    CREATE UNIQUE INDEX users_email_unique ON users (lower(user_email))
    WHERE user_status IN (1, 3) AND email_confirmed_by IN ('mail', 'operator')
  `);
}

/** Fails if users of several organizations have the same address. */
export async function down(db: Knex): Promise<void> {
  await db.raw('DROP INDEX users_email_unique');
  await db.raw(
    'CREATE UNIQUE INDEX users_email_unique ON users (lower(user_email)) WHERE user_status IN (1, 3)',
  );
  await db.schema.alterTable('password_resets', (table) => {
    table.dropColumns('purpose', 'is_mailed');
  });
  await db.schema.alterTable('users', (table) => {
    table.dropColumns('email_confirmed_at', 'email_confirmed_by');
  });
}
