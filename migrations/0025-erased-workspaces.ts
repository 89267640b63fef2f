import type { Knex } from 'knex';

/** Deleted workspaces and derived columns are erased after a time. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('workspaces', (table) => {
    // The contents and the name of the workspace no longer exist; the row remains for the objects that refer to it.
    table.timestamp('erased_at');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('workspaces', (table) => table.dropColumn('erased_at'));
}
