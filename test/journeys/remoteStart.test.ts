import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isEventOf } from "../../schema/LedgerEvent.ts"
import type { Script } from "../support/parties/ScriptedPartner.ts"
import { attributionsOf, isTerminal, makeBench, order, outcomesOf, until } from "./support/JourneyBench.ts"

const whole = (script: Script, inputs: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const bench = yield* makeBench(script)
    const process = yield* bench.boot()
    const { facts } = yield* process.journeys.start(order("remote-start", inputs))
    const status = yield* until(bench, facts.runId, isTerminal)
    const { view } = (yield* bench.row(process, facts.runId)).snapshot
    const events = bench.eventsOf(facts.runId)
    return { bench, status, view, events, outcomes: outcomesOf(events), hits: bench.partner.hits }
  })

describe("remote start", () => {
  it.effect("passes with an honest partner", () =>
    Effect.gen(function* () {
      const { events, outcomes, status, view } = yield* whole({})
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual(
        Object.entries(outcomes).filter(([, outcome]) => outcome !== "passed"),
        []
      )
      assert.strictEqual(view.verdict, "pass")
      assert.strictEqual(events.at(-1)?.type, "run.completed")
    })
  )
  it.effect("sends each write once", () =>
    Effect.gen(function* () {
      const { hits } = yield* whole({})
      assert.deepStrictEqual(
        hits.map(({ operation }) => operation),
        ["list", "PUT token", "START_SESSION", "STOP_SESSION"]
      )
    })
  )
  it.effect("writes the intent of each exchange before it is sent", () =>
    Effect.gen(function* () {
      const { events } = yield* whole({})
      const ofExchanges = events.filter(isEventOf("exchange.intended", "exchange.completed"))
      for (let index = 0; index < ofExchanges.length; index += 2) {
        assert.strictEqual(ofExchanges[index]?.type, "exchange.intended")
        assert.strictEqual(ofExchanges[index + 1]?.exchange.id, ofExchanges[index]?.exchange.id)
      }
      assert.lengthOf(ofExchanges, 8)
    })
  )
  it.effect("follows a redirect to the URL with a slash at its end, once, and grades what came there", () =>
    Effect.gen(function* () {
      const { events, hits, outcomes, view } = yield* whole({ endsInSlash: true })
      assert.deepStrictEqual(
        Object.entries(outcomes).filter(([, outcome]) => outcome !== "passed"),
        []
      )
      assert.strictEqual(view.verdict, "pass")
      assert.deepStrictEqual(
        hits.map(({ operation }) => operation),
        ["list", "PUT token", "PUT token", "START_SESSION", "STOP_SESSION"]
      )
      const puts = events
        .filter(isEventOf("exchange.completed"))
        .filter(({ exchange }) => exchange.operation === "PUT token")
      assert.deepStrictEqual(
        puts.map(({ exchange }) => exchange.response?.httpStatus),
        [307, 200]
      )
      assert.strictEqual(puts[1]?.exchange.request.url, `${puts[0]?.exchange.request.url}/`)
    })
  )
  it.effect("asks once more after the seconds of a Retry-After, and grades what came then", () =>
    Effect.gen(function* () {
      const { events, hits, outcomes, view } = yield* whole({ busy: { "PUT token": 1 } })
      assert.strictEqual(view.verdict, "pass")
      assert.strictEqual(outcomes["push-token.accepted"], "passed")
      assert.deepStrictEqual(
        hits.map(({ operation }) => operation),
        ["list", "PUT token", "PUT token", "START_SESSION", "STOP_SESSION"]
      )
      const [first, second] = events
        .filter(isEventOf("exchange.completed"))
        .filter(({ exchange }) => exchange.operation === "PUT token")
        .map(({ exchange }) => exchange)
      assert.isAtLeast(Date.parse(second?.startedAt ?? "") - Date.parse(first?.startedAt ?? ""), 2000)
      assert.notStrictEqual(first?.requestId, second?.requestId)
      const graded = events
        .flatMap(({ assertions }) => assertions)
        .find(({ id }) => id === "push-token.accepted")
      assert.deepStrictEqual(graded?.exchangeIds, [second?.id ?? ""])
    })
  )
  it.effect(
    "asks no third time, also with a command, which was not looked at where it was one of too many",
    () =>
      Effect.gen(function* () {
        const puts = yield* whole({ busy: { "PUT token": 2 } })
        assert.strictEqual(puts.outcomes["push-token.accepted"], "not_tested")
        assert.strictEqual(puts.hits.filter(({ operation }) => operation === "PUT token").length, 2)
        const starts = yield* whole({ busy: { START_SESSION: 1 } })
        assert.strictEqual(starts.hits.filter(({ operation }) => operation === "START_SESSION").length, 2)
        assert.strictEqual(starts.view.verdict, "pass")
        const never = yield* whole({ busy: { START_SESSION: 9 } })
        assert.strictEqual(never.hits.filter(({ operation }) => operation === "START_SESSION").length, 2)
      })
  )
  it.effect("stops the main line when the command is rejected", () =>
    Effect.gen(function* () {
      const { events, outcomes, view } = yield* whole({ startAnswer: "REJECTED" })
      assert.strictEqual(outcomes["start-session.accepted"], "failed")
      assert.strictEqual(outcomes["session-active.received"], "not_tested")
      assert.strictEqual(attributionsOf(events)["session-active.received"], "partner")
      assert.strictEqual(view.verdict, "fail")
    })
  )
  it.effect("blames nobody for an answer that is too large for us", () =>
    Effect.gen(function* () {
      const { events, outcomes, view } = yield* whole({ vast: ["START_SESSION"] })
      assert.strictEqual(outcomes["start-session.accepted"], "unobservable")
      assert.match(
        events.flatMap(({ assertions }) => assertions).find(({ id }) => id === "start-session.accepted")
          ?.reason ?? "",
        /Too large for us to judge: the body is too large for us: .*more than 20000 entries/
      )
      assert.notInclude(Object.values(outcomes), "failed")
      assert.strictEqual(view.verdict, "inconclusive")
    })
  )
  it.effect("blames nobody when no EVSE is free", () =>
    Effect.gen(function* () {
      const { hits, view } = yield* whole({ evseStatus: "CHARGING" })
      assert.strictEqual(view.verdict, "inconclusive")
      assert.lengthOf(hits, 1)
    })
  )
  for (const away of ["list", "PUT token", "START_SESSION", "STOP_SESSION"])
    it.effect(`blames the network where the connection for ${away} is refused`, () =>
      Effect.gen(function* () {
        const { events, outcomes, status, view } = yield* whole({ away: [away] })
        assert.strictEqual(status, "completed")
        assert.notInclude(Object.values(outcomes), "failed")
        // Where the other stages go on without the token, too.
        assert.strictEqual(view.verdict, "inconclusive")
        const unjudged = events.flatMap(({ assertions }) => assertions)
        const [first] = unjudged.filter(({ outcome }) => outcome !== "passed")
        assert.strictEqual(first?.attribution, "network")
        assert.include(first?.reason, "refused the connection")
      })
    )
  it.effect("notices a session with another token", () =>
    Effect.gen(function* () {
      const { outcomes } = yield* whole({ token: "SOMEBODY-ELSE" })
      assert.strictEqual(outcomes["session-active.token"], "failed")
      assert.strictEqual(outcomes["consistency.token"], "not_tested")
    })
  )
  const missing: ReadonlyArray<readonly [NonNullable<Script["silent"]>[number], string, string]> = [
    ["start-result", "start-result.received", "failed"],
    ["active", "session-active.received", "failed"],
    ["updates", "session-updates.received", "warned"],
    ["stop-result", "stop-result.received", "failed"],
    ["completed", "session-completed.received", "failed"],
    ["cdr", "cdr.received", "warned"]
  ]
  for (const [step, rule, outcome] of missing) {
    it.effect(`ends also when ${step} never comes`, () =>
      Effect.gen(function* () {
        const { events, outcomes, status } = yield* whole({ silent: [step] }, { waitSeconds: 3 })
        assert.strictEqual(status, "completed")
        assert.strictEqual(outcomes[rule], outcome)
        assert.isTrue(events.some(({ type }) => type === "wait.expired"))
      })
    )
  }
  it.effect("reads what a partner leaves to be read, and does not ask it to push", () =>
    Effect.gen(function* () {
      const { events, outcomes, status, view } = yield* whole({ pullOnly: true }, { waitSeconds: 3 })
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual(
        Object.entries(outcomes).filter(([, outcome]) => outcome === "failed" || outcome === "warned"),
        []
      )
      for (const rule of ["session-active.received", "session-completed.received", "cdr.received"])
        assert.strictEqual(outcomes[rule], "not_tested", rule)
      for (const rule of ["session-active.token", "session-completed.end", "cdr.shape", "consistency.energy"])
        assert.strictEqual(outcomes[rule], "passed", rule)
      assert.notStrictEqual(view.verdict, "fail")
      const reads = events.filter(isEventOf("exchange.intended")).map(({ exchange }) => exchange.module)
      assert.includeMembers(reads, ["sessions", "cdrs"])
    })
  )
  it.effect("lets the energy count that two readings show, where the partner pushes nothing", () =>
    Effect.gen(function* () {
      const { events, outcomes, status } = yield* whole({ pullOnly: true }, { waitSeconds: 60 })
      assert.strictEqual(status, "completed")
      const ends = events.filter(isEventOf("wait.satisfied", "wait.expired"))
      const ofUpdates = ends.filter(({ stageId }) => stageId === "session-updates").map(({ type }) => type)
      assert.deepStrictEqual(ofUpdates, ["wait.satisfied"])
      assert.strictEqual(outcomes["session-updates.received"], "not_tested")
    })
  )
  it.effect("tells who must do what, until when", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ silent: ["active"] })
      const process = yield* bench.boot()
      const { facts } = yield* process.journeys.start(order("remote-start"))
      yield* until(bench, facts.runId, (status) => status === "waiting")
      const { waitingFor } = (yield* bench.row(process, facts.runId)).snapshot.view
      assert.strictEqual(waitingFor?.party, "partner")
      assert.include(waitingFor?.instruction ?? "", "authorization_reference")
    })
  )
  it.effect("refuses inputs that the template does not know how to read", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench()
      const { journeys } = yield* bench.boot()
      const error = yield* Effect.flip(journeys.start(order("remote-start", { waitSeconds: "long" })))
      assert.strictEqual(error.kind, "choose")
      assert.include(error.message, "inputs.waitSeconds")
    })
  )
})
