import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    CREATE TABLE response_comments (
      survey_id bigint NOT NULL,
      comment_id bigint GENERATED ALWAYS AS IDENTITY,
      response_id bigint NOT NULL,
      organization_id bigint NOT NULL,
      user_id bigint NOT NULL,
      comment_text text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (survey_id, comment_id),
      FOREIGN KEY (survey_id, response_id) REFERENCES responses ON DELETE CASCADE,
      FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, user_id)
    );
    CREATE INDEX response_comments_by_response ON response_comments (survey_id, response_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`DROP TABLE response_comments;`);
}
