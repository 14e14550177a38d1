/** A check's reference, in which documents are named by their files, for people. Pure. */

/** The documents of OCPI by their files; modules are made from their names. */
const documents: Readonly<Record<string, string>> = {
  version_information_endpoint: "Version information endpoint",
  transport_and_format: "Transport and format",
  status_codes: "Status codes",
  credentials: "Credentials",
  terminology: "Terminology",
  topology: "Topology",
  types: "Data types",
  mod_cdrs: "CDRs module",
  mod_hub_client_info: "Hub client info module",
  mod_charging_profiles: "Charging profiles module"
}

/**
 * `mod_sessions, Session Object; types, Price class` is `Sessions module, Session Object; Data types, Price class`. A section that
 * bears the name of its document is named once.
 */
export const clauseInWords = (reference: string): string =>
  reference
    .split("; ")
    .map((part) => part.replace(/^[a-z]+(_[a-z]+)*(?=$|,| and)/, documentInWords))
    .map(onceNamed)
    .join("; ")

function onceNamed(part: string): string {
  const [document, section, ...more] = part.split(", ")
  return more.length === 0 && document?.toLowerCase() === section?.toLowerCase() ? (document ?? part) : part
}

function documentInWords(file: string): string {
  const known = documents[file]
  if (known !== undefined) return known
  if (!file.startsWith("mod_")) return file
  const name = file.slice("mod_".length).replaceAll("_", " ")
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)} module`
}
