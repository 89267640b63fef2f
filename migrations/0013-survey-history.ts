import type { Knex } from 'knex';

/** Actions that change what respondents see or how the survey is shown. */
const EDITS = `(action IN ('survey.created', 'survey.updated', 'survey.imported', 'survey.duplicated', 'survey.published')
  OR action LIKE 'survey.question%' OR action LIKE 'survey.page%')`;

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('surveys', (table) => {
    // A deleted survey can be restored for some days.
    table.timestamp('deleted_at');
    // The user who last changed the survey or its questions.
    table.bigInteger('updated_by').references('user_id').inTable('users');
  });
  await db.raw('UPDATE surveys SET deleted_at = survey_updated WHERE survey_status = 0');
  await db.raw(`
    UPDATE surveys s SET updated_by = coalesce((
      SELECT a.user_id FROM audit_log a JOIN users u ON u.user_id = a.user_id
      WHERE a.organization_id = s.organization_id AND a.object_type = 'survey' AND a.object_id = s.survey_id::text AND ${EDITS}
      ORDER BY a.audit_id DESC LIMIT 1), s.created_by)`);

  // What the author wrote about the version.
  await db.schema.alterTable('survey_versions', (table) => {
    table.text('note');
  });

  // Complete responses by time: a list of surveys shows those of each day.
  await db.raw(`CREATE INDEX responses_completed ON responses (survey_id, completed_at)
    WHERE response_status = 'complete' AND deleted_at IS NULL AND NOT is_test`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP INDEX responses_completed');
  await db.schema.alterTable('survey_versions', (table) => table.dropColumn('note'));
  await db.schema.alterTable('surveys', (table) => {
    table.dropColumn('updated_by');
    table.dropColumn('deleted_at');
  });
}
