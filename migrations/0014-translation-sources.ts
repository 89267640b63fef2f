import type { Knex } from 'knex';

/** Fingerprints of the texts that outdated translations belong to, by language and path. */
export async function up(db: Knex): Promise<void> {
  for (const name of ['surveys', 'questions'])
    await db.schema.alterTable(name, (table) => {
      table.jsonb('translation_sources').notNullable().defaultTo('{}');
    });
}

export async function down(db: Knex): Promise<void> {
  for (const name of ['questions', 'surveys'])
    await db.schema.alterTable(name, (table) => table.dropColumn('translation_sources'));
}
