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
    /**
     * Makes ready to receive the asynchronous result of a command: keeps an entry under `key` (the command's id) and
     * answers the response_url to send, under PUBLIC_URL. Before the command is sent, so no result can be too early.
     */
    readonly expectResult: (party: Party, command: string, key: string) => Effect.Effect<string>
    /** What came to that response_url so far, oldest first. */
    readonly results: (
      id: PartyId,
      key: string
    ) => Effect.Effect<
      ReadonlyArray<{ readonly receivedAt: string; readonly body: unknown; readonly exchangeId: string }>
    >
  }
>() {}
