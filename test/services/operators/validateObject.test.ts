import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { mostListed, objectNames } from "../../../schema/Validation.ts"
import { validateObject } from "../../../src/services/operators/validateObject.ts"
import { books } from "../../support/ocpi/books.ts"

const location = books["2.2.1"].example("Location", true)
const validated = (change: Record<string, unknown>) =>
  Effect.runSync(
    validateObject({
      ocpiVersion: "2.2.1",
      object: "Location",
      json: JSON.parse(JSON.stringify({ ...location, ...change }))
    })
  )

describe("validateObject", () => {
  it.each(versionNumbers)("finds nothing to say about the full objects of %s", (ocpiVersion) => {
    for (const object of objectNames) {
      if (profileOf(ocpiVersion).objects[object] === undefined) continue
      const report = Effect.runSync(
        validateObject({ ocpiVersion, object, json: books[ocpiVersion].example(object, true) })
      )
      assert.isTrue(report.valid, object)
      assert.deepStrictEqual(report.unknownFields, [], object)
    }
  })

  it("names the kind of rule that each field breaks", () => {
    const { violations } = validated({
      city: undefined,
      publish: null,
      address: 7,
      country: "NL",
      charging_when_closed: "yes",
      parking_type: "ROOF",
      evses: [{ ...(location["evses"] as Array<object>)[0], connectors: [] }],
      opening_times: { twentyfourseven: false }
    })
    assert.sameDeepMembers(
      violations.map(({ pointer, rule }) => [pointer, rule]),
      [
        ["/city", "required"],
        ["/publish", "not_null"],
        ["/address", "type"],
        ["/country", "value"],
        ["/charging_when_closed", "type"],
        ["/parking_type", "enum"],
        ["/evses/0/connectors", "cardinality"],
        ["/opening_times/regular_hours", "between_fields"]
      ]
    )
  })

  it("gives each violation the section of the object that it is in", () => {
    const { section, violations } = validated({ name: 7, coordinates: {}, operator: null, images: [{}] })
    assert.strictEqual(section, "mod_locations, Location Object")
    const sections = Object.fromEntries(violations.map((flaw) => [flaw.pointer, flaw.section]))
    assert.strictEqual(sections["/name"], "mod_locations, Location Object")
    assert.strictEqual(sections["/coordinates/latitude"], "mod_locations, GeoLocation class")
    assert.strictEqual(sections["/images/0/url"], "mod_locations, Image class")
  })

  it("lists unknown fields as information only", () => {
    const report = validated({ vendor: { secret: 1 } })
    assert.isTrue(report.valid)
    assert.deepStrictEqual(report.unknownFields, ["/vendor"])
  })

  it("counts all violations and lists the first of very many", () => {
    const report = validated({ directions: Array.from({ length: mostListed + 5 }, () => 7) })
    assert.strictEqual(report.violationCount, mostListed + 5)
    assert.lengthOf(report.violations, mostListed)
  })
})
