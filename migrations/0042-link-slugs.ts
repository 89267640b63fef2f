import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('links', (table) => {
    table.text('link_slug');
  });
  // Over all organizations, and also of deleted links: an address that was printed must not lead to the survey of someone else.
  await db.raw(
    'CREATE UNIQUE INDEX links_slug_unique ON links (link_slug text_pattern_ops) WHERE link_slug IS NOT NULL',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('links', (table) => {
    table.dropColumn('link_slug');
  });
}
