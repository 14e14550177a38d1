/**
 * Somebody who keeps what a party sends while it changes its registration. A run that registers lays each request down in
 * its ledger before it leaves, although the handshake makes the requests.
 */
import { Context, type Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"

export class Witness extends Context.Tag("party/Witness")<
  Witness,
  {
    /** Whose requests: the counterpart may be a party of ours as well. */
    readonly partyId: PartyId
    /** Runs before the socket is touched; what keeps it from ending keeps the request from being sent. */
    readonly intended: (exchange: Exchange) => Effect.Effect<void>
    readonly completed: (exchange: Exchange) => Effect.Effect<void>
  }
>() {}
