import type { Migration } from "../Migration.ts"

/** Saved scenarios. */
export const scenario: Migration = {
  id: 4,
  name: "scenario",
  sql: () => `
    CREATE TABLE scenario (
      id text COLLATE "C" PRIMARY KEY,
      owner_id text COLLATE "C" NOT NULL,
      draft text NOT NULL,
      version int NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX scenario_of_owner ON scenario (owner_id, id DESC);
  `
}
