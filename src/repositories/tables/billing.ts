import type { Table } from './table.ts';

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
