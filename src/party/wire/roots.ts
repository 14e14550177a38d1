/** The URLs that we hand out. Built from the public URL of the service, never from what a caller says our name is. */
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import type { Root } from "./Request.ts"

/** Where a party is served, without a trailing slash. All connections share one root; a sandbox partner has its own. */
export const rootUrl = (publicUrl: string, root: Root): string =>
  root.kind === "connection"
    ? `${withoutEndSlashes(publicUrl)}/ocpi`
    : `${withoutEndSlashes(publicUrl)}/sandbox/${root.partyId}/ocpi`

export const rootOf = (party: Pick<Party, "id" | "kind">): Root =>
  party.kind === "connection" ? { kind: "connection" } : { kind: "sandbox", partyId: party.id }

export const partyRootUrl = (publicUrl: string, party: Pick<Party, "id" | "kind">): string =>
  rootUrl(publicUrl, rootOf(party))

export const versionsUrl = (root: string): string => `${root}/versions`

export const detailsUrl = (root: string, version: OcpiVersion): string => `${root}/${version}`

export const moduleUrl = (root: string, version: OcpiVersion, module: string): string =>
  `${root}/${version}/${module}`

/** Another address of the same module. Whoever was told it can go on with it for ever. */
export const movedUrl = (url: string): string => url.replace(/\/([^/]+)$/, `/${moved}/$1`)

const moved = "moved"

/** The path below the root without what `movedUrl` has put into it. */
export const unmoved = (path: ReadonlyArray<string>): ReadonlyArray<string> =>
  path[1] === moved ? path.toSpliced(1, 1) : path

/**
 * Addresses of our own that a party's calls may go to although they may lie in a private range: the sandbox for a
 * connection, our discovery root for a sandbox partner. Empty while the sandbox is off.
 */
export const trustedPrefixes = (
  options: { readonly publicUrl: string; readonly sandbox: boolean },
  kind: Party["kind"]
): ReadonlyArray<string> => {
  if (!options.sandbox) return []
  const base = withoutEndSlashes(options.publicUrl)
  return kind === "connection" ? [`${base}/sandbox/`] : [`${base}/ocpi/`, `${base}/api/v1/ocpi/`]
}
