/** Every request that the acts of every journey send is valid by the text of its version. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { disagreements, type SentRequest } from "../support/requestLint.ts"
import { playedQuickly } from "./support/sandboxJourney.ts"

describe("the requests of the journeys", () => {
  for (const { id: templateId, ourRole, supportedVersions } of templates)
    it.effect(
      `are valid in every version: ${templateId}`,
      () =>
        Effect.gen(function* () {
          const sent: Array<SentRequest> = []
          for (const version of supportedVersions)
            yield* playedQuickly({ templateId, version, role: ourRole === "CPO" ? "EMSP" : "CPO", sent })
          assert.deepStrictEqual(disagreements(sent), [])
        }),
      120_000
    )
})
