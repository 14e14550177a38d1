import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { v2_2_1 } from "../../../../schema/ocpi/v2_2_1/profile.ts"
import { violations } from "../../../../src/findings/violations.ts"
import { example, mutated, mutationsOf } from "./examples.ts"

const objects = v2_2_1.objects
const names = Object.keys(objects) as ReadonlyArray<ObjectName>
const mutations = names.flatMap(mutationsOf)
const pointersOf = (name: string, json: unknown) =>
  violations(objects[name as ObjectName]!, json).map(({ pointer }) => pointer)
const topOf = (pointer: string) => pointer.split("/")[1]!
const anyName = fc.constantFrom(...names)

describe("the objects of 2.2.1", () => {
  it("are all there", () => assert.strictEqual(names.length, 20))

  for (const name of names) {
    it(`accept a ${name} with every field, its texts as long as they may be`, () => {
      assert.deepStrictEqual(violations(objects[name]!, example(name, true)), [])
    })

    it(`accept a ${name} with its required fields only`, () => {
      assert.deepStrictEqual(violations(objects[name]!, example(name, false)), [])
    })
  }

  it("report a single broken field at its place and nothing else", () => {
    assert.isAbove(mutations.length, 3000)
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
          fc.subarray(Object.keys(example(name, false)), { minLength: 1 }).map((fields) => ({ name, fields }))
        ),
        ({ fields, name }) => {
          const json = { ...example(name, true), ...Object.fromEntries(fields.map((field) => [field, null])) }
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
