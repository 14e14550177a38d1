/** Every request that the acts of every journey send is valid by the text of its version. The versions take turns. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { templates } from "../../../src/journeys/catalogue/catalogue.ts"
import { disagreements, type SentRequest } from "../../support/requestLint.ts"
import { versionsInTurn } from "../../support/versionsInTurn.ts"
import { playedQuickly } from "../support/sandboxJourney.ts"

describe("the requests of the journeys", () => {
  const cases = versionsInTurn(
    templates.flatMap(({ id, ourRole, supportedVersions }) =>
      supportedVersions.map((version) => ({ templateId: id, ourRole, version }))
    ),
    ({ templateId }) => templateId
  )
  for (const { ourRole, templateId, version } of cases)
    it.effect(
      `are valid in ${version}: ${templateId}`,
      () =>
        Effect.gen(function* () {
          const sent: Array<SentRequest> = []
          yield* playedQuickly({ templateId, version, role: ourRole === "CPO" ? "EMSP" : "CPO", sent })
          assert.deepStrictEqual(disagreements(sent), [])
        }),
      120_000
    )
})
