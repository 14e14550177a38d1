import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { list, optional } from "../../../schema/ocpi/types.ts"
import { unknownFields } from "../../../schema/ocpi/unknownFields.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { objectNames } from "../../../schema/Validation.ts"
import { books } from "../../support/ocpi/books.ts"

const Plug = Schema.Struct({ id: Schema.String })
const Post = Schema.Struct({ name: Schema.String, main: optional(Plug), plugs: list(Plug) }).pipe(
  Schema.filter(() => true)
)

describe("unknownFields", () => {
  it("names a field that the schema has not, at every depth", () => {
    const json = {
      name: "one",
      vendor: { anything: 1 },
      main: { id: "a", colour: "red" },
      plugs: [{ id: "b" }, { id: "c", "a/b": 1 }]
    }
    assert.deepStrictEqual(unknownFields(Post, json), ["/vendor", "/main/colour", "/plugs/1/a~1b"])
  })

  it("does not look into what is unknown, or of another kind than expected", () => {
    assert.deepStrictEqual(unknownFields(Post, { main: "text", plugs: { id: 1 }, name: { first: 1 } }), [])
    assert.deepStrictEqual(unknownFields(Post, null), [])
  })

  it.each(versionNumbers)("finds none in a full object of %s", (version) => {
    for (const name of objectNames) {
      const schema = profileOf(version).objects[name]
      if (schema !== undefined)
        assert.deepStrictEqual(unknownFields(schema, books[version].example(name, true)), [], name)
    }
  })
})
