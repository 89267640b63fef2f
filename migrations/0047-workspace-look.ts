import type { Knex } from 'knex';

/** The look that the surveys of a workspace have where they set none; only values that differ from the defaults. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('workspaces', (table) => {
    table.jsonb('workspace_look').notNullable().defaultTo('{}');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('workspaces', (table) => {
    table.dropColumn('workspace_look');
  });
}
