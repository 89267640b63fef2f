import type { Knex } from 'knex';

/*
 * Counters are kept by statement triggers on responses, so that they are right whichever code writes responses: one statement
 * for each counter and batch. Transition tables: `written` has the new rows, `replaced` the old ones. db/distribution/citus.ts
 * replaces these triggers on Citus, which has no transition tables.
 */

/** Responses that are counted. */
const COUNTED = 'deleted_at IS NULL AND NOT is_test';

/** SQL that adds `changes` (survey_id, wave_id, response_status, sign) to wave_counts. */
const addToWaves = (changes: string) => `
        INSERT INTO wave_counts AS c
        SELECT survey_id, wave_id, pg_backend_pid() % 64,
               coalesce(sum(sign) FILTER (WHERE response_status = 'partial'), 0),
               coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0),
               coalesce(sum(sign) FILTER (WHERE response_status = 'screened_out'), 0)
        FROM (${changes}) AS changes
        GROUP BY survey_id, wave_id
        HAVING coalesce(sum(sign) FILTER (WHERE response_status = 'partial'), 0) <> 0
            OR coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) <> 0
            OR coalesce(sum(sign) FILTER (WHERE response_status = 'screened_out'), 0) <> 0
        ORDER BY survey_id, wave_id
        ON CONFLICT (survey_id, wave_id, slot) DO UPDATE SET
          partial = c.partial + excluded.partial,
          complete = c.complete + excluded.complete,
          screened_out = c.screened_out + excluded.screened_out;`;

const waveRows = (table: string, sign: string) =>
  `SELECT survey_id, wave_id, response_status, ${sign} AS sign FROM ${table}
         WHERE wave_id IS NOT NULL AND ${COUNTED}`;

/** SQL that adds `changes` (survey_id, quota_cells, response_status, status_reason, sign) to their quota cells. */
const addToCells = (changes: string) => `
        UPDATE quota_cells c SET completed = c.completed + d.completed, over_quota = c.over_quota + d.over_quota
        FROM (
          SELECT survey_id, cell_id, coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) AS completed,
                 coalesce(sum(sign) FILTER (WHERE response_status = 'screened_out' AND status_reason = 'over_quota'), 0) AS over_quota
          FROM (${changes}) AS changes CROSS JOIN LATERAL unnest(quota_cells) AS cell_id
          GROUP BY survey_id, cell_id) d
        WHERE c.survey_id = d.survey_id AND c.cell_id = d.cell_id AND (d.completed <> 0 OR d.over_quota <> 0);`;

const cellRows = (table: string, sign: string) =>
  `SELECT survey_id, quota_cells, response_status, status_reason, ${sign} AS sign FROM ${table}
         WHERE quota_cells IS NOT NULL AND ${COUNTED}`;

/** Complete responses of waves for which quotas were not evaluated. */
const NOT_EVALUATED = `response_status = 'complete' AND wave_id IS NOT NULL AND quota_cells IS NULL AND ${COUNTED}`;

/**
 * SQL that rejects `responses` (wave_id) which were completed while their wave had no quotas, when it has quotas by the time that they
 * are written: 40001 makes the writer evaluate them again.
 */
const rejectNotEvaluated = (responses: string) => `
        IF EXISTS (${responses}) THEN
          PERFORM pg_advisory_xact_lock_shared(hashtextextended('quotas of wave ' || wave_id, 0))
          FROM (SELECT DISTINCT wave_id FROM (${responses}) AS not_evaluated ORDER BY wave_id) AS of_waves;
          IF EXISTS (SELECT FROM (${responses}) AS not_evaluated JOIN waves USING (wave_id) WHERE quota_revision > 0) THEN
            RAISE EXCEPTION 'the wave has quotas by now' USING ERRCODE = '40001';
          END IF;
        END IF;`;

/** One trigger for each event, because a trigger with transition tables can have one event only. */
const triggersOf = (kind: string, procedure: string) => `
    CREATE TRIGGER responses_${kind}_inserted AFTER INSERT ON responses
      REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}();
    CREATE TRIGGER responses_${kind}_updated AFTER UPDATE ON responses
      REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}();
    CREATE TRIGGER responses_${kind}_deleted AFTER DELETE ON responses
      REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}();`;

export async function up(db: Knex): Promise<void> {
  // Responses (without deleted and test ones) per survey and link: counting a million rows takes half a
  // second, this one lookup. link_id 0: no link. Each connection adds to a slot of its own, so that
  // concurrent writers do not wait for each other; one slot may be negative, the sum is exact.
  await db.schema.createTable('response_counts', (table) => {
    table.bigInteger('survey_id').notNullable();
    table.bigInteger('link_id').notNullable();
    table.integer('slot').notNullable();
    table.bigInteger('response_count').notNullable();
    table.bigInteger('complete_count').notNullable();
    table.primary(['survey_id', 'link_id', 'slot']);
  });
  await db.raw(`
    CREATE FUNCTION update_response_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      slot_of_connection integer := pg_backend_pid() % 64;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO response_counts AS c
        SELECT survey_id, coalesce(link_id, 0), slot_of_connection,
               count(*), count(*) FILTER (WHERE response_status = 'complete')
        FROM written WHERE deleted_at IS NULL AND NOT is_test
        GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (survey_id, link_id, slot) DO UPDATE SET
          response_count = c.response_count + excluded.response_count,
          complete_count = c.complete_count + excluded.complete_count;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO response_counts AS c
        SELECT survey_id, coalesce(link_id, 0), slot_of_connection,
               -count(*), -count(*) FILTER (WHERE response_status = 'complete')
        FROM replaced WHERE deleted_at IS NULL AND NOT is_test
        GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (survey_id, link_id, slot) DO UPDATE SET
          response_count = c.response_count + excluded.response_count,
          complete_count = c.complete_count + excluded.complete_count;
      ELSE
        INSERT INTO response_counts AS c
        SELECT survey_id, coalesce(link_id, 0), slot_of_connection,
               sum(sign), coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0)
        FROM (
          SELECT survey_id, link_id, response_status, 1 AS sign FROM written WHERE deleted_at IS NULL AND NOT is_test
          UNION ALL
          SELECT survey_id, link_id, response_status, -1 FROM replaced WHERE deleted_at IS NULL AND NOT is_test
        ) AS changes
        GROUP BY 1, 2
        HAVING sum(sign) <> 0 OR coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) <> 0
        ORDER BY 1, 2
        ON CONFLICT (survey_id, link_id, slot) DO UPDATE SET
          response_count = c.response_count + excluded.response_count,
          complete_count = c.complete_count + excluded.complete_count;
      END IF;
      RETURN NULL;
    END $$;
    ${triggersOf('count', 'update_response_counts')}
  `);

  // The same per wave. A wave without a row has had no responses.
  await db.schema.createTable('wave_counts', (table) => {
    table.bigInteger('survey_id').notNullable();
    table.bigInteger('wave_id').notNullable();
    table.integer('slot').notNullable();
    table.bigInteger('partial').notNullable();
    table.bigInteger('complete').notNullable();
    table.bigInteger('screened_out').notNullable();
    table.primary(['survey_id', 'wave_id', 'slot']);
  });
  await db.raw(`
    CREATE FUNCTION update_wave_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN${addToWaves(waveRows('written', '1'))}
      ELSIF TG_OP = 'DELETE' THEN${addToWaves(waveRows('replaced', '-1'))}
      ELSE${addToWaves(`${waveRows('written', '1')}
         UNION ALL
         ${waveRows('replaced', '-1')}`)}
      END IF;
      RETURN NULL;
    END $$;
    ${triggersOf('wave', 'update_wave_counts')}
  `);

  await db.raw(`
    CREATE FUNCTION update_quota_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Only responses of waves count in cells; the others are looked at once.
      IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM written WHERE wave_id IS NOT NULL) THEN RETURN NULL; END IF;${addToCells(cellRows('written', '1'))}${rejectNotEvaluated(`SELECT wave_id FROM written WHERE ${NOT_EVALUATED}`)}
      ELSIF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM replaced WHERE wave_id IS NOT NULL) THEN RETURN NULL; END IF;${addToCells(cellRows('replaced', '-1'))}
      ELSE
        IF NOT EXISTS (SELECT FROM written WHERE wave_id IS NOT NULL) THEN RETURN NULL; END IF;${addToCells(`${cellRows('written', '1')}
         UNION ALL
         ${cellRows('replaced', '-1')}`)}${rejectNotEvaluated(`SELECT w.wave_id FROM (SELECT * FROM written WHERE ${NOT_EVALUATED}) w
          JOIN replaced r USING (survey_id, response_id) WHERE r.response_status <> 'complete'`)}
      END IF;
      RETURN NULL;
    END $$;
    ${triggersOf('quota', 'update_quota_counts')}
  `);
}

export async function down(db: Knex): Promise<void> {
  // With CASCADE: its triggers go with a function, and distribution on Citus has removed them already.
  await db.raw('DROP FUNCTION update_quota_counts, update_wave_counts, update_response_counts CASCADE');
  await db.schema.dropTable('wave_counts');
  await db.schema.dropTable('response_counts');
}
