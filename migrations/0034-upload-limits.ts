import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Bytes of the file that upload_totals counts; from before the first byte is stored until the row is deleted.
    ALTER TABLE response_files ADD COLUMN reserved_bytes bigint NOT NULL DEFAULT 0;
    UPDATE response_files SET reserved_bytes = size_bytes WHERE size_bytes IS NOT NULL;

    -- Of respondents' files, stored and on their way.
    CREATE TABLE upload_totals (
      organization_id bigint PRIMARY KEY REFERENCES organizations,
      bytes bigint NOT NULL CHECK (bytes >= 0)
    );
    INSERT INTO upload_totals (organization_id, bytes)
      SELECT s.organization_id, sum(f.reserved_bytes)
      FROM response_files f JOIN surveys s USING (survey_id) GROUP BY s.organization_id;

    -- What respondents sent to a survey on a day (UTC); deleting a file takes nothing from it.
    CREATE TABLE upload_days (
      survey_id bigint NOT NULL REFERENCES surveys,
      day date NOT NULL,
      bytes bigint NOT NULL,
      PRIMARY KEY (survey_id, day)
    );
    CREATE INDEX upload_days_by_day ON upload_days (day);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    DROP TABLE upload_days, upload_totals;
    ALTER TABLE response_files DROP COLUMN reserved_bytes;
  `);
}
