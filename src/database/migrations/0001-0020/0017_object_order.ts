import type { Migration } from "../Migration.ts"

/** The order in which the objects of a list were created: pages follow it, so that a change shifts no other object. */
export const objectOrder: Migration = {
  id: 17,
  name: "object_order",
  // Objects that exist keep the order in which they were listed until now.
  sql: () => `
    CREATE SEQUENCE party_object_created;
    ALTER TABLE party_object ADD COLUMN created bigint;
    UPDATE party_object SET created = known.place FROM (
      SELECT party_id, module, side, folded_key, nextval('party_object_created') AS place FROM (
        SELECT * FROM party_object ORDER BY updated_millis, folded_key
      ) listed
    ) known
    WHERE party_object.party_id = known.party_id AND party_object.module = known.module
      AND party_object.side = known.side AND party_object.folded_key = known.folded_key;
    ALTER TABLE party_object ALTER COLUMN created SET DEFAULT nextval('party_object_created');
    ALTER TABLE party_object ALTER COLUMN created SET NOT NULL;
    ALTER SEQUENCE party_object_created OWNED BY party_object.created;
    CREATE INDEX party_object_by_creation ON party_object (party_id, module, side, created);
  `
}
