import { assert, describe, it } from "@effect/vitest"
import { type Connection, defaultDialect } from "../../../schema/Connection.ts"
import { ConnectionId } from "../../../schema/Ids.ts"
import { secondAt } from "../../../src/services/connections/secondConnection.ts"

const partner = { role: "CPO", countryCode: "DE", partyId: "CPO", name: "A CPO" }

const connection = (id: string, given: Partial<Connection> = {}): Connection => ({
  _id: ConnectionId.make(id),
  partnerBaseUrl: "https://cpo.example:8443/ocpi/versions",
  ourRole: "EMSP",
  theirRole: "CPO",
  ocpiVersion: "2.2.1",
  status: "registered",
  label: id,
  environment: "test",
  dialect: defaultDialect,
  endpoints: [],
  partner: [partner],
  invitation: null,
  registration: { state: "unregistered" },
  registeredAt: "2026-06-01T12:00:00.000Z",
  createdAt: "2026-06-01T12:00:00.000Z",
  ...given
})
const mine = connection("conn_2")

describe("a second connection at the same partner", () => {
  it("is the other one that was registered there last, and of those of one time the oldest", () => {
    const all = [connection("conn_4"), connection("conn_3"), mine]
    assert.strictEqual(secondAt(mine, all)?._id, "conn_3")
    const later = connection("conn_1", { registeredAt: "2026-06-01T12:00:01.000Z" })
    assert.strictEqual(secondAt(mine, [...all, later])?._id, "conn_1")
    const earlier = connection("conn_5", { registeredAt: "2026-06-01T11:59:59.000Z" })
    assert.strictEqual(secondAt(mine, [earlier, ...all])?._id, "conn_3")
  })

  it("may have another path at the same host, and the party in other letters", () => {
    const other = connection("conn_1", {
      partnerBaseUrl: "https://cpo.example:8443/other/versions",
      partner: [{ ...partner, countryCode: "de", partyId: "cpo" }]
    })
    assert.strictEqual(secondAt(mine, [other, mine])?._id, "conn_1")
  })

  it.each<[string, Partial<Connection>]>([
    ["another port", { partnerBaseUrl: "https://cpo.example/ocpi/versions" }],
    ["another party at the same host", { partner: [{ ...partner, partyId: "OTH" }] }],
    ["a partner whose party is not known", { partner: null }],
    ["the party in another role only", { partner: [{ ...partner, role: "EMSP" }] }],
    ["production", { environment: "production" }],
    ["another version", { ocpiVersion: "2.1.1" }],
    ["the other role", { ourRole: "CPO" }],
    ["no registration any more", { status: "pending" }]
  ])("is none with %s", (_, given) => {
    assert.isUndefined(secondAt(mine, [connection("conn_1", given), mine]))
  })
})
