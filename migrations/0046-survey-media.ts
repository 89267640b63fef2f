import type { Knex } from 'knex';

/** Sound, video and captions that authors upload for questions. Their bytes are in the file storage. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('survey_media', (table) => {
    // The last part of the public address, without the extension.
    table.text('media_token').primary();
    table.bigInteger('organization_id').notNullable();
    table.bigInteger('survey_id').notNullable();
    table.text('media_type').notNullable().checkIn(['mp3', 'm4a', 'ogg', 'mp4', 'webm', 'vtt']);
    table.uuid('stored_name').notNullable().unique();
    // Null until all bytes are stored; upload_totals counts them then, until the row is deleted.
    table.bigInteger('size_bytes').nullable();
    table.bigInteger('uploaded_by').notNullable().references('user_id').inTable('users');
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now());
    // When the file was last known to be in use, or uploaded.
    table.timestamp('used_at').notNullable().defaultTo(db.fn.now());
    // Hidden from every reader; a scheduled task removes the bytes and then the row.
    table.timestamp('deleted_at').nullable();
    table.check('size_bytes >= 1');
    table
      .foreign(['organization_id', 'survey_id'])
      .references(['organization_id', 'survey_id'])
      .inTable('surveys');
    table.index(['survey_id'], 'survey_media_survey');
    table.index(['organization_id', 'used_at'], 'survey_media_used');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('survey_media');
}
