import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('surveys', (table) => {
    // Raised by each erasure of responses. What was computed from texts read before is not stored after it.
    table.integer('erasures').notNullable().defaultTo(0);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('surveys', (table) => table.dropColumn('erasures'));
}
