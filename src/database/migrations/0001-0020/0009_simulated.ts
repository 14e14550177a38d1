import type { Migration } from "../Migration.ts"

/** An index of the work of simulated charge points, to find it without reading all objects of all parties. */
export const simulated: Migration = {
  id: 9,
  name: "simulated",
  sql: () => `
    CREATE INDEX party_object_simulated ON party_object (party_id)
      WHERE side = 'own' AND module IN ('charges', 'reservations', 'activity');
  `
}
