import type { Knex } from 'knex';

/*
 * The complete responses of each hour, which the list of surveys adds up to days: counting the responses of two weeks takes half a second
 * with a million. Hours in UTC with a count for each quarter, because every time zone begins its days at a quarter of an hour: the counts do
 * not depend on the zone of a survey and stay exact when it changes.
 */

/** Responses that are counted. */
const COUNTED = 'deleted_at IS NULL AND NOT is_test';

/** Quarters of an hour since 1970. */
const QUARTER = `CASE WHEN response_status = 'complete' THEN floor(extract(epoch FROM completed_at) / 900)::integer END`;

const QUARTERS = [0, 1, 2, 3] as const;
const sumOfQuarter = (quarter: number): string =>
  `coalesce(sum(sign) FILTER (WHERE quarter & 3 = ${quarter}), 0)`;

/** For each event, the query over the new rows (written) and the old ones (replaced). */
const EVENTS = [
  ['INSERT', 'SELECT *, 1 AS sign FROM written'],
  ['DELETE', 'SELECT *, -1 AS sign FROM replaced'],
  ['UPDATE', 'SELECT *, 1 AS sign FROM written UNION ALL SELECT *, -1 FROM replaced'],
] as const;

const ADD_TO_RESPONSE_COUNTS = `
        INSERT INTO public.response_counts AS c (survey_id, link_id, slot, response_count, complete_count)
        VALUES (change.survey_id, change.link_id, pg_backend_pid() % 64, change.responses, change.completes)
        ON CONFLICT (survey_id, link_id, slot) DO UPDATE SET
          response_count = c.response_count + excluded.response_count, complete_count = c.complete_count + excluded.complete_count;`;

const ADD_TO_HOURLY_COMPLETES = `
        INSERT INTO public.hourly_completes AS c (survey_id, hour, slot, quarter_1, quarter_2, quarter_3, quarter_4)
        VALUES (change.survey_id, change.hour, pg_backend_pid() % 64, change.quarter_1, change.quarter_2, change.quarter_3, change.quarter_4)
        ON CONFLICT (survey_id, hour, slot) DO UPDATE SET
          quarter_1 = c.quarter_1 + excluded.quarter_1, quarter_2 = c.quarter_2 + excluded.quarter_2,
          quarter_3 = c.quarter_3 + excluded.quarter_3, quarter_4 = c.quarter_4 + excluded.quarter_4;`;

/** Groups the rows once by link and once by hour. A group of an hour has no link_id. */
const groupByLinkAndHour = (rows: string) => `
        SELECT survey_id, link_id, quarter >> 2 AS hour, grouping(link_id) = 1 AS is_hour, sum(sign) AS responses,
          coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) AS completes,
          ${QUARTERS.map((quarter) => `${sumOfQuarter(quarter)} AS quarter_${quarter + 1}`).join(', ')}
        FROM (SELECT survey_id, coalesce(link_id, 0) AS link_id, response_status, ${QUARTER} AS quarter, sign
          FROM (${rows}) AS rows WHERE ${COUNTED}) AS counted
        GROUP BY GROUPING SETS ((survey_id, link_id), (survey_id, quarter >> 2))
        HAVING CASE grouping(link_id)
          WHEN 0 THEN sum(sign) <> 0 OR coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) <> 0
          ELSE quarter >> 2 IS NOT NULL AND (${QUARTERS.map((quarter) => `${sumOfQuarter(quarter)} <> 0`).join(' OR ')})
        END
        ORDER BY is_hour, 1, 2, 3`;

/** As in 0011-separate-responses. */
const groupByLink = (rows: string) => `
        SELECT survey_id, coalesce(link_id, 0) AS link_id, sum(sign) AS responses,
          coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) AS completes
        FROM (${rows}) AS rows WHERE ${COUNTED} GROUP BY 1, 2
        HAVING sum(sign) <> 0 OR coalesce(sum(sign) FILTER (WHERE response_status = 'complete'), 0) <> 0 ORDER BY 1, 2`;

/** Returns the statement that replaces the trigger function, which applies `change` to each group of rows. */
const counterFunction = (groups: (rows: string) => string, change: string) => `
  CREATE OR REPLACE FUNCTION update_response_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    change record;
  BEGIN${EVENTS.map(
    ([event, rows]) => `
    IF TG_OP = '${event}' THEN
      FOR change IN ${groups(rows)} LOOP${change}
      END LOOP;
    END IF;`,
  ).join('')}
    RETURN NULL;
  END $$`;

export async function up(db: Knex): Promise<void> {
  // Without deleted and test responses. `hour`: hours since 1970 UTC. `slot`: as in response_counts.
  await db.schema.createTable('hourly_completes', (table) => {
    table.bigInteger('survey_id').notNullable();
    table.integer('hour').notNullable();
    table.integer('slot').notNullable();
    for (const quarter of QUARTERS) table.integer(`quarter_${quarter + 1}`).notNullable();
    table.primary(['survey_id', 'hour', 'slot']);
  });
  // Responses that another process writes wait, and are counted by the new function.
  await db.raw('LOCK TABLE responses IN SHARE ROW EXCLUSIVE MODE');
  await db.raw(`
    INSERT INTO hourly_completes (survey_id, hour, slot, ${QUARTERS.map((quarter) => `quarter_${quarter + 1}`).join(', ')})
    SELECT survey_id, quarter >> 2, 0, ${QUARTERS.map(sumOfQuarter).join(', ')}
    FROM (SELECT survey_id, ${QUARTER} AS quarter, 1 AS sign FROM responses WHERE ${COUNTED}) AS counted
    WHERE quarter IS NOT NULL GROUP BY survey_id, quarter >> 2`);
  await db.raw(
    counterFunction(
      groupByLinkAndHour,
      `
        IF change.is_hour THEN${ADD_TO_HOURLY_COMPLETES}
        ELSE${ADD_TO_RESPONSE_COUNTS}
        END IF;`,
    ),
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(counterFunction(groupByLink, ADD_TO_RESPONSE_COUNTS));
  await db.schema.dropTable('hourly_completes');
}
