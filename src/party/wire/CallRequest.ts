/** What a party asks of its counterpart, before URL, token and headers are known. */
import type { Redacted } from "effect"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import type { PartyToken } from "../../store/parties/PartyStore.ts"

export interface CallRequest {
  readonly module: string
  /** Whose interface at the counterpart. */
  readonly interfaceRole: "SENDER" | "RECEIVER"
  readonly operation: string
  readonly method: OcpiCall["method"]
  /** Segments joined to the endpoint URL with one slash each, percent-encoded. */
  readonly path?: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  /** The `limit` of the query goes out as it is: the dialect's pageLimit does not count. */
  readonly fixedLimit?: boolean
  /** Instead of endpoint + path: an absolute URL that the counterpart gave (Link, response_url). */
  readonly url?: string
  readonly body?: unknown
  readonly exchangeId: string
  readonly correlationId?: string
  readonly timeoutMillis?: number
  /** Instead of the party's outbound token: one that is being handed over, and the form to send it in. */
  readonly authorization?: {
    readonly name: PartyToken["name"]
    readonly token: Redacted.Redacted<string>
    readonly form?: "raw" | "base64"
    /** URLs at whose hosts this one may be told, in place of those that the party knows: a handshake is not over. */
    readonly at?: ReadonlyArray<string>
  }
}
