/** An EMSP that commands what our EVSEs cannot do. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"
import { commandsTo, own } from "../support/speaking.ts"

/** Our EVSEs can neither be started from afar, nor reserved, nor unlocked. */
const withoutCapabilities = (party: Party) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    for (const location of yield* own(party, "locations")) {
      const evses = location.evses.map((evse: any) => ({ ...evse, capabilities: ["RFID_READER"] })) // any: of own()
      const json = { ...location, evses }
      const lastUpdated = "2026-06-01T12:00:00Z"
      yield* store.putObject(party.id, {
        module: "locations",
        key: location.id,
        side: "own",
        json,
        lastUpdated
      })
    }
  })

describe("an EMSP that commands", () => {
  it.live.each(versionNumbers)("is told when an EVSE cannot do it, in %s", (version) =>
    Effect.map(
      gradedQuickly({
        version,
        role: "EMSP",
        checks: ["CMD-106"],
        activity: "catalogue",
        listenSeconds: 60,
        before: (pair) => Effect.zipRight(withoutCapabilities(pair.ours), commandsTo(pair))
      }),
      ({ assertions: [assertion] }) => assert.strictEqual(assertion?.outcome, "warned")
    )
  )
})
