/** Calls of partners that were refused: which party's we could not serve, and which of the kept ones we refused. */
import type { Migration } from "./Migration.ts"

export const refusedCalls: Migration = {
  id: 15,
  name: "refused_calls",
  // The latest one of a party is enough: it is asked whether there was one since some time.
  // The default is the same for all rows, so none is rewritten.
  sql: () => `
    CREATE TABLE refused_party_call (
      party_id text COLLATE "C" PRIMARY KEY,
      at timestamptz NOT NULL
    ) WITH (fillfactor = 50);

    ALTER TABLE party_exchange ADD COLUMN refused boolean NOT NULL DEFAULT false;
    CREATE INDEX party_exchange_refused ON party_exchange (party_id, position) WHERE refused;
  `
}
