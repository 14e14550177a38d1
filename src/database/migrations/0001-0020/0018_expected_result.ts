import type { Migration } from "../Migration.ts"

/** An index of the response_urls that were given away, to find whose one is called without a token of ours. */
export const expectedResult: Migration = {
  id: 18,
  name: "expected_result",
  sql: () => `
    CREATE INDEX party_object_expected_result ON party_object (folded_key)
      WHERE side = 'own' AND module = 'expected-results';
  `
}
