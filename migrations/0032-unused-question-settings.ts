import type { Knex } from 'knex';

/** Settings that have no effect on a question have their defaults; the API refuses other values. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    UPDATE questions SET question_settings = question_settings || '{"shuffle": "none"}'
    WHERE question_type IN ('text', 'number', 'scale', 'nps', 'date', 'slider', 'file_upload') AND question_settings->>'shuffle' <> 'none'`);
  await db.raw(`
    UPDATE questions SET question_settings = question_settings || '{"placeholder": null}'
    WHERE question_settings->>'placeholder' IS NOT NULL AND (
      question_type IN ('single_choice', 'multiple_choice', 'scale', 'matrix', 'ranking', 'nps', 'slider', 'file_upload')
      OR question_type = 'date' AND coalesce(question_settings->>'precision', 'date') NOT IN ('month', 'year'))`);
}

/** The former values had no effect. */
export const down = (): Promise<void> => Promise.resolve();
