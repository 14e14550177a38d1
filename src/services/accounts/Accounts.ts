/** The caller's account: plan, capabilities, limits, and how much of them is used. */
import { Context, Effect, Layer, Option } from "effect"
import type { Account, Caller } from "../../../schema/Account.ts"
import type { Unavailable } from "../../../schema/Errors.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import { KeyStore } from "../../store/accounts/KeyStore.ts"
import { StreamStore } from "../../store/accounts/StreamStore.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { ConnectionStore } from "../../store/rows/ConnectionStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { InboundLimits } from "./InboundLimits.ts"
import { Plans } from "./Plans.ts"
import { maxKeys, RateLimits } from "./RateLimits.ts"

/** Reads the account of a caller; Unavailable while the ledger cannot be read. */
export class Accounts extends Context.Tag("services/Accounts")<
  Accounts,
  { readonly read: (caller: Caller) => Effect.Effect<Account, Unavailable> }
>() {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const keys = yield* KeyStore
      const plans = yield* Plans
      const { limits, used } = yield* RateLimits
      const inbound = yield* InboundLimits
      const ledger = yield* Ledger
      const streams = yield* StreamStore
      const connections = yield* ConnectionStore
      const parties = yield* PartyStore

      const read = traced("Accounts.read")(function* (caller: Caller) {
        const { ownerId, plan } = caller
        const owner = Option.getOrUndefined(yield* keys.owner(ownerId))
        const rates = yield* used(caller)
        const counts = yield* Effect.all(
          {
            runs: ledger.countOpen(ownerId).pipe(orUnavailable),
            streams: streams.count(ownerId),
            connections: connections.count(ownerId),
            sandboxPartners: Effect.map(parties.sandboxes(ownerId), ({ length }) => length),
            keys: keys.countGood(ownerId),
            inbound: inbound.used(ownerId)
          },
          { concurrency: "unbounded" }
        )
        const ofAccount = (limit: number, count: number) => ({ limit, used: count, per: "account" })
        const ofPartners = (limit: number, count: number | null, whose: string) => ({
          limit,
          used: count,
          per: `minute and ${whose}`
        })
        const ofKey = (limit: number, count: number) => ({ limit, used: count, per: "minute and key" })
        return {
          _id: ownerId,
          account: owner?.account ?? "",
          plan,
          capabilities: plans.capabilities(caller),
          limits: {
            requests: ofKey(limits.requests, rates.requests),
            commands: ofKey(limits.commands, rates.commands),
            connectionCommands: ofPartners(limits.connectionCommands, null, "connection"),
            partnerCalls: ofPartners(limits.partnerCalls, null, "connection"),
            partnerKilobytes: ofPartners(limits.partnerKilobytes, null, "connection"),
            accountCalls: ofPartners(limits.accountCalls, counts.inbound.calls, "account"),
            accountKilobytes: ofPartners(limits.accountKilobytes, counts.inbound.kilobytes, "account"),
            runs: ofAccount(limits.runs, counts.runs),
            streams: ofAccount(limits.streams, counts.streams),
            connections: ofAccount(limits.connections, counts.connections),
            sandboxPartners: ofAccount(limits.connections, counts.sandboxPartners),
            keys: ofAccount(maxKeys, counts.keys)
          }
        }
      })

      return Accounts.of({ read })
    })
  )
}
