/** How we show ourselves as a hub: credentials and version details. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Redacted, Schema } from "effect"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { versionDetails } from "../../src/party/modules/versions.ts"
import { ourCredentials } from "../../src/party/wire/credentialsObject.ts"
import { clientsOf } from "../../src/services/connections/newConnection.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import { partyWith } from "../support/parties/parties.ts"

const hubOf = (version: OcpiVersion): Party => {
  const party = partyWith({ id: "conn_1", role: "EMSP", version }, false)
  return { ...party, hub: { clients: clientsOf(party.identity) } }
}
const shown = (version: OcpiVersion) =>
  ourCredentials(profileOf(version), hubOf(version), Redacted.make("token"), "https://us.example/versions")

describe("our credentials as a hub", () => {
  it("have the role HUB alone in 2.2 and 2.2.1", () => {
    for (const version of ["2.2", "2.2.1"] as const) {
      const { hub_party_id, roles } = shown(version) as any
      assert.deepStrictEqual(
        roles.map(({ party_id, role }: any) => [role, party_id]),
        [["HUB", hubOf(version).identity.partyId]]
      )
      assert.isUndefined(hub_party_id)
    }
  })

  it("name the hub and list the parties behind it in 2.3.0", () => {
    const { clients } = hubOf("2.3.0").hub!
    const { countryCode, partyId } = hubOf("2.3.0").identity
    const { hub_party_id, roles } = shown("2.3.0") as any
    assert.strictEqual(hub_party_id, `${countryCode}${partyId}`)
    assert.deepStrictEqual(
      roles.map(({ party_id, role }: any) => [role, party_id]),
      clients.map((client) => ["EMSP", client.partyId])
    )
  })

  it("are valid by the text", () => {
    for (const version of ["2.2", "2.2.1", "2.3.0"] as const) {
      const schema = profileOf(version).objects.Credentials
      assert.isTrue(Either.isRight(Schema.decodeUnknownEither(schema!)(shown(version))))
    }
  })
})

describe("our version details as a hub", () => {
  it("offer no receiver of hubclientinfo: it is the hub that tells", () => {
    const identifiers = (party: Party) =>
      (versionDetails("https://us.example", "2.2.1", party) as any).data.endpoints.map(
        ({ identifier }: any) => identifier
      )
    assert.notInclude(identifiers(hubOf("2.2.1")), "hubclientinfo")
    assert.include(
      identifiers(partyWith({ id: "conn_1", role: "EMSP", version: "2.2.1" }, false)),
      "hubclientinfo"
    )
  })
})
