import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { openEnum, without } from "../../../schema/ocpi/enums.ts"
import { unknownWords } from "../../../schema/ocpi/unknownWords.ts"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { books } from "../../support/ocpi/books.ts"

const Colour = Schema.Literal("RED", "GREEN", "BLUE")

describe("an enum of an older version", () => {
  it("lacks the words that came later", () => {
    const older = without(Colour, "BLUE")
    assert.deepStrictEqual(older.literals as ReadonlyArray<string>, ["RED", "GREEN"])
    assert.deepStrictEqual(["RED", "BLUE"].map(Schema.is(older)), [true, false])
  })
})

describe("an open enum", () => {
  const schema = Schema.Struct({
    colour: openEnum(Colour, "PINK"),
    more: Schema.Array(Schema.Struct({ colour: Schema.NullOr(openEnum(Colour)) }))
  })

  it("takes every word but an empty one", () => {
    assert.deepStrictEqual(["PINK", "MAUVE", "", 1].map(Schema.is(openEnum(Colour))), [
      true,
      true,
      false,
      false
    ])
  })

  it("tells which words it does not know, and where they stand", () => {
    const json = { colour: "MAUVE", more: [{ colour: "RED" }, { colour: "PINK" }, { colour: null }] }
    assert.deepStrictEqual(unknownWords(schema, json), [
      { pointer: "/colour", word: "MAUVE", known: ["RED", "GREEN", "BLUE", "PINK"] },
      { pointer: "/more/1/colour", word: "PINK", known: ["RED", "GREEN", "BLUE"] }
    ])
  })

  it("says nothing about values that are no words", () => {
    assert.deepStrictEqual(unknownWords(schema, { colour: 7, more: [null, "text"] }), [])
    assert.deepStrictEqual(unknownWords(schema, null), [])
  })
})

describe("the open enums of the versions", () => {
  const named: ReadonlyArray<readonly [ObjectName, string]> = [
    ["Connector", "Connector.standard"],
    ["Connector", "Connector.capabilities"],
    ["EVSE", "EVSE.capabilities"],
    ["EVSE", "EVSE.parking_restrictions"],
    ["EVSE", "Image.category"],
    ["Location", "Location.facilities"],
    ["Location", "Location.parking_type"],
    ["Location", "Parking.vehicle_types"],
    ["Location", "EnvironmentalImpact.category"],
    ["Location", "PublishTokenType.type"],
    ["Tariff", "EnvironmentalImpact.category"],
    ["Token", "Token.type"],
    ["START_SESSION", "Token.type"],
    ["RESERVE_NOW", "Token.type"],
    ["AuthorizationInfo", "Token.type"],
    ["Session", "CdrToken.type"],
    ["CDR", "CdrToken.type"],
    ["CDR", "CdrLocation.connector_standard"],
    ["Credentials", "Image.category"]
  ]

  it("exist where the profile says so", () => {
    assert.deepStrictEqual(
      versionNumbers.filter((version) => profileOf(version).openEnums),
      ["2.3.0"]
    )
  })

  for (const [object, field] of named) {
    it(`${field} of a ${object} takes a new word, which can be told`, () => {
      const book = books["2.3.0"]
      const schema = profileOf("2.3.0").objects[object]!
      const places = book.placesOf(object, field)
      assert.isNotEmpty(places)
      for (const pointer of places) {
        const json = book.mutated({ object, pointer, value: "NEW_WORD", legal: true })
        assert.isTrue(Schema.is(schema)(json))
        assert.deepStrictEqual(
          unknownWords(schema, json).map((word) => word.pointer),
          [pointer]
        )
      }
    })
  }

  it("know the words of the full examples", () => {
    for (const version of versionNumbers) {
      for (const [name, schema] of Object.entries(profileOf(version).objects)) {
        assert.deepStrictEqual(unknownWords(schema, books[version].example(name, true)), [])
      }
    }
  })
})
