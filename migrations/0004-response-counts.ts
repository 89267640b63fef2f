import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- How many responses that count (not deleted, not test) each survey and link has: counting a million rows takes half a
    -- second, this takes one look-up. link_id 0: through no link. Each writing connection adds to a slot of its own, so that
    -- concurrent batches do not wait for each other; a single slot may be negative, their sum is right.
    CREATE TABLE response_counts (
      survey_id bigint NOT NULL,
      link_id bigint NOT NULL,
      slot integer NOT NULL,
      response_count bigint NOT NULL,
      complete_count bigint NOT NULL,
      PRIMARY KEY (survey_id, link_id, slot)
    );

    CREATE FUNCTION note_response_counts() RETURNS trigger LANGUAGE plpgsql AS $$
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

    CREATE TRIGGER responses_count_inserted AFTER INSERT ON responses
      REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_response_counts();
    CREATE TRIGGER responses_count_updated AFTER UPDATE ON responses
      REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_response_counts();
    CREATE TRIGGER responses_count_deleted AFTER DELETE ON responses
      REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION note_response_counts();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    DROP TRIGGER responses_count_inserted ON responses;
    DROP TRIGGER responses_count_updated ON responses;
    DROP TRIGGER responses_count_deleted ON responses;
    DROP FUNCTION note_response_counts;
    DROP TABLE response_counts;
  `);
}
