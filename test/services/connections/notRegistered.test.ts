import { assert, describe, it } from "vitest"
import { ConnectionId } from "../../../schema/Ids.ts"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import { notRegistered } from "../../../src/services/connections/notRegistered.ts"

const connection = {
  _id: ConnectionId.make("conn_1"),
  ocpiVersion: "2.2.1",
  status: "failed",
  theirRole: "EMSP",
  invitation: null,
  registration: { state: "unregistered" }
} as const
const tokens = [{ slot: "outbound" }] as const

describe("an order for a connection that is not registered", () => {
  it("is told where a report is to be had of a handshake that the partner has refused", () => {
    const suite = "ocpi-2.2.1-emsp-registration"
    assert.isDefined(suiteById(suite))
    const lastError =
      "protocol: POST credentials answered HTTP 422; the partner says: website: Field required"
    const told = notRegistered({ ...connection, lastError }, tokens)
    assert.include(told, `or the suite ${suite} for a report`)
    assert.include(told, "website: Field required")
  })

  it("is told of no suite where the partner was not reached, or never asked", () => {
    assert.notInclude(notRegistered({ ...connection, lastError: "network: ECONNREFUSED" }, tokens), "suite")
    assert.notInclude(notRegistered({ ...connection, status: "pending" }, tokens), "suite")
  })

  it("is told how a token comes to be, where there is none to call the partner with", () => {
    const pending = { ...connection, status: "pending" } as const
    assert.match(
      notRegistered(pending, []),
      /no token to call the partner with; run POST .*handshake with the/
    )
    assert.include(notRegistered(pending, []), "/conn_1/invitation")
    const at = new Date(0).toISOString()
    const invitation = { state: "open", issuedAt: at, expiresAt: at } as const
    assert.match(
      notRegistered({ ...pending, invitation }, [{ slot: "issued" }]),
      /; wait until the partner has/
    )
    assert.match(notRegistered({ ...pending, invitation }, tokens), /; run POST .*handshake first/)
  })
})
