/** The journey runs of this process. Each has an actor, which is woken when its partner calls. */
import { Deferred, Effect, Option } from "effect"
import { journeyRunVersion } from "../../../machines/journeyRun.ts"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { JourneyRunAction } from "../../../machines/journeyRunSetup.ts"
import { type PartyId, partyOf } from "../../../schema/Ids.ts"
import type { ArchiveError } from "../../archive/ArchiveStore.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { endFaultInjection } from "../../party/inbound/faultInjection.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { makeEvseClaims } from "../../runs/evseClaims.ts"
import { CannotGoOn, type HeldRun, makeRunHost, type RunHost, type Worker } from "../../runs/RunHost.ts"
import { RefusedCalls } from "../../store/parties/exchanges/RefusedCalls.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { makeRunContext } from "../actor/makeRunContext.ts"
import { runActor } from "../actor/RunActor.ts"
import type { RunServices } from "../actor/RunContext.ts"
import { makeRunMailbox, type OperatorAnswer } from "../actor/RunMessage.ts"
import { readPlan } from "../catalogue/plan.ts"
import { templateOf } from "../catalogue/playable.ts"

/** The worker of a journey run. */
interface JourneyWorker extends Worker {
  readonly partyId: PartyId
  /** Tells the actor that the partner has called, so that it reads the call. */
  readonly arrived: () => void
  /** Passes an operator's answer to the actor, which records it; false if no checkpoint is open. */
  readonly answer: (attested: OperatorAnswer) => Effect.Effect<boolean>
}

/** The journey runs of this process, by id. */
export type JourneyHost = RunHost<JourneyRunAction, JourneyWorker>

/** What the host of journey runs needs beside the services. */
interface JourneyHostOptions extends Pick<RunServices, "publicUrl" | "startSuccessor"> {
  /** Duration of a lease in the ledger. */
  readonly leaseSeconds: number
}

/** How long an exchange in flight may take when the process shuts down. */
const drainLimit = "10 seconds"

/** A host that lives as long as the scope. It also wakes the actors of a party when the party is called. */
export const makeJourneyHost = Effect.fnUntraced(function* ({
  leaseSeconds,
  publicUrl,
  startSuccessor
}: JourneyHostOptions) {
  const store = yield* PartyStore
  const services: RunServices = {
    ledger: yield* Ledger,
    client: yield* OcpiClient,
    calls: yield* PartnerCalls,
    handshake: yield* Handshake,
    store,
    refusedSince: Option.match(yield* Effect.serviceOption(RefusedCalls), {
      onNone: () => () => Effect.succeedNone,
      onSome: ({ lastSince }) => lastSince
    }),
    publicUrl,
    startSuccessor
  }
  const host: JourneyHost = yield* makeRunHost<
    JourneyRunAction,
    JourneyWorker,
    PartyStore,
    JourneyRunContext
  >({
    leaseSeconds,
    drainLimit,
    makeWorker: (run) => makeWorker(services, run),
    onOver: (log) => {
      const { connectionId, plan, runId } = log.facts
      const hasEvse = log.events().some((event) => event.type === "stage.started" && event.data?.place)
      return Effect.zipRight(
        hasEvse ? makeEvseClaims(services.ledger, store, log).drop : Effect.void,
        readPlan(plan).scenario === undefined ? Effect.void : endFaultInjection(partyOf(connectionId), runId)
      )
    }
  })

  yield* store.arrivals.hear((id) => {
    for (const { arrived, partyId } of host.workers()) if (partyId === id) arrived()
  })
  return host
})

const makeWorker = Effect.fnUntraced(function* (
  services: RunServices,
  run: HeldRun<JourneyRunAction, JourneyRunContext>
) {
  const { connectionId, plan: planned } = run.log.facts
  const plan = readPlan(planned)
  const template = templateOf(plan)
  const partyId = partyOf(connectionId)
  if (template === undefined || plan.machineVersion !== journeyRunVersion)
    return yield* new CannotGoOn({ reason: `This release cannot go on with template ${plan.templateId}` })
  const party = yield* services.store.find(partyId)
  if (Option.isNone(party)) return yield* new CannotGoOn({ reason: "The connection was deleted" })
  const mailbox = yield* makeRunMailbox
  const worker: JourneyWorker = {
    partyId,
    work: runActor(makeRunContext({ services, template, plan, party: party.value }, run, mailbox)),
    arrived: mailbox.arrived,
    stop: Effect.gen(function* () {
      const heard = yield* Deferred.make<void>()
      yield* mailbox.post({ kind: "cancel", heard })
      yield* Deferred.await(heard)
    }),
    drain: mailbox.post({ kind: "drain" }),
    answer: Effect.fnUntraced(function* (attested) {
      const taken = yield* Deferred.make<boolean>()
      yield* mailbox.post({ kind: "answer", attested, taken })
      return yield* Deferred.await(taken)
    })
  }
  return worker
})

/** Turns a lasting loss of database or archive into a defect: no caller can handle it. */
export const orDown = <A, R>(
  work: Effect.Effect<A, DatabaseDown | ArchiveError, R>
): Effect.Effect<A, never, R> => Effect.orDie(work)
