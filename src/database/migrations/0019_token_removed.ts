import type { Migration } from "./Migration.ts"

/**
 * A token that leaves its slot changes `token_version` too, whichever release removes it: who has the party's tokens in
 * memory sees by the version alone that one is over.
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
