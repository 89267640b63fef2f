import type { Knex } from 'knex';

/** Blocks that are shown once for each of several items; null: once. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('survey_blocks', (table) => table.jsonb('block_loop'));
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('survey_blocks', (table) => table.dropColumn('block_loop'));
}
