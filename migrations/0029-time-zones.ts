import type { Knex } from 'knex';

/** Surveys have a time zone, which was UTC for all of them; days of anonymous responses are days of that zone. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE surveys ADD COLUMN time_zone text NOT NULL
      GENERATED ALWAYS AS (coalesce(survey_settings ->> 'timezone', 'UTC')) STORED;
    -- The zone whose days the times of an anonymous survey were rounded to; null: they are exact.
    ALTER TABLE survey_segments ADD COLUMN day_zone text;
    UPDATE survey_segments SET day_zone = 'UTC' WHERE is_anonymous;
    ALTER TABLE survey_segments DROP COLUMN is_anonymous;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    ALTER TABLE survey_segments ADD COLUMN is_anonymous boolean;
    UPDATE survey_segments SET is_anonymous = day_zone IS NOT NULL;
    -- Before this migration days were those of UTC.
    DELETE FROM survey_segments WHERE day_zone <> 'UTC';
    ALTER TABLE survey_segments ALTER COLUMN is_anonymous SET NOT NULL, DROP COLUMN day_zone;
    ALTER TABLE surveys DROP COLUMN time_zone;
    UPDATE surveys SET survey_settings = survey_settings - 'timezone' WHERE jsonb_exists(survey_settings, 'timezone');
  `);
}
