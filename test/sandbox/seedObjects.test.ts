import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Role } from "../../schema/ocpi/Role.ts"
import type { ObjectName } from "../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { calculateCdr, differences } from "../../src/findings/money/compare.ts"
import { shown } from "../../src/findings/money/decimal.ts"
import { seedObjects } from "../../src/sandbox/seed/seedObjects.ts"
import type { PartyObject } from "../../src/store/parties/PartyStore.ts"

const now = Date.UTC(2026, 5, 1, 12)
const identity = { countryCode: "NL", partyId: "SBX", name: "Sandbox Charging" }
const seeded = (role: Role, version = versionNumbers[2]!, seed = 1) =>
  seedObjects({ role, profile: profileOf(version), identity, seed, now })
const of = (objects: ReadonlyArray<PartyObject>, module: string) =>
  objects.filter((object) => object.module === module).map(({ json }) => json)

const names: Readonly<Record<string, ObjectName>> = {
  locations: "Location",
  sessions: "Session",
  cdrs: "CDR",
  tariffs: "Tariff",
  tokens: "Token"
}

/** An amount before tax, in whichever shape. */
const net = (price: any): number =>
  typeof price === "number" ? price : (price?.excl_vat ?? price?.before_taxes ?? 0)

describe("seedObjects", () => {
  for (const version of versionNumbers) {
    it(`is valid in ${version} for both roles`, () => {
      for (const seed of [1, 7]) {
        for (const { json, module } of [...seeded("CPO", version, seed), ...seeded("EMSP", version, seed)]) {
          const schema = names[module] === undefined ? undefined : profileOf(version).objects[names[module]]
          // What the partner keeps beside its objects is served by no module.
          if (schema === undefined) continue
          const read = Schema.decodeUnknownEither(schema)(json)
          assert.strictEqual(read._tag, "Right", `${module} ${read._tag === "Left" ? read.left.message : ""}`)
        }
      }
    })
  }

  it("is the same for the same seed and another for another", () => {
    assert.deepStrictEqual(seeded("CPO"), seeded("CPO"))
    assert.notDeepEqual(of(seeded("CPO"), "locations"), of(seeded("CPO", versionNumbers[2]!, 2), "locations"))
  })

  it("has pages to turn", () => {
    assert.isAtLeast(of(seeded("CPO"), "locations").length, 8)
    assert.isAtLeast(of(seeded("EMSP"), "tokens").length, 12)
    assert.isAtLeast(of(seeded("CPO"), "cdrs").length, 5)
  })

  it("keeps every id once", () => {
    for (const role of ["CPO", "EMSP"] as const) {
      const keys = seeded(role).map(({ key, module }) => `${module} ${key}`)
      assert.lengthOf(new Set(keys), keys.length)
    }
    const evses = of(seeded("CPO"), "locations").flatMap(
      ({ evses }) => evses as ReadonlyArray<{ readonly uid: string }>
    )
    assert.lengthOf(new Set(evses.map(({ uid }) => uid)), evses.length)
  })

  it("dates a connector no later than its EVSE, and an EVSE no later than its location", () => {
    for (const location of of(seeded("CPO"), "locations")) {
      const place = location as {
        readonly last_updated: string
        readonly evses: ReadonlyArray<Record<string, unknown>>
      } // valid, tested above
      for (const evse of place.evses) {
        assert.isAtMost(Date.parse(String(evse["last_updated"])), Date.parse(place.last_updated))
        for (const connector of evse["connectors"] as ReadonlyArray<Record<string, string>>) {
          assert.isAtMost(Date.parse(connector["last_updated"]!), Date.parse(String(evse["last_updated"])))
        }
      }
    }
  })

  it("stores each object under the instant of its last_updated, in the past", () => {
    for (const { json, lastUpdated, module } of [...seeded("CPO"), ...seeded("EMSP")]) {
      if (names[module] === undefined) continue
      assert.strictEqual(Date.parse(String(json["last_updated"])), Date.parse(lastUpdated))
      assert.isBelow(Date.parse(lastUpdated), now)
    }
  })

  it("references only tariffs and locations that it has", () => {
    const objects = seeded("CPO")
    const tariffs = new Set(of(objects, "tariffs").map(({ id }) => id))
    const locations = new Set(of(objects, "locations").map(({ id }) => id))
    const used = [...JSON.stringify(of(objects, "locations")).matchAll(/"tariff_ids":\["([^"]+)"\]/g)]
    assert.isAbove(used.length, 8)
    for (const [, id] of used) assert.isTrue(tariffs.has(id!))
    for (const { location_id } of of(objects, "sessions")) assert.isTrue(locations.has(location_id))
  })

  it.each(versionNumbers)(
    "adds up in %s: CDR against its tariff and periods, and against its session",
    (version) => {
      const profile = profileOf(version)
      const objects = seeded("CPO", version)
      // Valid objects, tested above; a test looks into JSON of any shape.
      const sessions = of(objects, "sessions") as ReadonlyArray<any>
      for (const [index, cdr] of (of(objects, "cdrs") as ReadonlyArray<any>).entries()) {
        assert.isAbove(net(cdr.total_cost), 0)
        const apart = differences(profile, cdr, calculateCdr(profile, cdr)).map((one) => shown(one.net))
        assert.isTrue(apart.every((difference) => difference === "0"))
        assert.lengthOf(calculateCdr(profile, cdr).unknowns, 0)
        const session = sessions[index]
        assert.strictEqual(session.kwh, cdr.total_energy)
        assert.strictEqual(session.status, "COMPLETED")
        assert.deepStrictEqual(session.total_cost, cdr.total_cost)
        if (profile.cdrDetails) assert.strictEqual(cdr.session_id, session.id)
      }
    }
  )

  it("has free stations with remote start everywhere", () => {
    for (const { evses } of of(seeded("CPO"), "locations")) {
      const first = (
        evses as ReadonlyArray<{ readonly status: string; readonly capabilities: ReadonlyArray<string> }>
      )[0]!
      assert.strictEqual(first.status, "AVAILABLE")
      assert.includeMembers(
        [...first.capabilities],
        ["REMOTE_START_STOP_CAPABLE", "RESERVABLE", "UNLOCK_CAPABLE"]
      )
    }
  })
})
