/**
 * Personal data of drivers in OCPI objects. Schemas mark the fields that hold it (`personal`); `personalFields` collects the
 * marks of a version.
 */
import { Option, type Schema, SchemaAST } from "effect"
import type { VersionProfile } from "./VersionProfile.ts"

/** The kind of a personal value, which its pseudonym shows: `«contract:1»`. */
export type PersonalKind =
  | "token"
  | "contract"
  | "card"
  | "group"
  | "signed"
  | "receipt"
  | "plate"
  | "contact"
  | "name"

const mark = Symbol.for("plugfest/personal")

/** Marks a field's schema; what it accepts stays as it is. */
export const personal =
  (kind: PersonalKind) =>
  <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    schema.annotations({ [mark]: kind })

/**
 * Fields that OCPI does not define but partners add. They are recognised in every object, without regard to case and
 * separators. `plate` is a plate number that a camera has read.
 */
const added: Readonly<Record<string, PersonalKind>> = {
  ...Object.fromEntries(
    ["licenseplate", "licenceplate", "numberplate", "plate", "vehicleregistration", "vin"].map(
      (name) => [name, "plate"] as const
    )
  ),
  ...Object.fromEntries(
    ["email", "emailaddress", "mail", "phone", "phonenumber", "telephone", "mobile", "msisdn"].map(
      (name) => [name, "contact"] as const
    )
  ),
  ...Object.fromEntries(
    [
      "firstname",
      "lastname",
      "surname",
      "fullname",
      "drivername",
      "customername",
      "cardholder",
      "cardholdername"
    ].map((name) => [name, "name"] as const)
  ),
  ...Object.fromEntries(["emaid", "evcoid"].map((name) => [name, "contract"] as const))
}

/**
 * The kind of personal data in a field, or undefined. `parent` is the field that holds the object, or the list of objects,
 * that the field is in; undefined at the top.
 */
export type KindOf = (field: string, parent: string | undefined, module: string) => PersonalKind | undefined

interface Found {
  /** The kind by parent field; `.Token` stands for the top of a Token object. */
  readonly marked: Map<string, PersonalKind>
  /** Some other field of the same name is not personal. */
  plain: boolean
}

/** Collects the marked fields from all object schemas of a version; call it once per version. */
export const personalFields = ({ objects }: Pick<VersionProfile, "objects">): KindOf => {
  const fields = new Map<string, Found>()
  for (const [name, schema] of Object.entries(objects))
    if (schema !== undefined) collect(schema.ast, { parent: `.${name}` }, fields, new Set())
  return (field, parent, module) => {
    const extra = added[field.toLowerCase().replace(/[^a-z]/g, "")]
    const found = fields.get(field)
    if (found === undefined || found.marked.size === 0) return extra
    const [first] = found.marked.values()
    if (!found.plain) return first
    const isRoot = parent === undefined || parent === "data"
    return found.marked.get(isRoot ? `.${roots[module] ?? ""}` : parent)
  }
}

/** The object at the top of a module's messages, where the name of a field alone is ambiguous. */
const roots: Readonly<Record<string, string>> = { tokens: "Token", sessions: "Session", cdrs: "CDR" }

/** `field` undefined: the object itself, at the top. */
interface FieldPlace {
  readonly parent: string
  readonly field?: string
}

/** `above`: the types that enclose this one, since a type may have itself inside. */
function collect(
  ast: SchemaAST.AST,
  place: FieldPlace,
  into: Map<string, Found>,
  above: ReadonlySet<SchemaAST.AST>
): void {
  if (above.has(ast)) return
  const inside = new Set([...above, ast])
  const { field, parent } = place
  const kind = Option.getOrUndefined(SchemaAST.getAnnotation<PersonalKind>(mark)(ast))
  if (field !== undefined && kind !== undefined) {
    const found = into.get(field) ?? { marked: new Map<string, PersonalKind>(), plain: false }
    found.marked.set(parent, kind)
    into.set(field, found)
    return
  }
  switch (ast._tag) {
    case "TypeLiteral":
      for (const { name, type } of ast.propertySignatures)
        collect(type, { parent: field ?? parent, field: String(name) }, into, inside)
      return
    case "TupleType":
      for (const { type } of [...ast.elements, ...ast.rest]) collect(type, place, into, inside)
      return
    case "Union":
      for (const type of ast.types) collect(type, place, into, inside)
      return
    case "Refinement":
    case "Transformation":
      collect(ast.from, place, into, inside)
      return
    case "Suspend":
      collect(ast.f(), place, into, inside)
      return
    default:
      if (field === undefined || ast._tag === "Literal" || ast._tag === "UndefinedKeyword") return
      into.set(field, { marked: into.get(field)?.marked ?? new Map(), plain: true })
  }
}
