/** The run actors of this process: launched, woken when their partner calls, and drained when the process ends. */
import { Deferred, Effect, Fiber, Option, PubSub, Queue } from "effect"
import { journeyRunVersion } from "../../../machines/journeyRun.ts"
import type { PartyId, RunId } from "../../../schema/Ids.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import { retryStatementsFor } from "../../database/retry.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import type { RequestedAction, RunLog } from "../../ledger/run/RunLog.ts"
import { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { endFaultInjection } from "../../party/inbound/faultInjection.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { failRun } from "../../runs/failRun.ts"
import { heedStopWishes } from "../../runs/stopWishes.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { RefusedCalls } from "../../store/parties/RefusedCalls.ts"
import { ofRun } from "../../telemetry/ofRun.ts"
import type { OperatorAnswer } from "../actor/Mailbox.ts"
import { type Mailbox, makeMailbox } from "../actor/Mailbox.ts"
import { runActor } from "../actor/RunActor.ts"
import type { RunServices } from "../actor/RunContext.ts"
import { readPlan } from "../catalogue/plan.ts"
import { templateOf } from "../catalogue/playable.ts"

interface Member {
  readonly partyId: PartyId
  readonly mailbox: Mailbox
  readonly fiber: Fiber.Fiber<void>
}

export interface RunSupervisor {
  /** An actor for a run that this process holds. A run that cannot be worked on any more is closed as failed. */
  readonly launch: (log: RunLog, asks: ReadonlyArray<RequestedAction>) => Effect.Effect<void>
  /** Asks the run's actor to stop; false when no actor of this process has the run. */
  readonly cancel: (runId: RunId) => Effect.Effect<boolean>
  /**
   * A person's answer, for the run's actor to write down. false: no checkpoint is open. undefined: no actor of this
   * process has the run.
   */
  readonly answer: (runId: RunId, attested: OperatorAnswer) => Effect.Effect<boolean | undefined>
  readonly has: (runId: RunId) => boolean
}

/** How long a wish to stop may take to be written down, before the caller is answered anyway. */
const hearingLimit = "5 seconds"
/** How long an exchange in flight may take to end when the process does. */
const drainLimit = "10 seconds"

export interface SupervisorOptions extends Pick<RunServices, "publicUrl" | "startSuccessor"> {
  /** For so long a run stands still while the database is away. */
  readonly leaseSeconds: number
}

export const makeSupervisor = ({ leaseSeconds, publicUrl, startSuccessor }: SupervisorOptions) =>
  Effect.gen(function* () {
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
    const members = new Map<RunId, Member>()

    const launch: RunSupervisor["launch"] = Effect.fn("RunRoster.launch")(function* (log, asks) {
      const { runId } = log.facts
      const plan = readPlan(log.facts.plan)
      const template = templateOf(plan)
      const partyId = log.facts.connectionId as string as PartyId // a party has its connection's id
      // Without the database it is given back: a run that is held and has no actor would stand still for ever.
      const party = yield* Effect.onError(store.find(partyId), () => log.close("released"))
      if (template === undefined || plan.machineVersion !== journeyRunVersion)
        return yield* failRun(log, `This release cannot go on with template ${plan.templateId}`)
      if (Option.isNone(party)) return yield* failRun(log, "The connection was deleted")
      const mailbox = yield* makeMailbox
      const started = yield* Deferred.make<void>()
      const work = Effect.interruptible(
        runActor({ services, log, template, plan, party: party.value, mailbox, asks })
      )
      const fiber = yield* Effect.forkDaemon(
        Deferred.await(started).pipe(
          Effect.zipRight(work),
          Effect.zipRight(
            Effect.suspend(() =>
              plan.scenario !== undefined && isTerminal(log.row().snapshot.view.status)
                ? endFaultInjection(party.value.id, runId)
                : Effect.void
            )
          ),
          Effect.provideService(PartyStore, store),
          retryStatementsFor(leaseSeconds),
          ofRun(runId),
          Effect.ensuring(Effect.sync(() => members.get(runId)?.mailbox === mailbox && members.delete(runId)))
        )
      )
      members.set(runId, { partyId: party.value.id, mailbox, fiber })
      yield* Deferred.succeed(started, undefined)
    })

    const arrivals = yield* PubSub.subscribe(store.arrivals)
    yield* Queue.take(arrivals).pipe(
      Effect.flatMap((partyId) =>
        Effect.forEach(
          [...members.values()].filter((member) => member.partyId === partyId),
          ({ mailbox }) => mailbox.post({ kind: "arrival" }),
          { discard: true }
        )
      ),
      Effect.forever,
      Effect.forkScoped
    )

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const all = [...members.values()]
        yield* Effect.forEach(all, ({ mailbox }) => mailbox.post({ kind: "drain" }), { discard: true })
        const fibers = all.map(({ fiber }) => fiber)
        // A finalizer cannot be interrupted, and so its waiting would not end in time.
        yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber), { discard: true }).pipe(
          Effect.interruptible,
          Effect.timeoutOption(drainLimit)
        )
        yield* Fiber.interruptAll(fibers)
      })
    )

    const supervisor: RunSupervisor = {
      launch,
      has: (runId) => members.has(runId),
      answer: Effect.fn("RunRoster.answer")(function* (runId, attested) {
        const member = members.get(runId)
        if (member === undefined) return undefined
        const taken = yield* Deferred.make<boolean>()
        yield* member.mailbox.post({ kind: "answer", attested, taken })
        const heard = Effect.raceFirst(Deferred.await(taken), Effect.as(Fiber.await(member.fiber), false))
        return Option.getOrElse(yield* Effect.timeoutOption(heard, hearingLimit), () => false)
      }),
      cancel: Effect.fn("RunRoster.cancel")(function* (runId) {
        const member = members.get(runId)
        if (member === undefined) return false
        const heard = yield* Deferred.make<void>()
        yield* member.mailbox.post({ kind: "cancel", heard })
        yield* Effect.timeoutOption(
          Effect.raceFirst(Deferred.await(heard), Fiber.await(member.fiber)),
          hearingLimit
        )
        return true
      })
    }
    yield* heedStopWishes(supervisor.cancel)
    return supervisor
  })

/** The database away for good is a defect: nobody here can mend it. */
export const orDown = <A, R>(work: Effect.Effect<A, DatabaseDown, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(work)
