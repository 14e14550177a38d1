/** Which connection a command means, and what comes next. */
import { assert, describe, it } from "vitest"
import { type Connection, defaultDialect } from "../../../schema/Connection.ts"
import { ConnectionId } from "../../../schema/Ids.ts"
import {
  looksLike,
  nextStep,
  preferred,
  roleSeen,
  sameAs
} from "../../../src/cli/connecting/connectionAdvice.ts"

const connection = (over: Partial<Connection> = {}): Connection => ({
  _id: ConnectionId.make(`conn_${"0".repeat(32)}`),
  partnerBaseUrl: "https://cpo.example/ocpi/versions",
  ourRole: "EMSP",
  theirRole: "CPO",
  ocpiVersion: "2.2.1",
  status: "registered",
  label: "my-cpo",
  environment: "test",
  dialect: defaultDialect,
  endpoints: [],
  partner: [{ role: "CPO", countryCode: "DE", partyId: "ABC", name: "A" }],
  invitation: null,
  registration: { state: "unregistered" },
  registeredAt: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...over
})
const wanted = {
  partnerBaseUrl: "https://cpo.example/ocpi/versions/",
  theirRole: "CPO",
  ourRole: "EMSP",
  ocpiVersion: "2.2.1",
  environment: "test",
  hub: false,
  label: "my-cpo"
}

describe("a name", () => {
  it("means the registered connection, though others with the label failed", () => {
    const failed = connection({ status: "failed", createdAt: "2026-02-01T00:00:00.000Z" })
    assert.deepStrictEqual(preferred([failed, connection()]), [connection()])
  })

  it("means the newest where none is registered, and every one that is", () => {
    const old = connection({ status: "failed" })
    const young = connection({ status: "failed", createdAt: "2026-02-01T00:00:00.000Z" })
    assert.deepStrictEqual(preferred([old, young]), [young])
    assert.lengthOf(preferred([connection(), connection()]), 2)
    assert.lengthOf(preferred([]), 0)
  })
})

describe("a connect", () => {
  it("means the connection of the same partner, roles, version and label", () => {
    assert.strictEqual(sameAs([connection()], wanted)?.status, "registered")
    assert.strictEqual(
      sameAs([connection({ status: "failed" })], { ...wanted, label: undefined })?.status,
      "failed"
    )
  })

  it("means a new one where anything differs", () => {
    for (const other of [
      { label: "second" },
      { theirRole: "EMSP" as const },
      { ocpiVersion: "2.3.0" as const },
      { environment: "production" as const },
      { hubClients: [] },
      { partnerBaseUrl: "https://other.example/ocpi/versions" }
    ])
      assert.isUndefined(sameAs([connection(other)], wanted))
  })
})

describe("the next step", () => {
  it("is a suite where it is registered, and the same connect where it is not", () => {
    assert.match(nextStep(connection()), /^plugfest test my-cpo {3}\(other suites: /)
    const again =
      "plugfest connect https://cpo.example/ocpi/versions --their-role CPO --ocpi-version 2.2.1 --label my-cpo"
    assert.strictEqual(nextStep(connection({ status: "failed", lastError: "network: refused" })), again)
    assert.include(
      nextStep(connection({ status: "failed", lastError: "protocol: x" })),
      `${again}; for a report`
    )
  })

  it("does not repeat a URL that is not the partner's versions URL", () => {
    const failed = (lastError: string) => nextStep(connection({ status: "failed", lastError }))
    for (const lastError of [
      "config: GET versions answered with the details of version 2.2.1, not with a list of versions; partnerBaseUrl must be the partner's versions URL, which usually ends in /versions",
      "protocol: GET versions answered 301, redirects to https://cpo.example/versions/; redirects are not followed, use the final URL"
    ])
      assert.strictEqual(
        failed(lastError),
        "plugfest connect <its versions URL> --their-role CPO --ocpi-version 2.2.1 --label my-cpo"
      )
    const later =
      "protocol: POST credentials answered 302, with no Location; redirects are not followed, use the final URL"
    assert.include(failed(later), "plugfest connect https://cpo.example/ocpi/versions ")
  })

  it("is a connect with a version that the partner offers, where it does not offer that of the connection", () => {
    const nextOf = (offers: string) =>
      nextStep(
        connection({
          status: "failed",
          lastError: `unsupported: the partner does not offer version 2.2.1; it offers ${offers}. Agree on one that both sides offer`
        })
      )
    assert.include(nextOf("2.0, 2.1.1, 2.2 and 3 more"), "--ocpi-version 2.2 ")
    assert.include(nextOf("2.0"), "--ocpi-version 2.2.1 ")
  })

  it("is the partner's while an invitation is open", () => {
    const invitation = { state: "open", issuedAt: "", expiresAt: "" } as const
    assert.include(nextStep(connection({ status: "pending", invitation })), "the partner registers")
  })

  it("is to connect anew where the partner names another role", () => {
    const partner = [{ role: "EMSP", countryCode: "DE", partyId: "ABC", name: "A" }]
    assert.strictEqual(roleSeen(connection({ partner })), "EMSP")
    assert.match(nextStep(connection({ partner })), /disconnect conn_0+, then connect with --their-role EMSP/)
    assert.include(
      looksLike(connection({ partner }), "EMSP"),
      "looks like an EMSP: its credentials name EMSP DE-ABC"
    )
    assert.isUndefined(roleSeen(connection({ partner: [...partner, { ...partner[0]!, role: "CPO" }] })))
  })
})
