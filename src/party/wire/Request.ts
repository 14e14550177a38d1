/** An OCPI request as it reaches a party, and what the party answers. */
import type { PartyId } from "../../../schema/Ids.ts"

export interface OcpiRequest {
  readonly method: string
  /** Decoded segments below the root: `["versions"]`, `[version]`, `[version, "locations", "LOC1"]`. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The names as the caller spelt them, where that is known. */
  readonly headerNames?: ReadonlyArray<string>
  readonly body: string
  /** The URL as it was asked for (built from PUBLIC_URL), for the record. */
  readonly url: string
  readonly receivedAt: string
}

/** A request whose body has not been read. */
export type OcpiHead = Omit<OcpiRequest, "body">

export interface OcpiReply {
  readonly httpStatus: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Where a request came in: our own discovery root, or the root of one sandbox partner. */
export type Root = { readonly kind: "connection" } | { readonly kind: "sandbox"; readonly partyId: PartyId }
