import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('campaigns', (table) => {
    // Not before this time; null: at once.
    table.timestamp('send_at');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('campaigns', (table) => table.dropColumn('send_at'));
}
