import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The places that begun responses hold in their link's quota. Whoever gives one away holds the link's row; a place is
    -- somebody's until its row is gone, so one that nobody needed meanwhile is still theirs after held_until.
    CREATE TABLE link_places (
      survey_id bigint NOT NULL,
      link_id bigint NOT NULL,
      response_id bigint NOT NULL,
      held_until timestamptz NOT NULL,
      PRIMARY KEY (survey_id, link_id, response_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`DROP TABLE link_places;`);
}
