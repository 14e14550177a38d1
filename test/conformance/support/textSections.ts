/** Resolves references to the OCPI text, such as `mod_cdrs, CDR Object; types, Price class`, in its headings. */
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import headings from "./headings.json" with { type: "json" }

type Documents = Readonly<Record<string, ReadonlyArray<string>>>
const texts: Readonly<Record<OcpiVersion, Documents>> = headings

/** The same section under the name that it has in one version. */
const otherNames: Readonly<Partial<Record<OcpiVersion, Readonly<Record<string, ReadonlyArray<string>>>>>> = {
  "2.1.1": {
    "Sender Interface": ["CPO Interface", "eMSP Interface"],
    "Receiver Interface": ["CPO Interface", "eMSP Interface"],
    "Authorization header": ["Security and authentication"],
    "CommandResult Object": ["CommandResponse Object"],
    "CommandResultType enum": ["CommandResponseType enum"],
    "AllowedType enum": ["Allowed enum"],
    "ParkingType enum": ["LocationType enum"]
  }
}

/** A section that a reference names: a heading of that document, or of any module's (`the modules'`). */
interface NamedSection {
  readonly document: string
  readonly section: string
}

const documents = new Set(Object.values(texts).flatMap(Object.keys))
/** Every heading of every document. */
const whole = new Set(Object.values(texts).flatMap(Object.values).flat().map(plain))
const anyModule = "the modules'"
const plurals: Readonly<Record<string, string>> = {
  objects: "object",
  classes: "class",
  enums: "enum",
  types: "type"
}

/** `A, B and C enums` are three sections; `GET Method of the Sender Interface` is one in another. */
const sectionsIn = (text: string): ReadonlyArray<string> => {
  if (whole.has(plain(text))) return [text]
  const inner = / of the (.+)$/.exec(text)
  if (inner !== null) return [text.slice(0, inner.index), inner[1]!]
  const plural = /^(.+) (objects|classes|enums|types)$/.exec(text)
  if (plural !== null) return plural[1]!.split(/, | and /).map((part) => `${part} ${plurals[plural[2]!]}`)
  const [first = "", ...rest] = text.split(", ")
  if (rest.length > 0) return [first, rest.join(", ")].flatMap(sectionsIn)
  return first.split(/ and (?=\p{Lu}|\w+ type)/u)
}

/** The sections that a reference names, each with its document; a document alone is its first heading. */
export const sectionsOf = (reference: string): ReadonlyArray<NamedSection> => {
  let document = ""
  const ofOcpi = reference.split("; ").filter((part) => !/^RFC \d+$/.test(part))
  return ofOcpi.flatMap((part): ReadonlyArray<NamedSection> => {
    const [first = "", ...rest] = part.replaceAll(/ \([^)]*\)/g, "").split(", ")
    const isNew = documents.has(first) || first.startsWith(`${anyModule} `)
    if (isNew) document = documents.has(first) ? first : anyModule
    const inModules = first.startsWith(anyModule) ? [first.slice(anyModule.length + 1)] : []
    const named = (isNew ? [...inModules, ...rest] : [first, ...rest]).join(", ")
    return named === ""
      ? [{ document, section: "" }]
      : sectionsIn(named).map((section) => ({ document, section }))
  })
}

/** Without regard to case; an enum that is open in some versions is one. */
function plain(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/ openenum$/, " enum")
    .replace(/\.$/, "")
}

/** Does the version's text have the section? A code of four digits is in the section of its thousand. */
export const isInText = (version: OcpiVersion, { document, section }: NamedSection): boolean => {
  const texts = textsOf(version, document)
  if (section === "") return texts.length > 0
  const names = /^\dxxx$|^\d{4}$/.test(section)
    ? []
    : [section, ...(otherNames[version]?.[section] ?? [])].map(plain)
  return texts.some((headings) =>
    headings.some((heading) =>
      names.length === 0 ? heading.startsWith(`${section[0]}xxx: `) : names.includes(plain(heading))
    )
  )
}

const textsOf = (version: OcpiVersion, document: string): ReadonlyArray<ReadonlyArray<string>> =>
  document === anyModule
    ? Object.entries(texts[version]).flatMap(([name, all]) => (name.startsWith("mod_") ? [all] : []))
    : [texts[version][document] ?? []].filter(({ length }) => length > 0)

/** What is wrong with a reference in these versions: sections that none of them has, and versions that have none of its sections. */
export const referenceFlaws = (
  reference: string,
  versions: ReadonlyArray<OcpiVersion>
): ReadonlyArray<string> => {
  const sections = sectionsOf(reference)
  const inWords = ({ document, section }: NamedSection) => `${document}, ${section}`
  return [
    ...sections
      .filter((one) => !versions.some((version) => isInText(version, one)))
      .map((one) => `${inWords(one)} is in no version`),
    ...versions
      .filter((version) => !sections.some((one) => isInText(version, one)))
      .map((version) => `${version} has none of it: ${reference}`)
  ]
}
