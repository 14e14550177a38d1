/** An OCPI request to a party, and its answer. */
import type { PartyId } from "../../../schema/Ids.ts"

/** One delivery of a request, however often a balancer tries it. */
export interface Delivery {
  /** Milliseconds of Unix time, by the clock of the balancer. */
  readonly beganAt: number
  /** A keyed digest of the name that the balancer gave, so that no sender of requests can compute it. */
  readonly name: string
}

/** The body of a request; empty: none. */
export interface OcpiBody {
  readonly body: string
  /**
   * Present: the body exceeds a limit of ours. `declaredBytes`: its length by the header, and nothing of it was read; absent: `body` is
   * its beginning.
   */
  readonly beyond?: { readonly limitBytes: number; readonly declaredBytes?: number }
}

/** A partner's request below one root. */
export interface OcpiRequest extends OcpiBody {
  readonly method: string
  /** Decoded segments below the root: `["versions"]`, `[version]`, `[version, "locations", "LOC1"]`. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Header names as the caller spelt them, if known. */
  readonly headerNames?: ReadonlyArray<string>
  /** The requested URL (built from PUBLIC_URL), for the record. */
  readonly url: string
  readonly receivedAt: string
  /** The delivery of this request by a balancer, which may deliver it to several processes until one answers. */
  readonly delivery?: Delivery
}

/** A request whose body has not been read. */
export type OcpiHead = Omit<OcpiRequest, keyof OcpiBody>

/** The answer to a request, ready for the socket. */
export interface OcpiReply {
  readonly httpStatus: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Where a request came in: our own discovery root, or the root of one sandbox partner. */
export type Root = { readonly kind: "connection" } | { readonly kind: "sandbox"; readonly partyId: PartyId }
