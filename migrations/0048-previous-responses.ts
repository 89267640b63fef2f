import type { Knex } from 'knex';

/** The earlier response whose answers a response carries, so that they are erased with it. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('responses', (table) => {
    table.bigInteger('previous_survey_id');
    table.bigInteger('previous_response_id');
    table.index(['previous_survey_id', 'previous_response_id'], 'responses_previous', {
      predicate: db.whereNotNull('previous_response_id'),
    });
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('responses', (table) => {
    table.dropColumns('previous_survey_id', 'previous_response_id');
  });
}
