import type { Migration } from "../Migration.ts"

/**
 * Refused calls of partners: when each party's was last refused because we could not serve it, and which kept exchanges
 * we refused.
 */
export const refusedCalls: Migration = {
  id: 15,
  name: "refused_calls",
  // Only the latest of a party is kept: the only question is whether one came since a time. The default is the same for
  // all rows, so no row is rewritten.
  sql: () => `
    CREATE TABLE refused_party_call (
      party_id text COLLATE "C" PRIMARY KEY,
      at timestamptz NOT NULL
    ) WITH (fillfactor = 50);

    ALTER TABLE party_exchange ADD COLUMN refused boolean NOT NULL DEFAULT false;
    CREATE INDEX party_exchange_refused ON party_exchange (party_id, position) WHERE refused;
  `
}
