import type { Knex } from 'knex';

/** Deleted surveys and responses are erased after a time. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('surveys', (table) => {
    // The data and texts of the survey no longer exist; the row remains for the objects that refer to it.
    table.timestamp('erased_at');
  });
  await db.raw('CREATE INDEX responses_deleted ON responses (deleted_at) WHERE deleted_at IS NOT NULL');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP INDEX responses_deleted');
  await db.schema.alterTable('surveys', (table) => table.dropColumn('erased_at'));
}
