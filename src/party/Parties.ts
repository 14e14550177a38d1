/**
 * An OCPI party that answers: version profile + role + what it holds -> answer. Our side of every connection and every
 * sandbox partner go through here; http only turns sockets into `OcpiRequest` and back.
 */
import { Context, type Effect } from "effect"
import type { PartyId } from "../../schema/Ids.ts"

export interface OcpiRequest {
  readonly method: string
  /** Decoded segments below the root: `["versions"]`, `["2.2.1"]`, `["2.2.1", "locations", "LOC1"]`. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The URL as it was asked for (built from PUBLIC_URL), for the record. */
  readonly url: string
  readonly receivedAt: string
}

export interface OcpiReply {
  readonly httpStatus: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Where a request came in: our own discovery root, or the root of one sandbox partner. */
export type Root = { readonly kind: "connection" } | { readonly kind: "sandbox"; readonly partyId: PartyId }

export class Parties extends Context.Tag("party/Parties")<
  Parties,
  {
    /**
     * Answers one OCPI request: authenticates the token (HTTP 401 without), routes by version, module and interface
     * role, keeps what came, records the exchange (before the answer leaves), never fails.
     */
    readonly serve: (root: Root, request: OcpiRequest) => Effect.Effect<OcpiReply>
  }
>() {}
