/** Since when an exchange with a partner has been kept, so that it can go when it is old. */
import type { Migration } from "./Migration.ts"

export const exchangeAge: Migration = {
  id: 10,
  name: "exchange_age",
  // In two steps: a default that is the same for all rows rewrites none of them. What is there already ages from now on.
  sql: () => `
    ALTER TABLE party_exchange ADD COLUMN kept_at timestamptz NOT NULL DEFAULT now();
    ALTER TABLE party_exchange ALTER COLUMN kept_at SET DEFAULT clock_timestamp();
    CREATE INDEX party_exchange_by_age ON party_exchange (kept_at);
  `
}
