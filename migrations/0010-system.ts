import type { Knex } from 'knex';

const IDENTITY_ALWAYS = 'bigint GENERATED ALWAYS AS IDENTITY';

export async function up(db: Knex): Promise<void> {
  // Background jobs, inserted in the transaction that requests them. organization_id and user_id are null for
  // jobs of the installation, such as password emails.
  await db.schema.createTable('jobs', (table) => {
    table.specificType('job_id', IDENTITY_ALWAYS).primary();
    table.bigInteger('organization_id').references('organization_id').inTable('organizations');
    // The user who started it, and the only one who sees it.
    table.bigInteger('user_id').references('user_id').inTable('users');
    table.bigInteger('survey_id').references('survey_id').inTable('surveys');
    table.text('kind').notNullable();
    table.jsonb('payload').notNullable();
    table
      .text('status')
      .notNullable()
      .defaultTo('queued')
      .checkIn(['queued', 'running', 'done', 'failed', 'cancelled']);
    // 0 to 1.
    table.float('progress').notNullable().defaultTo(0);
    table.text('message');
    table.jsonb('result');
    // {"message", "code", "details"} as in the API.
    table.jsonb('error');
    table.integer('attempts').notNullable().defaultTo(0);
    // Earliest start.
    table.timestamp('run_at').notNullable().defaultTo(db.fn.now());
    // The attempt that runs it; a worker that lost its lease cannot write.
    table.uuid('lease_id');
    table.timestamp('lease_until');
    // The request that started it, as in the log.
    table.text('request_id');
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now());
    table.timestamp('started_at');
    table.timestamp('finished_at');
    // The report of the job; access to its files requires access to the report.
    table.bigInteger('report_id').references('report_id').inTable('reports');
    table.check('(lease_id IS NULL) = (lease_until IS NULL)');
    table.check(`(finished_at IS NULL) = (status IN ('queued', 'running'))`);
    table.index(['run_at', 'job_id'], 'jobs_unfinished', { predicate: db.whereNull('finished_at') });
    table.index(['user_id', 'job_id'], 'jobs_user');
    table.index(['finished_at'], 'jobs_finished', { predicate: db.whereNotNull('finished_at') });
  });

  // The row is inserted before the file is stored and deleted after the file, so every stored file has a row.
  await db.schema.createTable('job_files', (table) => {
    // Random name in the file storage.
    table.uuid('stored_name').primary();
    // Null: the job is gone and the file is to be deleted.
    table.bigInteger('job_id').references('job_id').inTable('jobs').onDelete('SET NULL');
    table.text('file_name').notNullable();
    table.text('content_type').notNullable();
    table.bigInteger('size_bytes');
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now());
    // Null: the file is being written.
    table.timestamp('stored_at');
    table.index(['job_id'], 'job_files_by_job');
  });

  await db.schema.createTable('idempotency_keys', (table) => {
    // Hash of the caller, method, path and the client's key.
    table.text('key_hash').primary();
    table.text('body_hash').notNullable();
    table.smallint('status').notNullable();
    table.text('reply').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now());
    table.index(['created_at'], 'idempotency_keys_age');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('idempotency_keys');
  await db.schema.dropTable('job_files');
  await db.schema.dropTable('jobs');
}
