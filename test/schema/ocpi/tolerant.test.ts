import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as fc from "fast-check"
import { v2_2_1 } from "../../../schema/ocpi/profiles/v2_2_1.ts"
import { tolerant } from "../../../schema/ocpi/tolerant.ts"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import { Session } from "../../../schema/ocpi/v2_2_1/Session.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { books } from "../../support/ocpi/books.ts"

const taken = (schema: Schema.Schema.AnyNoContext, json: unknown) =>
  Schema.decodeUnknownEither(tolerant(schema))(json)
const objects = v2_2_1.objects
const example = (name: ObjectName) => books["2.2.1"].example(name, true)

/** The same with an unknown field in it and in every object that it holds. */
const withMore = (json: unknown, value: unknown): unknown => {
  if (Array.isArray(json)) return json.map((item) => withMore(item, value))
  if (typeof json !== "object" || json === null) return json
  const fields = Object.entries(json).map(([name, held]) => [name, withMore(held, value)])
  return { ...Object.fromEntries(fields), x_vendor: value }
}

describe("the tolerant form of a schema", () => {
  it("takes every object that the strict one takes, and changes nothing in it", () => {
    for (const version of versionNumbers) {
      for (const [name, schema] of Object.entries(profileOf(version).objects)) {
        for (const full of [true, false]) {
          const json = books[version].example(name, full)
          assert.deepStrictEqual(taken(schema, json), Either.right(json), `${version} ${name}`)
        }
      }
    }
  })

  it("keeps fields that nobody knows, at any depth", () => {
    const connector = { ...example("Connector"), x_cable: { metres: 5 } }
    const evse = { ...example("EVSE"), x_colour: "red", connectors: [connector] }
    assert.deepStrictEqual(taken(objects.EVSE!, evse), Either.right(evse))
  })

  it.each(versionNumbers)("keeps them in every object of %s, whatever they hold", (version) => {
    const schemas = Object.entries(profileOf(version).objects)
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.jsonValue(), ([name, schema], value) => {
        const json = withMore(books[version].example(name, true), value)
        assert.deepStrictEqual(taken(schema, json), Either.right(json), name)
      }),
      { numRuns: 200 }
    )
  })

  it("takes words that no version has", () => {
    const evse = { ...example("EVSE"), status: "ON_FIRE", capabilities: ["TELEPORT"] }
    assert.deepStrictEqual(taken(objects.EVSE!, evse), Either.right(evse))
  })

  it("takes texts of any length and form, dates too", () => {
    const location = { ...example("Location"), address: "x".repeat(999), last_updated: "yesterday", id: "" }
    assert.deepStrictEqual(taken(objects.Location!, location), Either.right(location))
  })

  it("asks no rule between fields", () => {
    assert.isTrue(Either.isRight(taken(objects.CDR!, { ...example("CDR"), credit_reference_id: null })))
  })

  it("makes one thing of absent, null and an empty list", () => {
    const { evses: _, name: __, ...bare } = example("Location")
    for (const nothing of [null, [], undefined]) {
      assert.deepStrictEqual(
        taken(objects.Location!, { ...bare, evses: nothing, name: null }),
        Either.right(bare)
      )
    }
  })

  it("does so inside of lists and objects", () => {
    const { text, language } = { text: "Hello", language: "en" }
    const location = {
      ...example("Location"),
      related_locations: [{ latitude: "1", longitude: "2", name: null }],
      operator: { name: "A", logo: null },
      directions: [{ text, language }]
    }
    assert.deepStrictEqual(
      taken(objects.Location!, location),
      Either.right({
        ...location,
        related_locations: [{ latitude: "1", longitude: "2" }],
        operator: { name: "A" }
      })
    )
  })

  it("leaves an empty list where one is required", () => {
    const evse = { ...example("EVSE"), connectors: [] }
    assert.deepStrictEqual(taken(objects.EVSE!, evse), Either.right(evse))
  })

  it("still wants what is required, and values of the right kind", () => {
    const flawed = [
      { ...example("Session"), kwh: "12.5" },
      { ...example("Session"), kwh: null },
      { ...example("Session"), cdr_token: "text" },
      { ...example("Session"), charging_periods: {} },
      "text",
      null,
      []
    ]
    assert.isTrue(flawed.every((json) => Either.isLeft(taken(objects.Session!, json))))
  })

  it("says in its type that enums are texts and that nothing is null", () => {
    const session = Schema.decodeUnknownSync(tolerant(Session))(example("Session"))
    const status: string = session.status
    const end: string | undefined = session.end_date_time
    assert.deepStrictEqual([status, end], ["RESERVATION", "2026-02-28T23:59:59.123Z"])
  })

  it("is taken again unchanged, whatever is in it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...books["2.2.1"].mutationsOf("Location")), (mutation) => {
        const once = taken(objects.Location!, books["2.2.1"].mutated(mutation))
        if (Either.isRight(once)) assert.deepStrictEqual(taken(objects.Location!, once.right), once)
      }),
      { numRuns: 200 }
    )
  })

  it("is derived once", () => assert.strictEqual(tolerant(Session), tolerant(Session)))
})
