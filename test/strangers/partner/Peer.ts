/** Who has registered with a stranger, and what it knows of them. */
import type { StrangerVersion } from "./Freedoms.ts"
import type { Json } from "./objects/validity.ts"

/** An endpoint of theirs. */
export interface PeerEndpoint {
  readonly identifier: string
  readonly role: string | undefined
  readonly url: string
}

/** A platform that has registered. */
export interface Peer {
  readonly version: StrangerVersion
  /** With which the stranger calls them. */
  token: string
  /** The token of their last credentials, for a stranger that does not take it up. */
  offered?: string
  /** With which they call the stranger. */
  issued: string
  versionsUrl: string
  endpoints: ReadonlyArray<PeerEndpoint>
  /** Their parties. */
  parties: ReadonlyArray<{ readonly country: string; readonly party: string; readonly role: string }>
  /** The party of the hub that the platform is, if it is one. */
  hub?: { readonly country: string; readonly party: string } | undefined
}

/** The parties of a Credentials object. */
export const partiesIn = (credentials: Json, version: StrangerVersion, role: string): Peer["parties"] =>
  version === "2.1.1"
    ? [{ country: String(credentials["country_code"]), party: String(credentials["party_id"]), role }]
    : (credentials["roles"] as ReadonlyArray<Json>).map((one) => ({
        country: String(one["country_code"]),
        party: String(one["party_id"]),
        role: String(one["role"])
      }))

/** The value of an Authorization header (transport_and_format, Authorization header). */
export const authorization = (token: string, version: StrangerVersion): string =>
  `Token ${version === "2.1.1" ? token : Buffer.from(token, "utf8").toString("base64")}`

/** The token in an Authorization header, read by the rules of the version; undefined when it has none. */
export const tokenIn = (header: string | undefined, version: StrangerVersion): string | undefined => {
  const value = /^Token ([!-~]+)$/.exec(header ?? "")?.[1]
  if (value === undefined || version === "2.1.1") return value
  const token = Buffer.from(value, "base64").toString("utf8")
  return Buffer.from(token, "utf8").toString("base64") === value ? token : undefined
}
