/** Building a call from a party to its counterpart: endpoint, token form, ids, routing headers, secrets to scrub. */
import { Context, Data, type Effect } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import type { OcpiCall } from "../ocpi/OcpiClient.ts"
import type { Party } from "../store/PartyStore.ts"

/** The counterpart offers no such endpoint. */
export class NoEndpoint extends Data.TaggedError("NoEndpoint")<{
  readonly identifier: string
  readonly interfaceRole: "SENDER" | "RECEIVER"
  readonly message: string
}> {}

export interface CallRequest {
  readonly module: string
  /** Whose interface at the counterpart. */
  readonly interfaceRole: "SENDER" | "RECEIVER"
  readonly operation: string
  readonly method: OcpiCall["method"]
  /** Segments joined to the endpoint URL with one slash each, percent-encoded. */
  readonly path?: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  /** Instead of endpoint + path: an absolute URL that the counterpart gave (Link, response_url). */
  readonly url?: string
  readonly body?: unknown
  readonly exchangeId: string
  readonly correlationId?: string
  readonly timeoutMillis?: number
}

export class PartnerCalls extends Context.Tag("party/PartnerCalls")<
  PartnerCalls,
  {
    readonly prepare: (party: Party, request: CallRequest) => Effect.Effect<OcpiCall, NoEndpoint>
    /** Our receiver of command results for this command of this connection: unguessable, under PUBLIC_URL. */
    readonly responseUrl: (id: PartyId, command: string, commandKey: string) => string
  }
>() {}
