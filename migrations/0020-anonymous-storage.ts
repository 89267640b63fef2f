import type { Knex } from 'knex';

/** Anonymous surveys do not record which of the invited people answered in the status of their invitation. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('invitations', (table) => {
    // The day (in the time zone of the survey) on which a response to an anonymous survey ended; null otherwise.
    table.date('answered_on');
  });
  await db.schema.alterTable('responses', (table) => {
    // The response to an anonymous survey came through a link of one person, so the link is not shown.
    table.boolean('hides_link').notNullable().defaultTo(false);
  });
  await db.raw(`
    UPDATE invitations i SET
      invitation_status = CASE WHEN invitation_status IN ('opened', 'started', 'completed') THEN 'sent' ELSE invitation_status END,
      answered_on = CASE WHEN has_ended THEN (now() AT TIME ZONE s.time_zone)::date END,
      opened_at = NULL, started_at = NULL, completed_at = NULL
    FROM surveys s WHERE s.survey_id = i.survey_id AND s.is_anonymous
  `);
  const links = await db('links')
    .join('surveys', 'surveys.survey_id', 'links.survey_id')
    .where('surveys.is_anonymous', true)
    .where((personal) => {
      void personal
        .where('links.link_type', 'unique')
        .orWhereIn('links.link_id', db('invitations').distinct('link_id'));
    })
    .select<{ survey_id: number; link_id: number }[]>('links.survey_id', 'links.link_id');
  for (const { survey_id: surveyId, link_id: linkId } of links)
    await db('responses').where({ survey_id: surveyId, link_id: linkId }).update({ hides_link: true });
  // A cache, which may contain what is not shown any more.
  await db('survey_segments').whereNotNull('day_zone').delete();
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('responses', (table) => table.dropColumn('hides_link'));
  await db.schema.alterTable('invitations', (table) => table.dropColumn('answered_on'));
}
