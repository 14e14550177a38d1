/**
 * The simulated charge points of a CPO that we play. They carry out accepted commands: the asynchronous result, and for
 * sandbox partners the whole charging session with its CDR. (At our own side of a connection a journey decides what
 * follows the result.)
 */
import { Context, Effect, Layer, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { retryUntilBack } from "../../database/retry.ts"
import type { JsonObject } from "../../findings/json.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import type { Swipe } from "./chargePoint/authorization.ts"
import { type AcceptedCommand, carryOutCommand } from "./chargePoint/carryOutCommand.ts"
import { carryOutProfile, type ProfileOrder } from "./chargePoint/chargingProfiles.ts"
import { creditCdr } from "./chargePoint/creditCdr.ts"
import { wishes } from "./chargePoint/scriptedCards.ts"
import { isDriven, react } from "./driver/eagerDriver.ts"
import { live, livelinessKey } from "./driver/liveliness.ts"
import { carryOutSwipe, type SwipeOutcome } from "./driver/localStart.ts"
import { showCard, shownCardKey } from "./driver/shownCard.ts"
import { activityModule, keeperKey } from "./engine/activity.ts"
import { makeEngine, type Simulated } from "./engine/Engine.ts"
import type { Pushing } from "./engine/pushes.ts"
import { firstReadKey, readAtFirst } from "./firstRead.ts"
import { catalogueKey, pushCatalogue } from "./pushCatalogue.ts"
import { resumeSimulation } from "./resume.ts"

/** The simulation of charge points, and of what sandbox partners do unasked. */
export class ChargingSimulation extends Context.Tag("party/ChargingSimulation")<
  ChargingSimulation,
  {
    /** Starts to carry out an accepted command; returns at once. */
    readonly carryOut: (party: Party, order: AcceptedCommand) => Effect.Effect<void>
    /** Starts to carry out an accepted request about a charging profile; returns at once. */
    readonly carryOutProfile: (party: Party, order: ProfileOrder) => Effect.Effect<void>
    /**
     * A driver shows a token at one of our EVSEs: the EMSP is asked if it must be, and a session starts; shown again, the
     * session stops. Waits only for the EMSP.
     */
    readonly swipe: (party: Party, swipe: Swipe) => Effect.Effect<SwipeOutcome>
    /** Starts what a scripted card (`cardWishes`) asks of a simulated charge point, if anything; returns at once. */
    readonly tokenReceived: (party: Party, token: JsonObject) => Effect.Effect<void>
    /**
     * Starts what a simulated EMSP does about an object that it has received (`locationWishes`), if anything; returns at
     * once.
     */
    readonly objectReceived: (party: Party, module: string, json: JsonObject) => Effect.Effect<void>
    /**
     * Credits one of our CDRs with a Credit CDR and returns its id. None: there is no such CDR, or the version has no
     * Credit CDRs.
     */
    readonly credit: (party: Party, cdrId: string) => Effect.Effect<Option.Option<string>>
    /**
     * Starts what a registered sandbox partner does unasked, as its `activity` says; returns at once. Does nothing for
     * other parties, when it has started already, or when another process does it.
     */
    readonly startActivity: (id: PartyId) => Effect.Effect<void>
    /**
     * Resumes all unfinished sessions and reservations that no living process carries on, and the activity of sandbox
     * partners. Called once, at boot.
     */
    readonly resumeAll: Effect.Effect<void>
    /** From now on resumes the work of processes that die; checks at this interval. Returns at once. */
    readonly watchOver: (everySeconds: number) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<ChargingSimulation, never, Pushing> = Layer.scoped(
    ChargingSimulation,
    Effect.gen(function* () {
      const world = yield* Effect.context<Simulated>()
      const scope = yield* Effect.scope
      const store = yield* PartyStore
      const engine = yield* makeEngine

      const carryOut = traced("ChargingSimulation.carryOut")(function* (
        party: Party,
        order: AcceptedCommand
      ) {
        yield* carryOutCommand(engine, party, order).pipe(
          Effect.catchAllCause((cause) =>
            Effect.logError(`The simulated charge point failed to carry out ${order.command}`, cause)
          ),
          Effect.provide(world),
          Effect.forkIn(scope)
        )
      })

      const carryOutProfileOrder = traced("ChargingSimulation.carryOutProfile")(function* (
        party: Party,
        order: ProfileOrder
      ) {
        yield* carryOutProfile(party, order).pipe(
          Effect.catchAllCause((cause) =>
            Effect.logError(`The simulated charge point failed to ${order.request} a charging profile`, cause)
          ),
          Effect.provide(world),
          Effect.forkIn(scope)
        )
      })

      const swipe = traced("ChargingSimulation.swipe")(function* (party: Party, shown: Swipe) {
        return yield* carryOutSwipe(engine, party, shown).pipe(Effect.provide(world))
      })

      const tokenReceived = traced("ChargingSimulation.tokenReceived")(function* (
        party: Party,
        token: JsonObject
      ) {
        if (!wishes(party, token, "shown")) return
        yield* engine
          .start(shownCardKey(party.id, token), showCard(engine, party, token))
          .pipe(Effect.provide(world))
      })

      const reacted = traced("ChargingSimulation.objectReceived")(function* (
        party: Party,
        module: string,
        json: JsonObject
      ) {
        yield* react(engine, party, module, json).pipe(Effect.provide(world))
      })

      const objectReceived = (party: Party, module: string, json: JsonObject) =>
        isDriven(party) ? reacted(party, module, json) : Effect.void

      const credit = traced("ChargingSimulation.credit")(function* (party: Party, cdrId: string) {
        return yield* creditCdr(party, cdrId).pipe(Effect.provide(world))
      })

      const startActivity = traced("ChargingSimulation.startActivity")(function* (id: PartyId) {
        const party = Option.getOrUndefined(yield* store.find(id))
        if (party?.kind !== "sandbox" || party.registration !== "registered") return
        const activity = party.sandbox?.activity ?? "quiet"
        if (activity === "quiet") return
        if (!(yield* engine.claim(party, { module: activityModule, key: keeperKey, create: true }))) return
        yield* engine.start(catalogueKey(id), retryUntilBack(pushCatalogue(engine, id)))
        if (activity !== "lively") return
        yield* engine.start(firstReadKey(id), retryUntilBack(readAtFirst(engine, id)))
        if (party.role === "CPO") yield* engine.start(livelinessKey(id), retryUntilBack(live(engine, id)))
      }, Effect.provide(world))

      const resume = traced("ChargingSimulation.resume")(function* (id: PartyId) {
        yield* resumeSimulation(engine, id)
        yield* startActivity(id)
      }, Effect.provide(world))

      const leftBehind = Effect.flatMap(engine.living, store.leftBehind)

      const resumeAll = Effect.all([leftBehind, store.allSandboxes]).pipe(
        Effect.map(([left, sandboxes]) => new Set([...left, ...sandboxes.map(({ id }) => id)])),
        Effect.flatMap((ids) => Effect.forEach(ids, resume, { discard: true })),
        Effect.withSpan("ChargingSimulation.resumeAll")
      )

      const watchOver = (everySeconds: number) =>
        leftBehind.pipe(
          Effect.flatMap((ids) => Effect.forEach(ids, resume, { discard: true })),
          Effect.catchAllCause((cause) =>
            Effect.logError(
              "Simulated sessions of dead processes could not be resumed; the next check tries again",
              cause
            )
          ),
          Effect.delay(`${everySeconds} seconds`),
          Effect.forever,
          Effect.forkIn(scope),
          Effect.asVoid
        )

      return ChargingSimulation.of({
        carryOut,
        carryOutProfile: carryOutProfileOrder,
        swipe,
        tokenReceived,
        objectReceived,
        credit,
        startActivity,
        resumeAll,
        watchOver
      })
    })
  )
}
