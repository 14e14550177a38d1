/** The URLs that we hand out. Built from the service's public URL, never from a Host header. */
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { Root } from "./Request.ts"

/**
 * The URL at which parties are served, without a trailing slash. All connections share one root; each sandbox partner has
 * its own.
 */
export const rootUrl = (publicUrl: string, root: Root): string =>
  root.kind === "connection"
    ? `${withoutEndSlashes(publicUrl)}/ocpi`
    : `${withoutEndSlashes(publicUrl)}/sandbox/${root.partyId}/ocpi`

/** The root of a party. */
const rootOf = (party: Pick<Party, "id" | "kind">): Root =>
  party.kind === "connection" ? { kind: "connection" } : { kind: "sandbox", partyId: party.id }

/** The root URL of a party, without a trailing slash. */
export const partyRootUrl = (publicUrl: string, party: Pick<Party, "id" | "kind">): string =>
  rootUrl(publicUrl, rootOf(party))

/** The versions URL below a root. */
export const versionsUrl = (root: string): string => `${root}/versions`

/** The version details URL below a root. */
export const detailsUrl = (root: string, version: OcpiVersion): string => `${root}/${version}`

/** The endpoint of a module below a root. */
export const moduleUrl = (root: string, version: OcpiVersion, module: string): string =>
  `${root}/${version}/${module}`

/** Another URL of the same module's endpoint; a partner that got it can use it for ever. */
export const movedUrl = (url: string): string => url.replace(/\/([^/]+)$/, `/${moved}/$1`)

const moved = "moved"

/** The path without the segment that `movedUrl` inserts. */
export const unmoved = (path: ReadonlyArray<string>): ReadonlyArray<string> =>
  path[1] === moved ? path.toSpliced(1, 1) : path

/**
 * URLs of our own that a party's calls may use although they may be in a private range: the sandbox for a connection, our
 * root for a sandbox partner. Empty while the sandbox is off.
 */
export const trustedPrefixes = (
  options: { readonly publicUrl: string; readonly sandbox: boolean },
  kind: Party["kind"]
): ReadonlyArray<string> => {
  if (!options.sandbox) return []
  const base = withoutEndSlashes(options.publicUrl)
  return kind === "connection" ? [`${base}/sandbox/`] : [`${base}/ocpi/`, `${base}/api/v1/ocpi/`]
}
