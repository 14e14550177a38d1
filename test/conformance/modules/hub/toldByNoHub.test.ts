/** ClientInfo is a hub's to tell: a partner that refuses it from us, who are none, breaks no must (mod_hub_client_info). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bothRoles } from "../../../../src/sandbox/faults/Fault.ts"
import { gradedQuickly } from "../../../support/parties/quickWorld.ts"

describe("ClientInfo that is refused", () => {
  it.live.each(bothRoles)("is a should where we are no hub, and a must where we are, at a %s", (role) =>
    Effect.gen(function* () {
      for (const hub of [false, true]) {
        const { assertions, events } = yield* gradedQuickly({
          version: "2.2.1",
          role,
          hub,
          faults: ["hubclientinfo.refused"],
          checks: ["HUB-003"]
        })
        const [found] = assertions.flatMap(({ findings = [] }) => findings)
        assert.strictEqual(found?.strength, hub ? "must" : "should")
        const told = events.flatMap((event) =>
          event.type === "exchange.intended" && event.exchange.module === "hubclientinfo"
            ? [String(event.exchange.request.body)]
            : []
        )
        for (const body of told.filter((one) => one.includes("PLANNED")))
          assert.strictEqual(JSON.parse(body).role, role === "CPO" ? "EMSP" : "CPO")
      }
    })
  )
})
