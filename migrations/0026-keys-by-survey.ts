import type { Knex } from 'knex';

/** As in 0017, but for how a cell and a wave are named: by `survey_id` as well, or by their ids alone. */
function noteQuotaCounts(bySurvey: boolean): string {
  const survey = bySurvey ? 'survey_id, ' : '';
  const counts = 'deleted_at IS NULL AND NOT is_test';
  const unjudged = `response_status = 'complete' AND wave_id IS NOT NULL AND quota_cells IS NULL AND ${counts}`;
  const those = (table: string, sign: string) =>
    `SELECT ${survey}quota_cells, response_status, status_reason, ${sign} AS sign FROM ${table}
         WHERE quota_cells IS NOT NULL AND ${counts}`;
  const note = (changes: string) => `
        UPDATE quota_cells c SET completed = c.completed + d.completed, over_quota = c.over_quota + d.over_quota
        FROM (
          SELECT ${survey}cell_id, coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) AS completed,
                 coalesce(sum(sign) FILTER (WHERE response_status = 'screened_out' AND status_reason = 'over_quota'), 0) AS over_quota
          FROM (${changes}) AS changes CROSS JOIN LATERAL unnest(quota_cells) AS cell_id
          GROUP BY ${survey}cell_id) d
        WHERE ${bySurvey ? 'c.survey_id = d.survey_id AND ' : ''}c.cell_id = d.cell_id AND (d.completed <> 0 OR d.over_quota <> 0);`;
  const refuseUnjudged = (responses: string) => `
        IF EXISTS (${responses}) THEN
          PERFORM pg_advisory_xact_lock_shared(hashtextextended('quotas of wave ' || wave_id, 0))
          FROM (SELECT DISTINCT wave_id FROM (${responses}) AS unjudged ORDER BY wave_id) AS of_waves;
          IF EXISTS (SELECT FROM (${responses}) AS unjudged JOIN waves USING (wave_id) WHERE quota_revision > 0) THEN
            RAISE EXCEPTION 'the wave has quotas by now' USING ERRCODE = '40001';
          END IF;
        END IF;`;
  return `
    CREATE OR REPLACE FUNCTION note_quota_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Only responses of waves count in cells; the others are looked at once.
      IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM written WHERE wave_id IS NOT NULL) THEN RETURN NULL; END IF;${note(those('written', '1'))}${refuseUnjudged(`SELECT wave_id FROM written WHERE ${unjudged}`)}
      ELSIF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM replaced WHERE wave_id IS NOT NULL) THEN RETURN NULL; END IF;${note(those('replaced', '-1'))}
      ELSE
        IF NOT EXISTS (SELECT FROM written WHERE wave_id IS NOT NULL) THEN RETURN NULL; END IF;${note(`${those('written', '1')}
         UNION ALL
         ${those('replaced', '-1')}`)}${refuseUnjudged(`SELECT w.wave_id FROM (SELECT * FROM written WHERE ${unjudged}) w
          JOIN replaced r USING (survey_id, response_id) WHERE r.response_status <> 'complete'`)}
      END IF;
      RETURN NULL;
    END $$;`;
}

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Tables that grow with responses are spread by survey_id (cli distribute), and then every key of theirs has to contain it. The
    -- three here are small, or have few and large rows: each statement holds its table for some milliseconds.
    ALTER TABLE response_segments DROP CONSTRAINT response_segments_pkey, ADD PRIMARY KEY (survey_id, segment_id, unit);
    DROP INDEX response_segments_survey;

    ALTER TABLE quotas ADD CONSTRAINT quotas_of_survey_unique UNIQUE (survey_id, quota_id);
    ALTER TABLE quota_holds DROP CONSTRAINT quota_holds_cell_id_fkey;
    ALTER TABLE quota_cells DROP CONSTRAINT quota_cells_quota_id_fkey, DROP CONSTRAINT quota_cells_pkey,
      ADD PRIMARY KEY (survey_id, cell_id),
      ADD CONSTRAINT quota_cells_quota_fkey FOREIGN KEY (survey_id, quota_id) REFERENCES quotas (survey_id, quota_id) ON DELETE CASCADE;
    DROP INDEX quota_cells_survey;
    ALTER TABLE quota_holds ADD CONSTRAINT quota_holds_cell_fkey
      FOREIGN KEY (survey_id, cell_id) REFERENCES quota_cells ON DELETE CASCADE;
    ${noteQuotaCounts(true)}
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    DO $$ BEGIN
      IF (SELECT relkind <> 'r' FROM pg_class WHERE oid = 'responses'::regclass) THEN
        RAISE EXCEPTION 'responses are in partitions: make them one table again first (cli distribute --partitions 0)';
      END IF;
    END $$;
    ${noteQuotaCounts(false)}
    ALTER TABLE quota_holds DROP CONSTRAINT quota_holds_cell_fkey;
    ALTER TABLE quota_cells DROP CONSTRAINT quota_cells_quota_fkey, DROP CONSTRAINT quota_cells_pkey,
      ADD PRIMARY KEY (cell_id),
      ADD CONSTRAINT quota_cells_quota_id_fkey FOREIGN KEY (quota_id) REFERENCES quotas ON DELETE CASCADE;
    CREATE INDEX quota_cells_survey ON quota_cells (survey_id);
    ALTER TABLE quota_holds ADD CONSTRAINT quota_holds_cell_id_fkey FOREIGN KEY (cell_id) REFERENCES quota_cells ON DELETE CASCADE;
    ALTER TABLE quotas DROP CONSTRAINT quotas_of_survey_unique;

    ALTER TABLE response_segments DROP CONSTRAINT response_segments_pkey, ADD PRIMARY KEY (segment_id, unit);
    CREATE INDEX response_segments_survey ON response_segments (survey_id);
  `);
}
