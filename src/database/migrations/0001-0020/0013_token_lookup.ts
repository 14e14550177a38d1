import type { Migration } from "../Migration.ts"

/**
 * Tokens are found by a keyed lookup value, with its own domain for each slot, and every token that a party ever had is
 * kept, sealed, to be recognised in texts. The old column is renamed and emptied for tokens that are not accepted, so
 * that an older program, which would accept a marked token, fails on it. `upgradeTokens.ts` rewrites the rows at the
 * first start.
 */
export const tokenLookup: Migration = {
  id: 13,
  name: "token_lookup",
  sql: () => `
    CREATE TABLE lookup_key (id text COLLATE "C" PRIMARY KEY, sealed text NOT NULL);

    DROP INDEX party_token_by_hash;
    ALTER TABLE party_token RENAME COLUMN hash TO old_hash;
    ALTER TABLE party_token ADD COLUMN lookup bytea;
    -- False: written before there were lookups, see upgradeTokens.ts.
    ALTER TABLE party_token ADD COLUMN is_current boolean NOT NULL DEFAULT false;
    UPDATE party_token SET old_hash = NULL WHERE slot IN ('returned', 'dead');
    CREATE INDEX party_token_by_lookup ON party_token (lookup) WHERE lookup IS NOT NULL;
    CREATE INDEX party_token_old ON party_token (party_id) WHERE NOT is_current;

    CREATE TABLE party_past_token (
      party_id text COLLATE "C" NOT NULL REFERENCES party ON DELETE CASCADE,
      -- Keyed too: tells that a value is known already, and nothing of it.
      fingerprint text COLLATE "C" NOT NULL,
      name text NOT NULL,
      sealed text NOT NULL,
      kept_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (party_id, fingerprint)
    );
    -- Grows with every change of a token: what a process has in memory of the party's tokens is old when it has.
    ALTER TABLE party ADD COLUMN token_version bigint NOT NULL DEFAULT 1;
  `
}
