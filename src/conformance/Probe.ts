/** A probe: requests that are sent once per run and judged by every check that needs them. Only reads. */
import type { Evidence, Seen, Withheld } from "./Evidence.ts"

/**
 * Which credentials a request carries. `live`: as the connection's dialect has it. `raw` and `base64`: the live token
 * in that form. `none`: no header. `random`: a fresh token of legal shape. `literal`: the whole header value, where
 * `$RANDOM` stands for a fresh token of legal shape. A live token is never altered.
 */
export type Credentials =
  | { readonly use: "live" | "raw" | "base64" | "none" | "random" }
  | { readonly use: "literal"; readonly value: string }
  | { readonly use: "live"; readonly headerName: string }

/** A request that a probe wants to make. */
export interface Asking {
  readonly module: string
  readonly interfaceRole: "SENDER" | "RECEIVER"
  readonly operation: string
  readonly path?: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  /** Instead of the module's endpoint. */
  readonly url?: string
  readonly credentials?: Credentials
  readonly about?: string
  /** Sent even though the same request was made before in this run. */
  readonly again?: boolean
}

export interface Probe {
  readonly id: string
  /** Probes that must be over before this one knows what to ask. */
  readonly after?: ReadonlyArray<string>
  /** `inbound`: sends nothing; the evidence is what the partner sent to us. */
  readonly source?: "inbound"
  /** Independent requests, or why there are none. */
  readonly asks: (evidence: Evidence) => ReadonlyArray<Asking> | Withheld
  /** The request after `seen`, if there is one more; bounded by the page cap. */
  readonly next?: (seen: ReadonlyArray<Seen>, evidence: Evidence) => Asking | undefined
}

/** Most pages that one crawl reads. */
export const pageCap = 100

export const withheld = (why: Withheld["withheld"], reason: string): Withheld => ({ withheld: why, reason })
