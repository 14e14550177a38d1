/**
 * What of a driver stands in OCPI's objects. The fields are marked where they are defined; here is what the mark means, and
 * how the marked fields of a version are found in a text.
 */
import { Option, type Schema, SchemaAST } from "effect"
import type { VersionProfile } from "./VersionProfile.ts"

/** What a pseudonym is called: `«contract:1»`. */
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
 * No fields of OCPI, but partners add such: recognised wherever they stand, in lower case and without separators. `plate`
 * is what a camera has read.
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

/** The kind of a value under that field; `parent` is the field that its object, or the list of it, stands under. */
export type KindOf = (field: string, parent: string | undefined, module: string) => PersonalKind | undefined

interface Found {
  /** Under which parents, and of what kind; `.Token` stands for the object itself. */
  readonly marked: Map<string, PersonalKind>
  /** Other things of the same name that are not personal. */
  plain: boolean
}

/** Read once from the schemas of the version. */
export const personalFields = ({ objects }: Pick<VersionProfile, "objects">): KindOf => {
  const fields = new Map<string, Found>()
  for (const [name, schema] of Object.entries(objects))
    if (schema !== undefined) collect(schema.ast, `.${name}`, undefined, fields, new Set())
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

/** Of which object a module's answers are made, where a name alone does not tell. */
const roots: Readonly<Record<string, string>> = { tokens: "Token", sessions: "Session", cdrs: "CDR" }

function collect(
  ast: SchemaAST.AST,
  parent: string,
  field: string | undefined,
  into: Map<string, Found>,
  above: ReadonlySet<SchemaAST.AST>
): void {
  if (above.has(ast)) return
  const inside = new Set([...above, ast])
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
        collect(type, field ?? parent, String(name), into, inside)
      return
    case "TupleType":
      for (const { type } of [...ast.elements, ...ast.rest]) collect(type, parent, field, into, inside)
      return
    case "Union":
      for (const type of ast.types) collect(type, parent, field, into, inside)
      return
    case "Refinement":
    case "Transformation":
      collect(ast.from, parent, field, into, inside)
      return
    case "Suspend":
      collect(ast.f(), parent, field, into, inside)
      return
    default:
      if (field === undefined || ast._tag === "Literal" || ast._tag === "UndefinedKeyword") return
      into.set(field, { marked: into.get(field)?.marked ?? new Map(), plain: true })
  }
}
