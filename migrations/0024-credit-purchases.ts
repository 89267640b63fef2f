import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    CREATE TABLE credit_purchases (
      checkout_id uuid PRIMARY KEY,
      organization_id bigint NOT NULL REFERENCES organizations,
      user_id bigint NOT NULL REFERENCES users,
      credits bigint NOT NULL CHECK (credits > 0),
      -- in the smallest unit of the currency
      amount bigint NOT NULL CHECK (amount >= 0),
      currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
      provider text NOT NULL CHECK (provider IN ('stripe', 'sandbox')),
      -- null: not told by the provider yet
      provider_session_id text UNIQUE,
      purchase_state text NOT NULL DEFAULT 'open' CHECK (purchase_state IN ('open', 'paid', 'cancelled', 'expired')),
      success_url text,
      cancel_url text,
      created_at timestamptz NOT NULL DEFAULT now(),
      paid_at timestamptz,
      CHECK ((purchase_state = 'paid') = (paid_at IS NOT NULL))
    );
    CREATE INDEX credit_purchases_organization ON credit_purchases (organization_id, created_at);

    -- What a payment provider told us, each once.
    CREATE TABLE payment_events (
      event_id text PRIMARY KEY,
      event_type text NOT NULL,
      checkout_id uuid REFERENCES credit_purchases,
      -- ignored: about nothing of ours; refused: it was not what we had asked for
      outcome text NOT NULL CHECK (outcome IN ('applied', 'ignored', 'refused')),
      received_at timestamptz NOT NULL DEFAULT now()
    );

    ALTER TABLE credit_ledger ADD COLUMN checkout_id uuid REFERENCES credit_purchases,
      DROP CONSTRAINT credit_ledger_entry_kind_check, DROP CONSTRAINT credit_ledger_check;
    ALTER TABLE credit_ledger
      ADD CONSTRAINT credit_ledger_entry_kind_check
        CHECK (entry_kind IN ('grant', 'purchase', 'reservation', 'settlement', 'release')),
      ADD CONSTRAINT credit_ledger_of_reservation
        CHECK ((entry_kind IN ('reservation', 'settlement', 'release')) = (reservation_id IS NOT NULL)),
      ADD CONSTRAINT credit_ledger_of_purchase CHECK ((entry_kind = 'purchase') = (checkout_id IS NOT NULL));
    CREATE UNIQUE INDEX credit_ledger_purchase ON credit_ledger (checkout_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    DELETE FROM credit_ledger WHERE entry_kind = 'purchase';
    ALTER TABLE credit_ledger DROP CONSTRAINT credit_ledger_of_purchase, DROP CONSTRAINT credit_ledger_of_reservation,
      DROP CONSTRAINT credit_ledger_entry_kind_check, DROP COLUMN checkout_id;
    ALTER TABLE credit_ledger
      ADD CONSTRAINT credit_ledger_entry_kind_check CHECK (entry_kind IN ('grant', 'reservation', 'settlement', 'release')),
      ADD CONSTRAINT credit_ledger_check CHECK ((entry_kind = 'grant') = (reservation_id IS NULL));
    DROP TABLE payment_events, credit_purchases;
  `);
}
