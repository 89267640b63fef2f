import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- raised with every change of the derived columns: readers keep the responses they hold and look at the columns anew
    ALTER TABLE surveys ADD COLUMN columns_revision bigint NOT NULL DEFAULT 0;

    -- Columns that are made from others: recodes, scores, computed expressions, weights. A definition, not data.
    CREATE SEQUENCE derived_column_ids;
    CREATE TABLE derived_columns (
      survey_id bigint NOT NULL REFERENCES surveys,
      column_id bigint NOT NULL DEFAULT nextval('derived_column_ids'),
      column_code text NOT NULL,
      label text NOT NULL,
      column_type text NOT NULL,
      measure text NOT NULL,
      column_values jsonb NOT NULL DEFAULT '[]',
      date_precision text,
      -- what it is made by; its member kind says how
      definition jsonb NOT NULL,
      -- the codes of the columns it is made from
      sources jsonb NOT NULL DEFAULT '[]',
      -- raised with every change
      version bigint NOT NULL DEFAULT 1,
      created_by bigint,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz,
      PRIMARY KEY (survey_id, column_id)
    );
    ALTER SEQUENCE derived_column_ids OWNED BY derived_columns.column_id;
    CREATE UNIQUE INDEX derived_columns_code_unique ON derived_columns (survey_id, lower(column_code)) WHERE deleted_at IS NULL;

    -- The frozen values of a derived column (a weight), packed: response ids and values as little-endian float64, parallel.
    -- A set of values never changes; another one gets another number, so that going back is possible.
    CREATE TABLE frozen_values (
      survey_id bigint NOT NULL,
      column_id bigint NOT NULL,
      values_version bigint NOT NULL,
      part integer NOT NULL,
      response_ids bytea NOT NULL,
      cells bytea NOT NULL,
      PRIMARY KEY (survey_id, column_id, values_version, part)
    );

    -- What was done to collected data, so that it can be seen and undone.
    CREATE SEQUENCE data_change_ids;
    CREATE TABLE data_changes (
      survey_id bigint NOT NULL,
      change_id bigint NOT NULL DEFAULT nextval('data_change_ids'),
      operation text NOT NULL,
      user_id bigint,
      reason text,
      column_codes jsonb NOT NULL DEFAULT '[]',
      rows_changed integer NOT NULL,
      cells_changed integer NOT NULL,
      details jsonb NOT NULL DEFAULT '{}',
      -- derived columns as they were before: [{column_id, before}], before null where there was none
      columns_before jsonb NOT NULL DEFAULT '[]',
      created_at timestamptz NOT NULL DEFAULT now(),
      undone_at timestamptz,
      undone_by bigint,
      PRIMARY KEY (survey_id, change_id)
    );
    ALTER SEQUENCE data_change_ids OWNED BY data_changes.change_id;

    -- what puts each touched response back
    CREATE TABLE data_change_rows (
      survey_id bigint NOT NULL,
      change_id bigint NOT NULL,
      response_id bigint NOT NULL,
      before jsonb NOT NULL,
      PRIMARY KEY (survey_id, change_id, response_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    DROP TABLE data_change_rows, data_changes, frozen_values, derived_columns;
    ALTER TABLE surveys DROP COLUMN columns_revision;
  `);
}
