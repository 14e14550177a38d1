/** The lists that conformance judges, and what their objects are. */

import type { Role } from "../../../../../schema/ocpi/Role.ts"
import type { ObjectName } from "../../../../../schema/ocpi/VersionProfile.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import type { Placed } from "./Placed.ts"

/** A list that a role serves, and what its objects are. */
export interface ListedKind {
  readonly module: "locations" | "sessions" | "cdrs" | "tariffs" | "tokens"
  readonly object: ObjectName
  /** For readers, plural. */
  readonly plural: string
  readonly roles: ReadonlyArray<Role>
  /** The OCPI document. */
  readonly chapter: string
  /** The check that reports what breaks the schema of the object, where no more specific one does. */
  readonly form: string
  /**
   * Objects that the partner pushed during the run, or listed after its start: judged by the same rules as the first reading of
   * the list.
   */
  readonly told?: (evidence: Evidence) => ReadonlyArray<Placed>
  /** The probes that gather those. */
  readonly toldBy?: ReadonlyArray<string>
}

/** Locations, served by a CPO. */
export const locations: ListedKind = {
  module: "locations",
  object: "Location",
  plural: "locations",
  roles: ["CPO"],
  chapter: "mod_locations",
  form: "LOC-002"
}

/** Sessions, served by a CPO. */
export const sessions: ListedKind & { readonly module: "sessions" } = {
  module: "sessions",
  object: "Session",
  plural: "sessions",
  roles: ["CPO"],
  chapter: "mod_sessions",
  form: "SESS-002"
}

/** CDRs, served by a CPO. */
export const cdrs: ListedKind & { readonly module: "cdrs" } = {
  module: "cdrs",
  object: "CDR",
  plural: "CDRs",
  roles: ["CPO"],
  chapter: "mod_cdrs",
  form: "CDR-002"
}

/** Tariffs, served by a CPO. */
export const tariffs: ListedKind = {
  module: "tariffs",
  object: "Tariff",
  plural: "tariffs",
  roles: ["CPO"],
  chapter: "mod_tariffs",
  form: "TAR-002"
}

/** Tokens, served by an EMSP. */
export const tokens: ListedKind = {
  module: "tokens",
  object: "Token",
  plural: "tokens",
  roles: ["EMSP"],
  chapter: "mod_tokens",
  form: "TOK-002"
}

/** The probes that read a whole list. */
export const readingOf = (module: string): ReadonlyArray<string> => [`${module}.list`, `${module}.crawl`]
