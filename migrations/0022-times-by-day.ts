import type { Knex } from 'knex';

/*
 * Responses of anonymous surveys store their times rounded down to the day. A trigger rounds them, so that they are rounded whichever code
 * writes a response, with those of its files. While a response is in progress its times are exact, because its duration depends on them.
 */

const TIMES = ['started_at', 'completed_at', 'updated_at', 'consented_at'] as const;

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('responses', (table) => {
    // The time zone to whose days the times are rounded; null: they are exact.
    table.text('day_zone');
    // In progress: the times are not rounded yet.
    table.boolean('has_exact_times').notNullable().defaultTo(false);
    table.index(['survey_id'], 'responses_exact_times', { predicate: db.whereRaw('has_exact_times') });
  });
  await db.raw(`
    CREATE FUNCTION round_response_times() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.has_exact_times := NEW.response_status = 'partial' AND (TG_OP = 'INSERT' OR NEW.has_exact_times);
      IF NOT NEW.has_exact_times THEN
        ${TIMES.map((time) => `NEW.${time} := date_trunc('day', NEW.${time}, NEW.day_zone);`).join('\n        ')}
        IF TG_OP = 'UPDATE' AND (OLD.has_exact_times OR OLD.day_zone IS NULL) THEN
          UPDATE public.response_files SET created_at = date_trunc('day', created_at, NEW.day_zone), stored_at = date_trunc('day', stored_at, NEW.day_zone)
          WHERE survey_id = NEW.survey_id AND response_id = NEW.response_id;
        END IF;
      END IF;
      RETURN NEW;
    END $$`);
  await db.raw(`
    CREATE TRIGGER responses_round_times BEFORE INSERT OR UPDATE ON responses
      FOR EACH ROW WHEN (NEW.day_zone IS NOT NULL) EXECUTE FUNCTION round_response_times()`);
  const surveys = await db('surveys')
    .where({ is_anonymous: true })
    .select<{ survey_id: number; time_zone: string }[]>('survey_id', 'time_zone');
  for (const { survey_id: surveyId, time_zone: zone } of surveys)
    await db('responses').where({ survey_id: surveyId }).update({ day_zone: zone });
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP TRIGGER responses_round_times ON responses');
  await db.raw('DROP FUNCTION round_response_times()');
  await db.schema.alterTable('responses', (table) => table.dropColumns('day_zone', 'has_exact_times'));
}
