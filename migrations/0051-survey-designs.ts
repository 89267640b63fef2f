import type { Knex } from 'knex';

/** How the respondents of a survey were sampled: strata, clusters, weights, or replicate weights. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('survey_designs', (table) => {
    table.bigInteger('survey_id').primary();
    table.bigInteger('organization_id').notNullable();
    table.jsonb('sampling_design').notNullable();
    table
      .foreign(['organization_id', 'survey_id'])
      .references(['organization_id', 'survey_id'])
      .inTable('surveys');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('survey_designs');
}
