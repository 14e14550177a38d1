/**
 * Makes the context of one run's actor: messages are read at safe points, and each request is recorded before and after.
 */
import { Clock, Context, Deferred, Effect, type Exit, type Fiber, Option } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { JourneyRunAction } from "../../../machines/journeyRunSetup.ts"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { newId } from "../../database/newId.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import { makeFollowUps } from "../../ocpi/followUp.ts"
import { type OcpiCall, OcpiClient } from "../../ocpi/OcpiClient.ts"
import { atOtherSlash, sentAgain, withLimit } from "../../party/outbound/followUpCalls.ts"
import { noteTraffic } from "../../party/outbound/noteTraffic.ts"
import { recipientOf } from "../../party/wire/recipientOf.ts"
import { durableExchange } from "../../runs/durableExchange.ts"
import type { HeldRun } from "../../runs/RunHost.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { historyOf } from "../catalogue/plan.ts"
import { exchangedIn } from "../model/RunHistory.ts"
import { makeInbox, sparingInbox } from "./inbox.ts"
import type { RunContext } from "./RunContext.ts"
import { Stop } from "./RunContext.ts"
import type { RunMailbox } from "./RunMessage.ts"

/** The context of the actor that works on this run. */
export const makeRunContext = (
  parts: Pick<RunContext, "services" | "template" | "plan" | "party">,
  { buffer, log, record: write, takeAction }: HeldRun<JourneyRunAction, JourneyRunContext>,
  mailbox: RunMailbox
): RunContext => {
  const { services, party, plan } = parts
  const sendingWith = Context.make(OcpiClient, services.client).pipe(Context.add(PartyStore, services.store))
  const followUps = makeFollowUps()
  let stopping: Stop["why"] | undefined

  const inbox = sparingInbox(
    makeInbox({ services, log, party, plan, buffer, template: parts.template }),
    mailbox.arrivals
  )
  const record: RunContext["record"] = (drafts) => {
    // Whatever is sent is recorded before, and may set off a call.
    inbox.outdate()
    return write(drafts)
  }

  const history = () => historyOf(plan, log.events())
  const context = () => log.machine().context

  const read = Effect.fnUntraced(function* () {
    for (const message of yield* mailbox.takeAll) {
      if (message.kind === "drain") stopping = "drain"
      if (message.kind === "cancel") {
        if (log.machine().can({ type: "cancel.requested" })) {
          yield* record([{ type: "cancel.requested", key: "cancel/requested" }])
          stopping ??= "cancel"
        }
        yield* Deferred.succeed(message.heard, undefined)
      }
      if (message.kind === "answer") yield* Deferred.succeed(message.taken, yield* attest(message.attested))
    }
  })

  const attest: RunContext["attest"] = Effect.fnUntraced(function* ({ answer, note }) {
    const asked = log.events().findLast(isEventOf("checkpoint.requested"))
    const { attempt } = asked?.data ?? {}
    if (asked === undefined || !log.machine().can({ type: "checkpoint.answered" })) return false
    yield* record([
      {
        type: "checkpoint.answered",
        key: `checkpoint/${asked.sequence}/answered`,
        stageId: asked.stageId,
        data: {
          ...(attempt === undefined ? {} : { attempt }),
          answer,
          ...(note === undefined ? {} : { note })
        }
      }
    ])
    return true
  })

  const heed = Effect.suspend(() => {
    if (stopping === undefined) return Effect.void
    const stop = new Stop({ why: stopping })
    // A cancelled run goes on to its clean-up; a draining process keeps stopping.
    if (stopping === "cancel") stopping = undefined
    return Effect.fail(stop)
  })
  const failIfStopping = Effect.zipRight(read(), heed)

  /** Waits for the fiber or for a message; undefined: a message came first. */
  const endOrSignal = <A>(fiber: Fiber.RuntimeFiber<A>) =>
    Effect.async<Exit.Exit<A> | undefined>((resume) => {
      const ended = (exit: Exit.Exit<A>) => {
        forget()
        resume(Effect.succeed(exit))
      }
      const forget = mailbox.onSignal(() => {
        fiber.removeObserver(ended)
        resume(Effect.succeed(undefined))
      })
      fiber.addObserver(ended)
      return Effect.sync(() => {
        forget()
        fiber.removeObserver(ended)
      })
    })

  /** Waits for the work while reading the mailbox: a request to stop is recorded at once and obeyed afterwards. */
  const listening = Effect.fnUntraced(function* <A>(work: Effect.Effect<A>) {
    const fiber = yield* Effect.fork(work)
    for (;;) {
      const end = yield* endOrSignal(fiber)
      if (end !== undefined) return yield* end
      yield* read()
    }
  })

  const sleepUntilSignal: RunContext["sleepUntilSignal"] = (millis) =>
    record([]).pipe(
      Effect.zipRight(Effect.timeoutOption(mailbox.signal, `${Math.max(0, millis)} millis`)),
      Effect.zipRight(failIfStopping)
    )

  const send: RunContext["send"] = Effect.fnUntraced(function* (order) {
    const { attempt, call, key, part, purpose, stageId, step } = order
    const exchangeId = yield* newId("exchange")
    // A stage or the partner may have changed the registration: use the endpoints and the version of now.
    const partyReadAt = performance.now()
    const standing = Option.getOrElse(yield* services.store.find(party.id), () => party)
    const recipient = recipientOf(standing, call, () => exchangedIn(log.events()))
    const prepared = yield* Effect.either(
      services.calls.prepare(standing, {
        ...call,
        ...(recipient === undefined ? {} : { recipient }),
        exchangeId,
        correlationId: plan.runId,
        partyReadAt
      })
    )
    if (prepared._tag === "Left") return { notSent: prepared.left.message }
    yield* failIfStopping
    const data = {
      purpose,
      ...(attempt === undefined ? {} : { attempt }),
      ...(step === undefined ? {} : { step }),
      ...(part === undefined ? {} : { part })
    }
    const once = (prepared: OcpiCall, key: string) => {
      const recording = { record, recordEnd: buffer }
      const sending = { party, call: prepared, ...recording, key, stageId, meanwhile: listening }
      return durableExchange<StaleRun>({ ...sending, intent: data, completion: data }).pipe(
        Effect.tap((answer) => noteTraffic(party, call, answer)),
        Effect.map(({ exchange }) => exchange),
        Effect.provide(sendingWith)
      )
    }
    const follows = followUps()
    for (let present = prepared.right, of = key; ; ) {
      const answered = yield* once(present, of)
      const asked = follows.next(answered)
      const next = asked?.why === "smaller" && call.fixedLimit === true ? undefined : asked
      if (next === undefined) return answered
      // The request was not looked at, or its answer not read: a redirect is noted in the dialect, and the stage is graded by what
      // comes next.
      if (next.why === "slash") {
        yield* failIfStopping
        present = yield* atOtherSlash(present, next.endSlash)
      } else if (next.why === "smaller") {
        yield* failIfStopping
        present = yield* withLimit(present, next.limit)
      } else {
        yield* rest(next.millis)
        present = yield* sentAgain(present)
      }
      of = `${of}/${next.why}`
    }
  })

  const rest = Effect.fnUntraced(function* (millis: number) {
    const until = (yield* Clock.currentTimeMillis) + millis
    for (let left = millis; left > 0; left = until - (yield* Clock.currentTimeMillis))
      yield* sleepUntilSignal(left)
    yield* failIfStopping
  })

  return {
    ...parts,
    log,
    history,
    context,
    record,
    buffer,
    takeAction,
    failIfStopping,
    attest,
    sleepUntilSignal,
    pullInbound: inbox.pull,
    send
  }
}
