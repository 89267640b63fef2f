import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('campaigns', (table) => {
    // Why emails that are due are not sent, and when sending is tried again; null: nothing prevents it.
    table.text('wait_reason');
    table.timestamp('wait_until');
    table.check('(wait_reason IS NULL) = (wait_until IS NULL)', [], 'campaigns_wait');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('campaigns', (table) => {
    table.dropChecks(['campaigns_wait']);
    table.dropColumns('wait_reason', 'wait_until');
  });
}
