import type { Table } from './table.ts';

/** Why a job failed, with the texts and codes of an error reply. */
export interface JobError {
  message: string;
  code: string;
  details: { field: string; message: string }[];
}

export interface JobTable {
  job_id: number;
  /** null, as user_id: the job belongs to the installation. */
  organization_id: number | null;
  user_id: number | null;
  survey_id: number | null;
  kind: string;
  /** Input of the handler of this kind. */
  payload: unknown;
  status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  message: string | null;
  result: Record<string, unknown> | null;
  error: JobError | null;
  attempts: number;
  run_at: Date;
  lease_id: string | null;
  lease_until: Date | null;
  request_id: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  report_id: number | null;
}

export interface JobFileTable {
  stored_name: string;
  job_id: number | null;
  file_name: string;
  content_type: string;
  size_bytes: number | null;
  created_at: Date;
  stored_at: Date | null;
}

interface IdempotencyKeyTable {
  key_hash: string;
  body_hash: string;
  status: number;
  reply: string;
  created_at: Date;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    jobs: Table<
      JobTable,
      'job_id' | 'status' | 'progress' | 'attempts' | 'run_at' | 'created_at',
      'payload' | 'result' | 'error'
    >;
    job_files: Table<JobFileTable, 'created_at'>;
    idempotency_keys: Table<IdempotencyKeyTable, 'created_at'>;
  }
}
