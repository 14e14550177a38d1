import type { Migration } from "../Migration.ts"

/** When each exchange with a partner was stored, so that old ones can be deleted. */
export const exchangeAge: Migration = {
  id: 10,
  name: "exchange_age",
  // In two steps: adding a column with a constant default rewrites no row. Existing rows age from now on.
  sql: () => `
    ALTER TABLE party_exchange ADD COLUMN kept_at timestamptz NOT NULL DEFAULT now();
    ALTER TABLE party_exchange ALTER COLUMN kept_at SET DEFAULT clock_timestamp();
    CREATE INDEX party_exchange_by_age ON party_exchange (kept_at);
  `
}
