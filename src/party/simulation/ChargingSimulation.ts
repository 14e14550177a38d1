/**
 * The charge point behind a CPO that we play. Commands that were accepted are carried out: the asynchronous result, and
 * for sandbox partners the whole charging session with its CDR. (For our own side of a connection a journey decides
 * what happens after the result.)
 */
import { Context, Effect, Layer, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { type Party, PartyStore } from "../../store/PartyStore.ts"
import { type JsonObject, textIn } from "../json.ts"
import type { Swipe } from "./authorization.ts"
import { wishes } from "./cardWishes.ts"
import { carryOutCommand, type Order } from "./carryOutCommand.ts"
import { catalogueKey, tellCatalogue } from "./catalogue.ts"
import { ownObject, tellSession } from "./chargePoint.ts"
import { chargeKey, chargesModule, drive } from "./charging.ts"
import { carryOutProfile, type ProfileOrder } from "./chargingProfiles.ts"
import { creditCdr } from "./creditCdr.ts"
import { makeEngine, type Simulated } from "./Engine.ts"
import { react } from "./eagerDriver.ts"
import { firstReadKey, readAtFirst } from "./firstRead.ts"
import { live, livelinessKey } from "./liveliness.ts"
import { carryOutSwipe, type SwipeOutcome } from "./localStart.ts"
import type { Pushing } from "./pushes.ts"
import { reservationKey, reservationsModule, watchReservation } from "./reservations.ts"
import { showCard, shownCardKey } from "./shownCard.ts"

export class ChargingSimulation extends Context.Tag("party/ChargingSimulation")<
  ChargingSimulation,
  {
    /** Begins to carry out a command that was accepted; returns at once. */
    readonly carryOut: (party: Party, order: Order) => Effect.Effect<void>
    /** Begins to carry out a request about a charging profile that was accepted; returns at once. */
    readonly carryOutProfile: (party: Party, order: ProfileOrder) => Effect.Effect<void>
    /**
     * A driver shows a token at an EVSE of ours: the EMSP is asked where it must be, and a session starts; shown again,
     * the session stops. Waits for the EMSP only.
     */
    readonly swipe: (party: Party, swipe: Swipe) => Effect.Effect<SwipeOutcome>
    /** Begins what a card asks of a simulated charge point that hears of it, if anything (`cardWishes`); returns at once. */
    readonly heed: (party: Party, token: JsonObject) => Effect.Effect<void>
    /** Begins what an object that a simulated EMSP has just been sent gives it reason for (`invitations`); returns at once. */
    readonly hear: (party: Party, module: string, json: JsonObject) => Effect.Effect<void>
    /** Takes back a CDR of ours with a Credit CDR; its id. None: there is no such CDR, or none such in the version. */
    readonly credit: (party: Party, cdrId: string) => Effect.Effect<Option.Option<string>>
    /**
     * Begins what a registered sandbox partner does of its own accord, as its `activity` has it; returns at once. Nothing
     * for anybody else, and nothing twice.
     */
    readonly attend: (id: PartyId) => Effect.Effect<void>
    /** Takes up all unfinished sessions and reservations of sandbox partners, and what they do of their own accord. Called once, at boot. */
    readonly resumeAll: Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<ChargingSimulation, never, Pushing> = Layer.scoped(
    ChargingSimulation,
    Effect.gen(function* () {
      const world = yield* Effect.context<Simulated>()
      const scope = yield* Effect.scope
      const store = yield* PartyStore
      const engine = yield* makeEngine

      const carryOut = Effect.fn("ChargingSimulation.carryOut")(function* (party: Party, order: Order) {
        yield* carryOutCommand(engine, party, order).pipe(
          Effect.catchAllCause((cause) => Effect.logError(`Carrying out ${order.command} broke`, cause)),
          Effect.provide(world),
          Effect.forkIn(scope)
        )
      })

      const carryOutProfileOrder = Effect.fn("ChargingSimulation.carryOutProfile")(function* (
        party: Party,
        order: ProfileOrder
      ) {
        yield* carryOutProfile(party, order).pipe(
          Effect.catchAllCause((cause) =>
            Effect.logError(`Carrying out ${order.request} of a charging profile broke`, cause)
          ),
          Effect.provide(world),
          Effect.forkIn(scope)
        )
      })

      const swipe = Effect.fn("ChargingSimulation.swipe")(function* (party: Party, shown: Swipe) {
        return yield* carryOutSwipe(engine, party, shown).pipe(Effect.provide(world))
      })

      const heed = Effect.fn("ChargingSimulation.heed")(function* (party: Party, token: JsonObject) {
        if (!wishes(party, token, "shown")) return
        yield* engine
          .start(shownCardKey(party.id, token), showCard(engine, party, token))
          .pipe(Effect.provide(world))
      })

      const hear = Effect.fn("ChargingSimulation.hear")(function* (
        party: Party,
        module: string,
        json: JsonObject
      ) {
        yield* react(engine, party, module, json).pipe(Effect.provide(world))
      })

      const credit = Effect.fn("ChargingSimulation.credit")(function* (party: Party, cdrId: string) {
        return yield* creditCdr(party, cdrId).pipe(Effect.provide(world))
      })

      const attend = Effect.fn("ChargingSimulation.attend")(function* (id: PartyId) {
        const party = Option.getOrUndefined(yield* store.find(id))
        if (party?.kind !== "sandbox" || party.registration !== "registered") return
        const activity = party.sandbox?.activity ?? "quiet"
        if (activity === "quiet") return
        yield* engine.start(catalogueKey(id), tellCatalogue(engine, id)).pipe(Effect.provide(world))
        if (activity !== "lively") return
        yield* engine.start(firstReadKey(id), readAtFirst(engine, id)).pipe(Effect.provide(world))
        if (party.role === "CPO")
          yield* engine.start(livelinessKey(id), live(engine, id)).pipe(Effect.provide(world))
      })

      const resume = Effect.fn("ChargingSimulation.resume")(function* (party: Party) {
        const page = { offset: 0, limit: mostAtOnce }
        const charges = yield* store.objects(party.id, chargesModule, "own", page)
        for (const { json, key } of charges.items) {
          const session = yield* ownObject(party, "sessions", key)
          // Whatever update was lost, the whole session makes good for it.
          const told =
            session._tag === "Some"
              ? tellSession(party, session.value, "PUT", session.value, textIn(json["correlationId"]) ?? "")
              : Effect.void
          yield* engine.start(chargeKey(party.id, key), Effect.zipRight(told, drive(engine, party.id, key)))
        }
        const reservations = yield* store.objects(party.id, reservationsModule, "own", page)
        for (const { key } of reservations.items)
          yield* engine.start(reservationKey(party.id, key), watchReservation(engine, party.id, key))
        yield* attend(party.id)
      })

      const resumeAll = store.allSandboxes.pipe(
        Effect.flatMap((parties) => Effect.forEach(parties, resume, { discard: true })),
        Effect.provide(world),
        Effect.withSpan("ChargingSimulation.resumeAll")
      )

      return ChargingSimulation.of({
        carryOut,
        carryOutProfile: carryOutProfileOrder,
        swipe,
        heed,
        hear,
        credit,
        attend,
        resumeAll
      })
    })
  )
}

/** More unfinished sessions of one party than this are not taken up. */
const mostAtOnce = 1_000
