import type { Knex } from 'knex';

/*
 * The versions of a survey that ask a question without one of its options, because it was added later or is retired. Whoever answered
 * there could not choose it: its 0/1 column is missing, not 0.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('option_absences', (table) => {
    table.bigInteger('survey_id').notNullable();
    table.bigInteger('question_id').notNullable();
    table.integer('option_code').notNullable();
    table.integer('from_version').notNullable();
    // null: the newest version is without the option.
    table.integer('to_version');
    table.primary(['survey_id', 'question_id', 'option_code', 'from_version']);
    table
      .foreign(['survey_id', 'question_id'])
      .references(['survey_id', 'question_id'])
      .inTable('questions')
      .onDelete('CASCADE');
  });
  // Of each question, the versions that have it without an option; consecutive ones are one range. What came before the question is no
  // gap. A range that begins with the first version that has the question begins with 1, as when versions are published.
  await db.raw(`
    WITH asked AS (
      SELECT v.survey_id, v.version, (q ->> 'id')::bigint AS question_id, q -> 'options' AS options
      FROM survey_versions v, jsonb_path_query(v.definition, '$.pages[*].questions[*]') q
      WHERE EXISTS (SELECT 1 FROM survey_versions later WHERE later.survey_id = v.survey_id AND later.version > 1)
    ), offered AS (
      SELECT survey_id, version, question_id, (o ->> 'code')::integer AS option_code
      FROM asked, jsonb_array_elements(options) o WHERE NOT coalesce((o ->> 'retired')::boolean, false)
    ), absent AS (
      SELECT a.survey_id, a.question_id, known.option_code, a.version,
        a.version - row_number() OVER (PARTITION BY a.survey_id, a.question_id, known.option_code ORDER BY a.version) AS island
      FROM asked a JOIN (SELECT DISTINCT survey_id, question_id, option_code FROM offered) known USING (survey_id, question_id)
      WHERE NOT EXISTS (
        SELECT 1 FROM offered f WHERE f.survey_id = a.survey_id AND f.version = a.version AND f.question_id = a.question_id
          AND f.option_code = known.option_code)
    ), bounds AS (
      SELECT survey_id, question_id, min(version) AS first_version FROM asked GROUP BY 1, 2
    )
    INSERT INTO option_absences (survey_id, question_id, option_code, from_version, to_version)
    SELECT absent.survey_id, absent.question_id, option_code,
      CASE WHEN min(absent.version) = min(first_version) THEN 1 ELSE min(absent.version) END,
      CASE WHEN max(absent.version) < max(published_version) THEN max(absent.version) END
    FROM absent JOIN bounds USING (survey_id, question_id) JOIN surveys ON surveys.survey_id = absent.survey_id
      JOIN questions ON questions.survey_id = absent.survey_id AND questions.question_id = absent.question_id
    GROUP BY absent.survey_id, absent.question_id, option_code, island`);
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('option_absences');
}
