/** Which suites a connection may have: as a hub the one for a partner behind a hub, and no other. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import type { Owned } from "../../../src/services/connections/Connections.ts"
import { clientsOf } from "../../../src/services/connections/newConnection.ts"
import { checkTarget } from "../../../src/services/runs/orders/suiteOrder.ts"

const target = (isHub: boolean) =>
  ({
    row: { id: "conn_1", ocpiVersion: "2.2.1", theirRole: "CPO" },
    view: { status: "registered", ...(isHub ? { hubClients: [] } : {}) }
  }) as unknown as Owned

/** Why the suite is refused; undefined: it is not. */
const refusal = (part: string, isHub: boolean) => {
  const suite = suiteById(`ocpi-2.2.1-cpo-${part}`)
  const checked = Effect.runSync(Effect.either(checkTarget(target(isHub), suite!.detail, [])))
  return Either.isLeft(checked) ? checked.left.message : undefined
}

describe("a connection in which we are a hub", () => {
  it("has the suite hub, and no other", () => {
    assert.isUndefined(refusal("hub", true))
    for (const part of ["core", "full", "smoke", "registration", "hubclientinfo"])
      assert.include(refusal(part, true), "We are a hub in this connection")
  })

  it("is the only one that has it", () => {
    assert.isUndefined(refusal("core", false))
    assert.include(refusal("hub", false), "hub: true")
    assert.isUndefined(suiteById("ocpi-2.1.1-cpo-hub"))
  })
})

describe("the parties behind our hub", () => {
  it("are two, and neither is the hub", () => {
    const ids = (partyId: string) =>
      clientsOf({ countryCode: "NL", partyId, name: "us" }).map((client) => client.partyId)
    assert.deepStrictEqual(ids("PLG"), ["PLX", "PLY"])
    assert.deepStrictEqual(ids("PLX"), ["PLY", "PLZ"])
  })
})
