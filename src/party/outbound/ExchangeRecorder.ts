/**
 * Records the requests by which a party changes its registration: a run writes each into its ledger before it is sent,
 * although the handshake makes the requests.
 */
import { Context, type Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"

/** Where the requests of one party are recorded. */
export class ExchangeRecorder extends Context.Tag("party/ExchangeRecorder")<
  ExchangeRecorder,
  {
    /** The party whose requests are recorded; the counterpart may be a party of ours as well. */
    readonly partyId: PartyId
    /** Runs before the socket is used; if it does not end, the request is not sent. */
    readonly intended: (exchange: Exchange) => Effect.Effect<void>
    readonly completed: (exchange: Exchange) => Effect.Effect<void>
  }
>() {}
