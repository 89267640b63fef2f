import type { Knex } from 'knex';

/*
 * The tables of responses can be on other servers than definitions and accounts: nothing in one group refers to the other, and the
 * triggers of responses read and write only tables of the same survey, each by the value of its survey_id.
 */

/** Responses that are counted. */
const COUNTED = 'deleted_at IS NULL AND NOT is_test';

/** Foreign keys from tables of responses to tables of definitions, with the statement that restores each. */
const REFERENCES = [
  ['response_files', 'response_files_survey_id_foreign', '(survey_id) REFERENCES surveys (survey_id)'],
  ['response_comments', 'response_comments_user_id_foreign', '(user_id) REFERENCES users (user_id)'],
  [
    'survey_segments',
    'survey_segments_survey_id_foreign',
    '(survey_id) REFERENCES surveys (survey_id) ON DELETE CASCADE',
  ],
  [
    'response_segments',
    'response_segments_survey_id_foreign',
    '(survey_id) REFERENCES surveys (survey_id) ON DELETE CASCADE',
  ],
  ['analysis_results', 'analysis_results_survey_id_foreign', '(survey_id) REFERENCES surveys (survey_id)'],
  [
    'quotas',
    'quotas_survey_id_wave_id_foreign',
    '(survey_id, wave_id) REFERENCES waves (survey_id, wave_id)',
  ],
] as const;

const CELLS_OF_QUOTA =
  'FOREIGN KEY (survey_id, quota_id) REFERENCES quotas (survey_id, quota_id) ON DELETE CASCADE';

/** A trigger function that applies `change` to each group of `groups`, a query over the new rows (written) and the old ones (replaced). */
const counterFunction = (name: string, groups: (rows: string) => string, change: string, check = '') => `
  CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    change record;
  BEGIN
    IF TG_OP = 'INSERT' THEN
      FOR change IN ${groups('SELECT *, 1 AS sign FROM written')} LOOP${change}
      END LOOP;
    ELSIF TG_OP = 'DELETE' THEN
      FOR change IN ${groups('SELECT *, -1 AS sign FROM replaced')} LOOP${change}
      END LOOP;
    ELSE
      FOR change IN ${groups('SELECT *, 1 AS sign FROM written UNION ALL SELECT *, -1 FROM replaced')} LOOP${change}
      END LOOP;
    END IF;${check}
    RETURN NULL;
  END $$`;

const RESPONSE_COUNTS = counterFunction(
  'update_response_counts',
  (rows) => `
        SELECT survey_id, coalesce(link_id, 0) AS link_id, sum(sign) AS responses,
          coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) AS completes
        FROM (${rows}) AS rows WHERE ${COUNTED} GROUP BY 1, 2
        HAVING sum(sign) <> 0 OR coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) <> 0 ORDER BY 1, 2`,
  `
        INSERT INTO public.response_counts AS c (survey_id, link_id, slot, response_count, complete_count)
        VALUES (change.survey_id, change.link_id, pg_backend_pid() % 64, change.responses, change.completes)
        ON CONFLICT (survey_id, link_id, slot) DO UPDATE SET
          response_count = c.response_count + excluded.response_count, complete_count = c.complete_count + excluded.complete_count;`,
);

const WAVE_COUNTS = counterFunction(
  'update_wave_counts',
  (rows) => `
        SELECT survey_id, wave_id, coalesce(sum(sign) FILTER (WHERE response_status = 'partial'), 0) AS partial,
          coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) AS complete,
          coalesce(sum(sign) FILTER (WHERE response_status = 'screened_out'), 0) AS screened_out
        FROM (${rows}) AS rows WHERE wave_id IS NOT NULL AND ${COUNTED} GROUP BY 1, 2 ORDER BY 1, 2`,
  `
        IF change.partial <> 0 OR change.complete <> 0 OR change.screened_out <> 0 THEN
          INSERT INTO public.wave_counts AS c (survey_id, wave_id, slot, partial, complete, screened_out)
          VALUES (change.survey_id, change.wave_id, pg_backend_pid() % 64, change.partial, change.complete, change.screened_out)
          ON CONFLICT (survey_id, wave_id, slot) DO UPDATE SET partial = c.partial + excluded.partial,
            complete = c.complete + excluded.complete, screened_out = c.screened_out + excluded.screened_out;
        END IF;`,
);

/** Complete responses of waves for which quotas were not evaluated. */
const NOT_EVALUATED = `response_status = 'complete' AND wave_id IS NOT NULL AND quota_cells IS NULL AND ${COUNTED}`;

/**
 * Rejects responses that were completed while their wave had no quotas, if it has quotas by the time that they are written: 40001 makes
 * the writer evaluate them again. `revisions`: the table that has their quota_revision. `rows`: survey_id and wave_id.
 */
const rejectNotEvaluated = (revisions: 'wave_quotas' | 'waves', rows: string) => `
      FOR change IN SELECT DISTINCT survey_id, wave_id FROM (${rows}) AS rows ORDER BY 1, 2 LOOP
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('quotas of wave ' || change.wave_id, 0));
        IF EXISTS (SELECT FROM public.${revisions} WHERE survey_id = change.survey_id AND wave_id = change.wave_id AND quota_revision > 0) THEN
          RAISE EXCEPTION 'the wave has quotas by now' USING ERRCODE = '40001';
        END IF;
      END LOOP;`;

const quotaCounts = (revisions: 'wave_quotas' | 'waves') =>
  counterFunction(
    'update_quota_counts',
    (rows) => `
        SELECT survey_id, cell_id, coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) AS completed,
          coalesce(sum(sign) FILTER (WHERE response_status = 'screened_out' AND status_reason = 'over_quota'), 0) AS over_quota
        FROM (${rows}) AS rows CROSS JOIN LATERAL unnest(quota_cells) AS cell_id
        WHERE quota_cells IS NOT NULL AND ${COUNTED} GROUP BY 1, 2 ORDER BY 1, 2`,
    `
        IF change.completed <> 0 OR change.over_quota <> 0 THEN
          UPDATE public.quota_cells c SET completed = c.completed + change.completed, over_quota = c.over_quota + change.over_quota
          WHERE c.survey_id = change.survey_id AND c.cell_id = change.cell_id;
        END IF;`,
    `
    IF TG_OP = 'INSERT' THEN${rejectNotEvaluated(revisions, `SELECT survey_id, wave_id FROM written WHERE ${NOT_EVALUATED}`)}
    ELSIF TG_OP = 'UPDATE' THEN${rejectNotEvaluated(
      revisions,
      `SELECT w.survey_id, w.wave_id FROM (SELECT * FROM written WHERE ${NOT_EVALUATED}) w
        JOIN replaced r USING (survey_id, response_id) WHERE r.response_status <> 'complete'`,
    )}
    END IF;`,
  );

export async function up(db: Knex): Promise<void> {
  for (const [table, constraint] of REFERENCES)
    await db.raw(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${constraint}`);

  // The table that the row was written in: the partition, or the shard of one server. Rows of another table were copied from there, and
  // their changed_xid means nothing here.
  await db.raw('ALTER TABLE responses ADD COLUMN changed_in oid NOT NULL DEFAULT 0');
  await db.raw('DROP INDEX responses_changed');
  await db.raw('CREATE INDEX responses_changed ON responses (survey_id, changed_in, changed_xid)');
  await db.raw('DROP TRIGGER responses_set_changed_xid ON responses');
  await db.raw('DROP FUNCTION set_changed_xid()');
  await db.raw(`
    CREATE FUNCTION set_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_xid := pg_current_xact_id();
      NEW.changed_in := TG_RELID;
      RETURN NEW;
    END $$`);
  await db.raw(
    'CREATE TRIGGER responses_set_changed BEFORE INSERT OR UPDATE ON responses FOR EACH ROW EXECUTE FUNCTION set_changed()',
  );

  // Column snapshots are a cache. `source`: the server and table in which their snapshot is valid.
  await db.raw('DELETE FROM response_segments');
  await db.raw('DELETE FROM survey_segments');
  await db.raw('ALTER TABLE survey_segments DROP COLUMN written_xid');
  await db.raw('ALTER TABLE survey_segments ADD COLUMN source text NOT NULL');

  // Beside the responses of the survey, because writers of responses lock the row. quota_revision: as in waves. No row: no quotas.
  await db.schema.createTable('wave_quotas', (table) => {
    table.bigInteger('survey_id').notNullable();
    table.bigInteger('wave_id').notNullable();
    table.integer('quota_revision').notNullable();
    table.primary(['survey_id', 'wave_id']);
  });
  await db.raw(
    'INSERT INTO wave_quotas SELECT survey_id, wave_id, quota_revision FROM waves WHERE quota_revision > 0',
  );

  // All keys of a quota begin with its survey.
  await db.raw('ALTER TABLE quota_cells DROP CONSTRAINT quota_cells_survey_id_quota_id_foreign');
  await db.raw('ALTER TABLE quotas DROP CONSTRAINT quotas_pkey');
  await db.raw('ALTER TABLE quotas DROP CONSTRAINT quotas_survey_unique');
  await db.raw('ALTER TABLE quotas ADD PRIMARY KEY (survey_id, quota_id)');
  await db.raw(
    `ALTER TABLE quota_cells ADD CONSTRAINT quota_cells_survey_id_quota_id_foreign ${CELLS_OF_QUOTA}`,
  );

  // How many complete responses a link accepts. No row: any number. Writers of responses lock the row.
  await db.schema.createTable('link_limits', (table) => {
    table.bigInteger('survey_id').notNullable();
    table.bigInteger('link_id').notNullable();
    table.integer('max_completes').notNullable();
    table.primary(['survey_id', 'link_id']);
  });
  await db.raw(`INSERT INTO link_limits SELECT survey_id, link_id, CASE WHEN link_type = 'unique' THEN 1 ELSE link_quota END
    FROM links WHERE link_type = 'unique' OR link_quota IS NOT NULL`);

  await db.raw(RESPONSE_COUNTS);
  await db.raw(WAVE_COUNTS);
  await db.raw(quotaCounts('wave_quotas'));

  // Immutable, unlike the cast, which also accepts times without an offset: Citus allows only immutable functions within expressions.
  await db.raw(`
    CREATE FUNCTION iso_timestamp(with_offset text) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN with_offset::timestamptz;
    END $$`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP FUNCTION iso_timestamp(text)');
  await db.raw(quotaCounts('waves'));
  await db.raw('ALTER TABLE quota_cells DROP CONSTRAINT quota_cells_survey_id_quota_id_foreign');
  await db.raw('ALTER TABLE quotas DROP CONSTRAINT quotas_pkey');
  await db.raw('ALTER TABLE quotas ADD PRIMARY KEY (quota_id)');
  await db.raw('ALTER TABLE quotas ADD CONSTRAINT quotas_survey_unique UNIQUE (survey_id, quota_id)');
  await db.raw(
    `ALTER TABLE quota_cells ADD CONSTRAINT quota_cells_survey_id_quota_id_foreign ${CELLS_OF_QUOTA}`,
  );
  await db.schema.dropTable('link_limits');
  await db.schema.dropTable('wave_quotas');
  await db.raw('DELETE FROM response_segments');
  await db.raw('DELETE FROM survey_segments');
  await db.raw('ALTER TABLE survey_segments DROP COLUMN source');
  await db.raw(
    'ALTER TABLE survey_segments ADD COLUMN written_xid xid8 NOT NULL DEFAULT pg_current_xact_id()',
  );
  await db.raw('DROP TRIGGER responses_set_changed ON responses');
  await db.raw('DROP FUNCTION set_changed()');
  await db.raw(`
    CREATE FUNCTION set_changed_xid() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_xid := pg_current_xact_id();
      RETURN NEW;
    END $$`);
  await db.raw(
    'CREATE TRIGGER responses_set_changed_xid BEFORE UPDATE ON responses FOR EACH ROW EXECUTE FUNCTION set_changed_xid()',
  );
  await db.raw('ALTER TABLE responses DROP COLUMN changed_in');
  await db.raw('CREATE INDEX responses_changed ON responses (survey_id, changed_xid)');
  for (const [table, constraint, definition] of REFERENCES)
    await db.raw(`ALTER TABLE ${table} ADD CONSTRAINT ${constraint} FOREIGN KEY ${definition}`);
}
