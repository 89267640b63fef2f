import type { Knex } from 'knex';

/** Images that authors upload for questions and options. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('survey_images', (table) => {
    // The last part of the public address.
    table.text('image_token').primary();
    table.bigInteger('organization_id').notNullable();
    table.bigInteger('survey_id').notNullable();
    table.text('content_type').notNullable().checkIn(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
    table.binary('picture').notNullable();
    table.bigInteger('uploaded_by').notNullable().references('user_id').inTable('users');
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now());
    // When the image was last known to be in use, or uploaded.
    table.timestamp('used_at').notNullable().defaultTo(db.fn.now());
    table.check('length(picture) BETWEEN 1 AND 2097152');
    table
      .foreign(['organization_id', 'survey_id'])
      .references(['organization_id', 'survey_id'])
      .inTable('surveys');
    table.index(['survey_id'], 'survey_images_survey');
    table.index(['organization_id', 'used_at'], 'survey_images_used');
  });
  // Images are compressed already.
  await db.raw('ALTER TABLE survey_images ALTER COLUMN picture SET STORAGE EXTERNAL');
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('survey_images');
}
