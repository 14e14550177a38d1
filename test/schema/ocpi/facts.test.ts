/** What a profile says in words must be what its schemas take. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { ObjectName, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { books } from "../../support/ocpi/books.ts"

const everyVersion = (
  judge: (profile: VersionProfile, table: (name: string) => ReadonlySet<string>) => void
) => {
  for (const version of versionNumbers) {
    judge(profileOf(version), (name) => new Set(Object.keys(books[version].tables[name] ?? {})))
  }
}

const takes = (profile: VersionProfile, name: ObjectName, change: Record<string, unknown>) =>
  Schema.is(profile.objects[name]!)({ ...books[profile.version].example(name, false), ...change })

describe("facts about objects", () => {
  it("name the times of sessions and CDRs as the objects do", () =>
    everyVersion(({ cdrNames, sessionNames }, table) => {
      assert.includeMembers([...table("Session")], Object.values(sessionNames))
      assert.includeMembers([...table("CDR")], Object.values(cdrNames))
    }))

  it("name the token, its contract and its owner as the objects do", () =>
    everyVersion(({ contract, tokenReference, tokenReferenceOwner }, table) => {
      assert.isTrue(table("Session").has(tokenReference))
      assert.isTrue(table("CDR").has(tokenReference))
      assert.isTrue(table("Token").has(contract))
      assert.strictEqual(table("CdrToken").has("party_id"), tokenReferenceOwner)
    }))

  it("name the place as the objects do", () =>
    everyVersion(({ place, placeKind, publish }, table) => {
      assert.strictEqual(table("Session").has("location"), place === "location")
      assert.strictEqual(table("Session").has("location_id"), place === "ids")
      assert.strictEqual(table("CDR").has("cdr_location"), place === "ids")
      assert.isTrue(table("Location").has(placeKind))
      assert.strictEqual(table("Location").has("publish"), publish)
    }))

  it("name what a connector has as the object does", () =>
    everyVersion(({ connectorNames, impactKind }, table) => {
      assert.includeMembers([...table("Connector")], Object.values(connectorNames))
      assert.isTrue(table("EnvironmentalImpact").has(impactKind))
    }))

  it("say whose fields are there", () =>
    everyVersion(({ ownerFields }, table) => {
      for (const name of ["Location", "Session", "CDR", "Tariff", "Token"]) {
        assert.strictEqual(table(name).has("party_id"), ownerFields, name)
      }
    }))

  it("give each version its price and its limits", () => {
    const prices = { number: 1, excl_vat: { excl_vat: 1 }, before_taxes: { before_taxes: 1 } }
    everyVersion((profile, table) => {
      for (const [name, total_cost] of Object.entries(prices)) {
        assert.strictEqual(takes(profile, "Session", { total_cost }), name === profile.price)
      }
      assert.strictEqual(table("Tariff").has("min_price"), profile.priceLimitGross !== null)
      assert.strictEqual(table("Tariff").has("tax_included"), profile.tariffTax === "tax_included")
      assert.strictEqual(table("PriceComponent").has("vat"), profile.tariffTax !== "unstated")
    })
  })

  it("say what CDRs and periods hold", () =>
    everyVersion(({ cdrDetails, periodTariff }, table) => {
      for (const field of ["session_id", "total_energy_cost", "credit_reference_id"]) {
        assert.strictEqual(table("CDR").has(field), cdrDetails, field)
      }
      assert.strictEqual(table("ChargingPeriod").has("tariff_id"), periodTariff)
    }))

  it("give an app's token and a command's session words that the version has", () =>
    everyVersion((profile) => {
      assert.isTrue(takes(profile, "Token", { type: profile.appToken }))
      assert.isTrue(takes(profile, "Session", { auth_method: profile.commandAuthMethod }))
      assert.strictEqual(takes(profile, "Session", { status: "RESERVATION" }), profile.reservationSession)
    }))

  it("say what commands and authorizations hold", () =>
    everyVersion((profile, table) => {
      assert.strictEqual(table("CommandResponse").has("timeout"), profile.commandTimeout)
      assert.strictEqual(table("START_SESSION").has("connector_id"), profile.startSessionConnector)
      assert.strictEqual(table("AuthorizationInfo").has("token"), profile.authorizationDetails)
      assert.strictEqual(
        profile.objects.CommandResult === profile.objects.CommandResponse,
        profile.commandResults === "response"
      )
      const id = profile.reservationId === "number" ? 1 : "R-1"
      assert.isTrue(takes(profile, "RESERVE_NOW", { reservation_id: id }))
    }))
})

describe("facts about behaviour", () => {
  const facts = (read: (profile: VersionProfile) => unknown) =>
    versionNumbers.map((version) => read(profileOf(version)))

  it("patch tariffs in 2.1.1 only, and want last_updated in a patch since 2.2", () => {
    assert.deepStrictEqual(
      facts(({ tariffPatch }) => tariffPatch),
      [true, false, false, false]
    )
    assert.deepStrictEqual(
      facts(({ patchNeedsLastUpdated }) => patchNeedsLastUpdated),
      [false, true, true, true]
    )
    assert.deepStrictEqual(
      facts(({ patchAppendsPeriods }) => patchAppendsPeriods),
      [null, true, true, true]
    )
  })

  it("have a status of its own for an unknown token since 2.2", () => {
    assert.deepStrictEqual(
      facts(({ unknownTokenStatus }) => unknownTokenStatus),
      [2001, 2004, 2004, 2004]
    )
  })

  it("tell tokens apart by type, and include the first bound of dates only, since 2.2", () => {
    assert.deepStrictEqual(
      facts(({ dateBounds, tokenTypeInUrl }) => [tokenTypeInUrl, dateBounds]),
      [[false, "unstated"], ...Array(3).fill([true, "half_open"])]
    )
  })
})
