/** Is an object that is read back the one that was written? Compared as OCPI means it, not letter by letter. */
import { SchemaAST } from "effect"
import { dateTimeMillis } from "../../schema/ocpi/DateTime.ts"
import type { ObjectName, VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { isObject } from "./json.ts"
import { flawedPlaces } from "./violations/flawedPlaces.ts"
import { meantBy } from "./words.ts"

/** A field of an object that has another value than was expected. */
export interface ObjectDifference {
  /** JSON Pointer below the object. */
  readonly pointer: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Amounts that differ by less are the same. */
const tolerance = 1e-4
/** Fields that hold identifiers, which are compared without regard to case where the version has it so. */
const idField = /(^|_)(id|uid)s?$|^country_code$/

/**
 * Fields of `sent` that `got` has otherwise. Absent, null and [] are the same, instants may be written in any way, parts
 * with ids may stand in any order, and what `got` has beside them does not count.
 */
export const objectDifferences = (
  sent: unknown,
  got: unknown,
  profile: Pick<VersionProfile, "endpointRoles">,
  pointer = ""
): ReadonlyArray<ObjectDifference> => {
  if (isEmpty(sent) && isEmpty(got)) return []
  if (Array.isArray(sent) && Array.isArray(got) && sent.length === got.length) {
    const partners = paired(sent, got)
    return sent.flatMap((one, index) =>
      objectDifferences(one, partners[index], profile, `${pointer}/${index}`)
    )
  }
  if (isObject(sent) && isObject(got))
    return Object.entries(sent).flatMap(([name, value]) =>
      objectDifferences(value, got[name], profile, `${pointer}/${name}`)
    )
  return isSame(sent, got, pointer, profile.endpointRoles) ? [] : [{ pointer, expected: sent, actual: got }]
}

/**
 * Fields that a partner has told in two ways of one object: as `objectDifferences`, without what the version does not have in this
 * object, and without what breaks its schema in the first. What a partner adds of its own may stand in one place and not in another;
 * that a value is none is the finding of the check that looks at the form of the first.
 */
export const toldOtherwise = (
  profile: Pick<VersionProfile, "endpointRoles" | "objects">,
  name: ObjectName,
  first: unknown,
  second: unknown
): ReadonlyArray<ObjectDifference> => {
  const schema = profile.objects[name]
  const isFlawed = flawedPlaces(schema, first)
  return objectDifferences(schema === undefined ? first : known(schema.ast, first), second, profile).filter(
    ({ pointer }) => !isFlawed(pointer)
  )
}

/** The value without fields that its schema does not name. */
function known(ast: SchemaAST.AST, value: unknown): unknown {
  if (SchemaAST.isRefinement(ast)) return known(ast.from, value)
  if (SchemaAST.isUnion(ast)) {
    const [only, ...others] = meantBy(ast)
    return only === undefined || others.length > 0 ? value : known(only, value)
  }
  if (SchemaAST.isTupleType(ast) && Array.isArray(value)) {
    const [item] = ast.rest
    return item === undefined ? value : value.map((one) => known(item.type, one))
  }
  if (!SchemaAST.isTypeLiteral(ast) || ast.indexSignatures.length > 0 || !isObject(value)) return value
  const fields = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const type = fields.get(name)
      return type === undefined ? [] : [[name, known(type, one)]]
    })
  )
}

/**
 * What stands in `got` for each of `sent`. Parts with ids, and words, may come back in another order: it means nothing.
 * What has no id is told apart by its place.
 */
function paired(sent: ReadonlyArray<unknown>, got: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
  const keys = sent.map(keyOf)
  if (keys.includes(undefined)) return got
  const left = [...got]
  const found = keys.map((key) => {
    const at = left.findIndex((one) => keyOf(one) === key)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  return found.map((one) => one ?? left.shift())
}

function keyOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.toUpperCase()
  const key = isObject(value) ? (value["uid"] ?? value["id"]) : undefined
  return typeof key === "string" ? key.toUpperCase() : undefined
}

/** Absent, null and [] are the same in OCPI. */
export const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Absent, null, [] or {}: what partners put in data where there is no object. */
export const isNoObject = (data: unknown) =>
  isEmpty(data) || (isObject(data) && Object.keys(data).length === 0)

function isSame(sent: unknown, got: unknown, pointer: string, idsIgnoreCase: boolean): boolean {
  if (sent === got) return true
  if (typeof sent === "number" && typeof got === "number") return Math.abs(sent - got) < tolerance
  if (typeof sent !== "string" || typeof got !== "string") return false
  const instant = dateTimeMillis(sent)
  if (instant !== undefined) return dateTimeMillis(got) === instant
  const name = pointer.split("/").findLast((part) => !/^\d+$/.test(part)) ?? ""
  return idsIgnoreCase && idField.test(name) && sent.toUpperCase() === got.toUpperCase()
}
