/** The schema of a command's fields as JSON Schema, with the words of the version's own tables. */
import { Option, type Schema, SchemaAST } from "effect"
import type { CommandName } from "../../../schema/Command.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"

type JsonSchema = Readonly<Record<string, unknown>>

/** An object without `response_url`, which is always ours. Rules between fields are left out. */
export const commandSchema = (profile: VersionProfile, command: CommandName): JsonSchema => {
  const schema: Schema.Schema.AnyNoContext | undefined = profile.objects[command]
  return schema === undefined ? { type: "object" } : schemaOf(schema.ast, new Set(["response_url"]))
}

function schemaOf(ast: SchemaAST.AST, without: ReadonlySet<string> = new Set()): JsonSchema {
  return { ...shapeOf(ast, without), ...descriptionOf(ast) }
}

function shapeOf(ast: SchemaAST.AST, without: ReadonlySet<string>): JsonSchema {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return schemaOf(ast.from, without)
    case "StringKeyword":
      return { type: "string" }
    case "NumberKeyword":
      return { type: "number" }
    case "BooleanKeyword":
      return { type: "boolean" }
    case "Literal":
      return { const: ast.literal }
    case "TupleType":
      return { type: "array", items: ast.rest[0] === undefined ? {} : schemaOf(ast.rest[0].type) }
    case "TypeLiteral": {
      const fields = ast.propertySignatures.filter(({ name }) => !without.has(String(name)))
      return {
        type: "object",
        required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => String(name)),
        properties: Object.fromEntries(fields.map(({ name, type }) => [String(name), schemaOf(type)]))
      }
    }
    case "Union": {
      const kinds = ast.types.filter((one) => !isAbsent(one))
      const words = kinds.flatMap((one) => (SchemaAST.isLiteral(one) ? [one.literal] : []))
      if (words.length === kinds.length) return { type: "string", enum: words }
      return kinds.length === 1 ? schemaOf(kinds[0]!) : { anyOf: kinds.map((one) => schemaOf(one)) }
    }
    default:
      return {}
  }
}

/** Of an optional field: null, or left out. */
const isAbsent = (ast: SchemaAST.AST) =>
  SchemaAST.isUndefinedKeyword(ast) || (SchemaAST.isLiteral(ast) && ast.literal === null)

function descriptionOf(ast: SchemaAST.AST): JsonSchema {
  const description = SchemaAST.getDescriptionAnnotation(ast)
  // Effect describes its own types, such as "a string".
  return Option.isSome(description) && !SchemaAST.isStringKeyword(ast) && !SchemaAST.isBooleanKeyword(ast)
    ? { description: description.value }
    : {}
}
