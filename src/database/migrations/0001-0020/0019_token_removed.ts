import type { Migration } from "../Migration.ts"

/**
 * Removing a token raises the party's `token_version`, whichever release of the service removes it: a process that keeps the
 * party's tokens in memory compares the version, and so notices that a token is no longer valid.
 */
export const tokenRemoved: Migration = {
  id: 19,
  name: "token_removed",
  sql: () => `
    CREATE FUNCTION note_removed_token() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE party SET token_version = token_version + 1 WHERE id = OLD.party_id;
        RETURN NULL;
      END
    $$;
    CREATE TRIGGER party_token_removed AFTER DELETE ON party_token
      FOR EACH ROW EXECUTE FUNCTION note_removed_token();
  `
}
