import type { Knex } from 'knex';

/** Every question of the published versions, by an SQL expression over its settings `s`. */
function mapVersionSettings(expression: string, where: string): string {
  return `
    UPDATE survey_versions SET definition = jsonb_set(definition, '{pages}', (
      SELECT coalesce(jsonb_agg(jsonb_set(page, '{questions}', (
        SELECT coalesce(jsonb_agg(jsonb_set(question, '{settings}', ${expression}) ORDER BY question_place), '[]')
        FROM jsonb_array_elements(page -> 'questions') WITH ORDINALITY AS q (question, question_place),
             LATERAL (SELECT question -> 'settings' AS s, question ->> 'type' AS type) AS of_question
      )) ORDER BY page_place), '[]')
      FROM jsonb_array_elements(definition -> 'pages') WITH ORDINALITY AS p (page, page_place)
    ))
    WHERE ${where};`;
}

/**
 * Choice questions have a measure. Those that came from a statistics file get the measure that the file gave them, in the draft and in
 * the published versions; other choices are nominal by default, the rows of a matrix ordinal, as before.
 */
export async function up(db: Knex): Promise<void> {
  const imported = (settings: string, type: string) =>
    `${type} IN ('single_choice', 'dropdown') AND ${settings} #>> '{variable,measure}' IN ('ordinal', 'scale')`;
  const withMeasure = (settings: string) =>
    `jsonb_set(${settings}, '{measure}', ${settings} #> '{variable,measure}')`;
  await db.raw(
    `UPDATE questions SET question_settings = ${withMeasure('question_settings')}
     WHERE ${imported('question_settings', 'question_type')};
     ${mapVersionSettings(
       `CASE WHEN ${imported('s', 'type')} THEN ${withMeasure('s')} ELSE s END`,
       `definition @? '$.pages[*].questions[*].settings.variable.measure'`,
     )}`.replaceAll('?', '\\?'),
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    `UPDATE questions SET question_settings = question_settings - 'measure' WHERE question_settings ? 'measure';
     ${mapVersionSettings(`s - 'measure'`, `definition @? '$.pages[*].questions[*].settings.measure'`)}`.replaceAll(
      '?',
      '\\?',
    ),
  );
}
