/**
 * Records what a party sends while it changes its registration. A run that registers writes each request into its ledger
 * before it is sent, although the handshake makes the requests.
 */
import { Context, type Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"

export class ExchangeRecorder extends Context.Tag("party/ExchangeRecorder")<
  ExchangeRecorder,
  {
    /** Whose requests: the counterpart may be a party of ours as well. */
    readonly partyId: PartyId
    /** Runs before the socket is touched; what keeps it from ending keeps the request from being sent. */
    readonly intended: (exchange: Exchange) => Effect.Effect<void>
    readonly completed: (exchange: Exchange) => Effect.Effect<void>
  }
>() {}
