/** A request of a party to its counterpart, before URL, token and headers are known. */
import type { Redacted } from "effect"
import type { OcpiCall, WrongOnPurpose } from "../../ocpi/OcpiClient.ts"
import type { RoutedParty } from "../../ocpi/routing.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"

/** The request; `PartnerCalls.prepare` turns it into an `OcpiCall`. */
export interface CallRequest {
  readonly module: string
  /** The counterpart's interface that is called. */
  readonly interfaceRole: "SENDER" | "RECEIVER"
  readonly operation: string
  readonly method: OcpiCall["method"]
  /** Segments joined to the endpoint URL with one slash each, percent-encoded. */
  readonly path?: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  /** Send the query's `limit` unchanged, even beyond the dialect's pageLimit. */
  readonly fixedLimit?: boolean
  /** Instead of endpoint + path: an absolute URL that the counterpart gave (Link, response_url). */
  readonly url?: string
  /** The version whose rules apply, where it is not the party's: the details page of another version. */
  readonly ocpiVersion?: string
  /** `url` is a page or picture on the web, whoever serves it: sent without token and without headers of OCPI. */
  readonly page?: true
  readonly body?: unknown
  /** The party behind the counterpart's hub that it is for, where it is known. */
  readonly recipient?: RoutedParty
  readonly exchangeId: string
  /** When the party that sends it began to be read, an instant of `performance.now()`: its tokens need be no newer. Default: now. */
  readonly partyReadAt?: number
  readonly correlationId?: string
  readonly timeoutMillis?: number
  /** A negative test: what is wrong with which part. */
  readonly wrongOnPurpose?: WrongOnPurpose
  /** Instead of the party's outbound token: one that is just being handed over, and its form. */
  readonly authorization?: {
    readonly name: PartyToken["name"]
    readonly token: Redacted.Redacted<string>
    readonly form?: "raw" | "base64"
    /** URLs whose hosts may get this token, instead of those that the party knows, before a handshake is complete. */
    readonly at?: ReadonlyArray<string>
  }
}
