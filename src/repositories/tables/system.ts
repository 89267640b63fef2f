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

interface CreditAccountTable {
  organization_id: number;
  /** The sum of the ledger. */
  balance: number;
}

interface CreditLedgerTable {
  entry_id: number;
  organization_id: number;
  entry_kind: 'grant' | 'purchase' | 'reservation' | 'settlement' | 'release';
  credits: number;
  balance_after: number;
  reservation_id: number | null;
  created_at: Date;
  checkout_id: string | null;
}

export interface CreditPurchaseTable {
  checkout_id: string;
  organization_id: number;
  user_id: number;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  provider: 'stripe' | 'sandbox';
  provider_session_id: string | null;
  purchase_state: 'open' | 'paid' | 'cancelled' | 'expired';
  success_url: string | null;
  cancel_url: string | null;
  created_at: Date;
  paid_at: Date | null;
}

interface CreditReservationTable {
  reservation_id: number;
  organization_id: number;
  user_id: number;
  survey_id: number | null;
  operation: string;
  credits: number;
  reservation_state: 'open' | 'settled' | 'released';
  lease_until: Date;
  created_at: Date;
  /** SHA-256 of the work, so that the same work is not paid for twice at the same time. */
  work_key: Buffer | null;
}

export interface CreditUsageTable {
  reservation_id: number;
  organization_id: number;
  user_id: number;
  survey_id: number | null;
  operation: string;
  engine: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  tokens_estimated: boolean;
  credits: number;
  used_at: Date;
}

export interface PaymentEventTable {
  event_id: string;
  event_type: string;
  checkout_id: string | null;
  outcome: 'applied' | 'ignored' | 'refused';
  received_at: Date;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    credit_accounts: Table<CreditAccountTable>;
    credit_ledger: Table<CreditLedgerTable, 'entry_id' | 'created_at'>;
    credit_purchases: Table<CreditPurchaseTable, 'purchase_state' | 'created_at'>;
    credit_reservations: Table<CreditReservationTable, 'reservation_id' | 'reservation_state' | 'created_at'>;
    credit_usage: Table<CreditUsageTable, 'used_at'>;
    payment_events: Table<PaymentEventTable, 'received_at'>;
  }
}
