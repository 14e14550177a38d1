/** Preflight: diagnosis of a connection that the caller owns. */
import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { NotFound, PlanRequired } from "../../../schema/Errors.ts"
import type { ConnectionId } from "../../../schema/Ids.ts"
import type { Preflight } from "../../../schema/Preflight.ts"
import type { EgressGuard } from "../../ocpi/EgressGuard.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { preflight } from "../../party/registration/preflight.ts"
import { isReady, type PreflightOptions } from "../../party/registration/preflightProbes.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { Plans } from "../accounts/Plans.ts"
import { Connections } from "./Connections.ts"

/** Runs preflights. */
export class Preflights extends Context.Tag("services/Preflights")<
  Preflights,
  {
    /** Runs the probes; failures of the partner are in them. Needs the same capability as a handshake. */
    readonly run: (caller: Caller, id: ConnectionId) => Effect.Effect<Preflight, NotFound | PlanRequired>
  }
>() {
  static readonly layer = (options: PreflightOptions) =>
    Layer.effect(
      Preflights,
      Effect.gen(function* () {
        const connections = yield* Connections
        const plans = yield* Plans
        const world = yield* Effect.context<EgressGuard | OcpiClient | PartnerCalls | PartyStore>()

        const run = traced("Preflights.run")(function* (caller: Caller, id: ConnectionId) {
          const { party, target } = yield* connections.owned(caller, id)
          yield* plans.require(caller, "handshake", target)
          const probes = yield* Effect.provide(preflight(party, options), world)
          return {
            connectionId: id,
            ready: isReady(probes),
            probes
          } satisfies Preflight
        })

        return Preflights.of({ run })
      })
    )
}
