/** The desk of one run's actor: its letters are read at safe points, and each request is written down before and after. */
import { Clock, Deferred, Effect, Fiber, Option } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import { newId } from "../../database/newId.ts"
import type { Ask } from "../../ledger/run/RunLog.ts"
import { noteTraffic } from "../../party/outbound/noteTraffic.ts"
import { rememberAnswered } from "../../party/outbound/rememberTokens.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { memoryOf } from "../catalogue/plan.ts"
import { readInbox } from "./inbox.ts"
import type { Mailbox } from "./Mailbox.ts"
import type { RunDesk } from "./RunDesk.ts"
import { Stop } from "./RunDesk.ts"

export const makeDesk = (
  parts: Pick<RunDesk, "crew" | "log" | "template" | "plan" | "party">,
  mailbox: Mailbox,
  asks: ReadonlyArray<Ask>
): RunDesk => {
  const { crew, log, party, plan } = parts
  let ask = asks.at(-1)
  let stopping: Stop["why"] | undefined

  const memory = () => memoryOf(plan, log.events())
  // Runs of this kind are folded by the journey machine only.
  const context = () => log.machine().context as JourneyRunContext

  const record: RunDesk["record"] = (drafts) =>
    Effect.map(log.record(drafts), (asked) => {
      ask = asked.at(-1) ?? ask
    })

  const read = Effect.fnUntraced(function* () {
    for (const letter of yield* mailbox.collect) {
      if (letter.kind === "drain") stopping = "drain"
      if (letter.kind === "cancel") {
        if (log.machine().can({ type: "cancel.requested" })) {
          yield* record([{ type: "cancel.requested", key: "cancel/requested" }])
          stopping ??= "cancel"
        }
        yield* Deferred.succeed(letter.heard, undefined)
      }
      if (letter.kind === "answer") yield* Deferred.succeed(letter.taken, yield* attest(letter.attested))
    }
  })

  const attest: RunDesk["attest"] = Effect.fnUntraced(function* ({ answer, note }) {
    const asked = log.events().findLast(({ type }) => type === "checkpoint.requested")
    if (asked?.stageId === undefined || !log.machine().can({ type: "checkpoint.answered" })) return false
    yield* record([
      {
        type: "checkpoint.answered",
        key: `checkpoint/${asked.sequence}/answered`,
        stageId: asked.stageId,
        data: { attempt: asked.data?.["attempt"], answer, ...(note === undefined ? {} : { note }) }
      }
    ])
    return true
  })

  const heed = Effect.suspend(() => {
    if (stopping === undefined) return Effect.void
    const stop = new Stop({ why: stopping })
    // A cancelled run still has its clean-up to do; a draining process stays so.
    if (stopping === "cancel") stopping = undefined
    return Effect.fail(stop)
  })
  const safePoint = Effect.zipRight(read(), heed)

  const pullInbound: RunDesk["pullInbound"] = (stageId, nearMiss) =>
    readInbox({ crew, log, party, plan, record, template: parts.template }, stageId, nearMiss)

  /** Waits for the answer while still hearing a wish to stop: it is written down at once, and heeded after. */
  const listening = Effect.fnUntraced(function* <A>(work: Effect.Effect<A>) {
    const fiber = yield* Effect.fork(work)
    for (;;) {
      const done = yield* Effect.raceFirst(
        Effect.map(Fiber.join(fiber), Option.some),
        Effect.as(mailbox.bell, Option.none<A>())
      )
      if (Option.isSome(done)) return done.value
      yield* read()
    }
  })

  const send: RunDesk["send"] = Effect.fnUntraced(function* (order) {
    const { attempt, call, key, part, purpose, stageId, step } = order
    const exchangeId = yield* newId("exchange")
    // A stage, or the partner, may have changed the registration: endpoints and version are as they are now.
    const standing = Option.getOrElse(yield* crew.store.find(party.id), () => party)
    const prepared = yield* Effect.either(
      crew.calls.prepare(standing, { ...call, exchangeId, correlationId: plan.runId })
    )
    if (prepared._tag === "Left") return { notSent: prepared.left.message }
    yield* safePoint
    const common = {
      ...(stageId === undefined ? {} : { stageId }),
      data: {
        purpose,
        ...(attempt === undefined ? {} : { attempt }),
        ...(step === undefined ? {} : { step }),
        ...(part === undefined ? {} : { part })
      }
    }
    const startedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    const intent = crew.client.intent(prepared.right, startedAt)
    yield* record([{ type: "exchange.intended", key: `${key}/intended`, exchange: intent, ...common }])
    const answer = yield* listening(crew.client.exchange(prepared.right))
    const { exchange } = answer
    yield* Effect.provideService(rememberAnswered(party.id, prepared.right, answer), PartyStore, crew.store)
    yield* record([{ type: "exchange.completed", key: `${key}/completed`, exchange, ...common }])
    yield* Effect.provideService(noteTraffic(party, call, answer), PartyStore, crew.store)
    return exchange
  })

  return {
    ...parts,
    memory,
    context,
    record,
    takeAsk: () => {
      const taken = ask
      ask = undefined
      return taken
    },
    safePoint,
    attest,
    rest: (millis) =>
      Effect.zipRight(Effect.timeoutOption(mailbox.bell, `${Math.max(0, millis)} millis`), safePoint),
    pullInbound,
    send
  }
}
