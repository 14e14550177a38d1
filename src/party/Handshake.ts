/** Registration with the partner, by us: discovery, POST credentials (or PUT to rotate), DELETE to unregister. */
import { Context, type Effect } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import type { Party } from "../store/PartyStore.ts"

export type HandshakeResult =
  | { readonly ok: true; readonly party: Party }
  /** `error` begins with its class: `config:`, `network:`, `auth:`, `protocol:`, `unsupported:`. */
  | { readonly ok: false; readonly error: string; readonly party: Party }

export class Handshake extends Context.Tag("party/Handshake")<
  Handshake,
  {
    /** GET versions, GET details, POST credentials; on a registered party the same with PUT. Never fails: what went wrong is in the result. Every exchange is recorded for the party. */
    readonly run: (id: PartyId) => Effect.Effect<HandshakeResult>
    /** DELETE credentials at the partner (best effort), then both tokens are forgotten. */
    readonly unregister: (id: PartyId) => Effect.Effect<{ readonly told: boolean; readonly message: string }>
  }
>() {}
