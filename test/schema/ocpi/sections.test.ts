import { assert, describe, it } from "@effect/vitest"
import { type Schema, SchemaAST } from "effect"
import { sectionAt, sections } from "../../../schema/ocpi/sections.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"

const objectOf = (
  version: (typeof versionNumbers)[number],
  name: "Location" | "CommandResult" | "Credentials"
) => profileOf(version).objects[name]!

/** Identifiers of every object inside a schema; null for one without a name. */
function namesIn(ast: SchemaAST.AST, named: string | null = null): ReadonlyArray<string | null> {
  const own = (ast.annotations[SchemaAST.IdentifierAnnotationId] as string | undefined) ?? named
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return namesIn(ast.from, own)
    case "Union":
      return ast.types.flatMap((type) => namesIn(type))
    case "TupleType":
      return ast.rest.flatMap(({ type }) => namesIn(type))
    case "TypeLiteral":
      return [own, ...ast.propertySignatures.flatMap(({ type }) => namesIn(type))]
    default:
      return []
  }
}

describe("the table of sections", () => {
  it.each(versionNumbers)("has every object of %s", (version) => {
    const names = Object.values(profileOf(version).objects).flatMap((schema: Schema.Schema.AnyNoContext) =>
      namesIn(schema.ast)
    )
    const without = [...new Set(names)].filter((name) => name === null || !sections.has(name))
    assert.deepStrictEqual(without, [])
  })

  it("has nothing that no version defines", () => {
    const names = new Set(
      versionNumbers.flatMap((version) =>
        Object.values(profileOf(version).objects).flatMap((schema) => namesIn(schema.ast))
      )
    )
    assert.deepStrictEqual(
      [...sections.keys()].filter((name) => !names.has(name)),
      []
    )
  })
})

describe("sectionAt", () => {
  it("is that of the object itself for its own fields", () => {
    const location = objectOf("2.2.1", "Location")
    assert.strictEqual(sectionAt(location, []), "mod_locations, Location Object")
    assert.strictEqual(sectionAt(location, ["time_zone"]), "mod_locations, Location Object")
  })

  it("is that of the innermost object, through lists and what may be null", () => {
    const location = objectOf("2.2.1", "Location")
    assert.strictEqual(sectionAt(location, ["evses", "0", "status"]), "mod_locations, EVSE Object")
    assert.strictEqual(
      sectionAt(location, ["evses", "0", "connectors", "1", "id"]),
      "mod_locations, Connector Object"
    )
    assert.strictEqual(sectionAt(location, ["operator", "logo", "url"]), "mod_locations, Image class")
    assert.strictEqual(sectionAt(location, ["directions", "2", "language"]), "types, DisplayText class")
  })

  it("goes through an object with rules between its fields", () => {
    assert.strictEqual(
      sectionAt(objectOf("2.2.1", "Location"), ["publish_allowed_to", "0", "type"]),
      "mod_locations, PublishTokenType class"
    )
  })

  it("stays where the path leaves the schema", () => {
    assert.strictEqual(
      sectionAt(objectOf("2.3.0", "Location"), ["evses", "0", "nonsense", "deeper"]),
      "mod_locations, EVSE Object"
    )
  })

  it("follows what a version posts as the result of a command", () => {
    assert.strictEqual(
      sectionAt(objectOf("2.1.1", "CommandResult"), []),
      "mod_commands, CommandResponse Object"
    )
    assert.strictEqual(sectionAt(objectOf("2.2", "CommandResult"), []), "mod_commands, CommandResult Object")
  })
})
