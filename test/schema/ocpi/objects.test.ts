import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { violations } from "../../../src/findings/violations/violations.ts"
import { books, laterWords } from "../../support/ocpi/books.ts"

const objectCounts = { "2.1.1": 18, "2.2": 28, "2.2.1": 28, "2.3.0": 30 }
for (const version of versionNumbers) {
  const objects = profileOf(version).objects
  const book = books[version]
  const names = Object.keys(objects) as ReadonlyArray<ObjectName>
  const mutations = names.flatMap((name) => book.mutationsOf(name))
  const example = (name: string, full: boolean) => book.example(name, full)
  const mutated = (mutation: (typeof mutations)[number]) => book.mutated(mutation)
  const pointersOf = (name: string, json: unknown) =>
    violations(objects[name as ObjectName]!, json).map(({ pointer }) => pointer)
  const topOf = (pointer: string) => pointer.split("/")[1]!
  const anyName = fc.constantFrom(...names)

  describe(`the objects of ${version}`, () => {
    it("are all there", () => assert.strictEqual(names.length, objectCounts[version]))

    for (const name of names) {
      it(`accept a ${name} with every field, its texts as long as they may be`, () => {
        assert.deepStrictEqual(violations(objects[name]!, example(name, true)), [])
      })

      it(`accept a ${name} with its required fields only`, () => {
        assert.deepStrictEqual(violations(objects[name]!, example(name, false)), [])
      })
    }

    const broken = mutations.filter(({ legal }) => !legal).length
    it(`report a single broken field at its place and nothing else, in ${broken} ways`, () => {
      assert.isAbove(broken, 2500)
      for (const mutation of mutations) {
        const expected = mutation.legal ? [] : [mutation.pointer]
        assert.deepStrictEqual(
          pointersOf(mutation.object, mutated(mutation)),
          expected,
          JSON.stringify(mutation)
        )
      }
    })

    it("report broken fields of different places together, however they are mixed", () => {
      const flawed = fc.constantFrom(
        ...mutations.filter(({ legal, object }) => !legal && object === "Location")
      )
      fc.assert(
        fc.property(fc.array(flawed, { minLength: 1, maxLength: 6 }), (chosen) => {
          const apart = [...new Map(chosen.map((mutation) => [topOf(mutation.pointer), mutation])).values()]
          const json = Object.assign(
            example("Location", true),
            ...apart.map((mutation) => ({
              [topOf(mutation.pointer)]: mutated(mutation)[topOf(mutation.pointer)] ?? null
            }))
          )
          assert.sameMembers(
            pointersOf("Location", json) as Array<string>,
            apart.map(({ pointer }) => pointer)
          )
        }),
        { numRuns: 300 }
      )
    })

    it("report every broken field when several are", () => {
      fc.assert(
        fc.property(
          anyName.chain((name) =>
            fc
              .subarray(Object.keys(example(name, false)), { minLength: 1 })
              .map((fields) => ({ name, fields }))
          ),
          ({ fields, name }) => {
            const json = {
              ...example(name, true),
              ...Object.fromEntries(fields.map((field) => [field, null]))
            }
            assert.sameMembers(
              pointersOf(name, json) as Array<string>,
              fields.map((field) => `/${field}`)
            )
          }
        ),
        { numRuns: 200 }
      )
    })

    it("let fields pass that the version does not know", () => {
      fc.assert(
        fc.property(
          anyName,
          fc.dictionary(
            fc.string().map((key) => `x_${key}`),
            fc.jsonValue()
          ),
          (name, extra) => {
            assert.deepStrictEqual(pointersOf(name, { ...extra, ...example(name, true) }), [])
          }
        ),
        { numRuns: 200 }
      )
    })

    it("take nothing but an object", () => {
      fc.assert(
        fc.property(
          anyName,
          fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
          (name, json) => {
            assert.deepStrictEqual(pointersOf(name, json), [""])
          }
        ),
        { numRuns: 100 }
      )
    })

    it("take no word of another version in a closed enum", () => {
      for (const [field, later] of Object.entries(laterWords[version])) {
        for (const object of names) {
          for (const pointer of book.placesOf(object, field)) {
            for (const value of later) {
              const flawed = mutated({ object, pointer, value, legal: false })
              assert.deepStrictEqual(pointersOf(object, flawed), [pointer], `${pointer} ${value}`)
            }
          }
        }
      }
    })
  })
}

const objects = profileOf("2.2.1").objects
const example = (name: string, full: boolean) => books["2.2.1"].example(name, full)
const pointersOf = (name: string, json: unknown) =>
  violations(objects[name as ObjectName]!, json).map(({ pointer }) => pointer)

describe("values of 2.2.1", () => {
  it("accept #NA for what an unused reservation does not have", () => {
    const session = { ...example("Session", true), evse_uid: "#NA", connector_id: "#NA" }
    assert.deepStrictEqual(pointersOf("Session", session), [])
  })

  it("accept the party's country in any case, the place's in capitals only", () => {
    assert.deepStrictEqual(pointersOf("Location", { ...example("Location", true), country_code: "nl" }), [])
    assert.deepStrictEqual(pointersOf("Location", { ...example("Location", true), country: "nld" }), [
      "/country"
    ])
  })

  it("refuse a zero-length id, which no URL can name", () => {
    assert.deepStrictEqual(pointersOf("Connector", { ...example("Connector", true), id: "" }), ["/id"])
  })

  it("count characters, not UTF-16 units", () => {
    const level = (floor_level: string) => pointersOf("EVSE", { ...example("EVSE", true), floor_level })
    assert.deepStrictEqual(level("🚗🚗🚗🚗"), [])
    assert.deepStrictEqual(level("🚗🚗🚗🚗🚗"), ["/floor_level"])
  })
})

describe("rules between fields of 2.2.1", () => {
  const location = (change: Record<string, unknown>) =>
    pointersOf("Location", { ...example("Location", true), ...change })

  it("want regular hours when a place is not open round the clock", () => {
    assert.deepStrictEqual(location({ opening_times: { twentyfourseven: false } }), [
      "/opening_times/regular_hours"
    ])
  })

  it("want a period to end after it begins", () => {
    const hours = { weekday: 1, period_begin: "10:00", period_end: "09:00" }
    assert.deepStrictEqual(location({ opening_times: { twentyfourseven: false, regular_hours: [hours] } }), [
      "/opening_times/regular_hours/0/period_end"
    ])
  })

  it("want a published token's uid with its type, and one way to name it", () => {
    assert.deepStrictEqual(location({ publish_allowed_to: [{ uid: "1" }, {}, { visual_number: "1" }] }), [
      "/publish_allowed_to/0/type",
      "/publish_allowed_to/1",
      "/publish_allowed_to/2/issuer"
    ])
  })

  it("want the EVSE of a connector that is to be started", () => {
    const { evse_uid: _, ...body } = example("START_SESSION", true)
    assert.deepStrictEqual(pointersOf("START_SESSION", body), ["/evse_uid"])
  })

  it("want the CDR that a Credit CDR takes back", () => {
    const { credit_reference_id: _, ...cdr } = example("CDR", true)
    assert.deepStrictEqual(pointersOf("CDR", cdr), ["/credit_reference_id"])
    assert.deepStrictEqual(pointersOf("CDR", { ...cdr, credit: false }), [])
  })
})

describe("what only one version has", () => {
  const flaws = (version: "2.1.1" | "2.3.0", name: ObjectName, change: Record<string, unknown>) =>
    violations(profileOf(version).objects[name]!, {
      ...books[version].example(name, true),
      ...change
    }).map(({ pointer }) => pointer)

  it("2.1.1 takes hours as one of two fields", () => {
    const regular = [{ weekday: 7, period_begin: "08:00", period_end: "20:00" }]
    assert.deepStrictEqual(flaws("2.1.1", "Location", { opening_times: { twentyfourseven: true } }), [])
    assert.deepStrictEqual(flaws("2.1.1", "Location", { opening_times: { regular_hours: regular } }), [])
    assert.deepStrictEqual(flaws("2.1.1", "Location", { opening_times: {} }), [
      "/opening_times/regular_hours"
    ])
  })

  it("2.3.0 still wants the EVSE of a connector, the type of a published uid and the CDR taken back", () => {
    assert.deepStrictEqual(flaws("2.3.0", "START_SESSION", { evse_uid: null }), ["/evse_uid"])
    assert.deepStrictEqual(flaws("2.3.0", "Location", { publish_allowed_to: [{ uid: "1" }] }), [
      "/publish_allowed_to/0/type"
    ])
    assert.deepStrictEqual(flaws("2.3.0", "CDR", { credit_reference_id: null }), ["/credit_reference_id"])
  })

  it("no version takes the price of another one", () => {
    const prices = [1.5, { excl_vat: 1.5 }, { before_taxes: 1.5, taxes: [] }]
    const taken = versionNumbers.map((version) =>
      prices.map(
        (total_cost) =>
          violations(profileOf(version).objects.CDR!, {
            ...books[version].example("CDR", false),
            total_cost
          }).length === 0
      )
    )
    assert.deepStrictEqual(taken, [
      [true, false, false],
      [false, true, false],
      [false, true, false],
      [false, false, true]
    ])
  })
})
