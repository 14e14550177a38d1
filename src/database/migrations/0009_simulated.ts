/** What simulated charge points have under way, to be found without a look at all that parties hold. */
import type { Migration } from "./Migration.ts"

export const simulated: Migration = {
  id: 9,
  name: "simulated",
  sql: () => `
    CREATE INDEX party_object_simulated ON party_object (party_id)
      WHERE side = 'own' AND module IN ('charges', 'reservations', 'activity');
  `
}
