import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { PartyId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { type Gathered, isWithheld, makeEvidence } from "../../../src/conformance/model/Evidence.ts"
import type { ProbeRequest, ProbeStep, WritingProbe } from "../../../src/conformance/model/Probe.ts"
import { cutShort, withheld } from "../../../src/conformance/model/Probe.ts"
import { leftovers } from "../../../src/conformance/run/journal.ts"
import { callSeen } from "../../../src/conformance/run/observations.ts"
import { makeScripts } from "../../../src/conformance/run/Scripts.ts"
import type { EventDraft } from "../../../src/ledger/Ledger.ts"
import { makeArrivals } from "../../../src/store/parties/Arrivals.ts"
import { party } from "../support/honestPartner.ts"

const asking = (method: NonNullable<ProbeRequest["method"]>, body?: unknown): ProbeRequest => ({
  module: "tokens",
  interfaceRole: "RECEIVER",
  operation: `${method} token`,
  method,
  ...(body === undefined ? {} : { body })
})
const put: ProbeStep = { id: "put", act: () => ({ send: asking("PUT"), undo: asking("DELETE", "undo") }) }
const script = (...steps: ReadonlyArray<ProbeStep>): WritingProbe => ({ id: "probe", steps })

type Status = number | "timed_out"

/** A run whose partner answers by method, and whose ledger is a list. */
const run = (
  answers: Readonly<Record<string, Status>> = {},
  ledger: Array<LedgerEvent> = [],
  calls: ReadonlyArray<Exchange> = [],
  refusedAt?: string
) => {
  const sent: Array<string> = []
  const results = new Map<string, Gathered>()
  let stopped: string | undefined
  const record = (drafts: ReadonlyArray<EventDraft>) =>
    Effect.sync(() => {
      for (const { key: _, ...draft } of drafts)
        ledger.push({
          assertions: [],
          ...draft,
          sequence: ledger.length + 1,
          occurredAt: "2026-06-01T12:00:00.000Z"
        } as LedgerEvent)
    })
  const exchange = (asked: ProbeRequest, id: string): Exchange => {
    const status = answers[asked.method ?? "GET"] ?? 200
    const headers = {}
    return {
      id,
      direction: "outbound",
      module: asked.module,
      operation: asked.operation,
      request: {
        method: asked.method ?? "GET",
        url: "https://x.example/",
        headers,
        body: null,
        truncated: false
      },
      response:
        typeof status === "string"
          ? null
          : {
              httpStatus: status,
              ocpiStatusCode: status < 300 ? 1000 : 2000,
              headers,
              body: "{}",
              truncated: false
            },
      outcome: typeof status === "string" ? status : "completed",
      startedAt: "2026-06-01T12:00:00.000Z",
      durationMs: 1,
      requestId: "r",
      correlationId: "c"
    }
  }
  return Effect.gen(function* () {
    const evidence = makeEvidence(
      {
        party,
        profile: profileOf("2.2.1"),
        startedAt: "2026-06-01T12:00:00.000Z",
        trustedPrefixes: [],
        mark: "TST-000001",
        graceSeconds: 0,
        tokens: []
      },
      results
    )
    const scripts = makeScripts({
      events: () => ledger,
      record,
      stageId: () => "tokens.write",
      stopped: () => stopped,
      write: (asked, mark, when) =>
        Effect.gen(function* () {
          if (stopped !== undefined && when !== "always") return cutShort(stopped)
          sent.push(`${asked.method} ${mark.step}`)
          const made = exchange(asked, `exc_${ledger.length}`)
          const intent: Exchange = { ...made, response: null, outcome: "unknown" }
          yield* record([
            {
              type: "exchange.intended",
              key: "",
              stageId: "tokens.write",
              exchange: intent,
              data: { ...mark }
            },
            { type: "exchange.completed", key: "", stageId: "tokens.write", exchange: made }
          ])
          return { exchange: made, json: undefined, about: "" }
        }),
      register: ({ step }) =>
        Effect.sync(() => {
          sent.push(`register ${step}`)
          return withheld("not_tested", "nobody registers here")
        }),
      injectFaults: (_, work) => work,
      isNeeded: () => true,
      watch: {
        partyId: PartyId.make("p_1"),
        pull: Effect.sync(() => calls.map(callSeen)),
        finder: (wanted) => Effect.sync(() => calls.map(callSeen).find(wanted)),
        source: () => Effect.succeed({ seen: [] })
      },
      arrivals: makeArrivals(),
      evidence,
      results,
      refusedSince: (since) =>
        Effect.succeed(Option.filter(Option.fromNullable(refusedAt), (at) => at > since))
    })
    return {
      ...scripts,
      sent,
      ledger,
      evidence,
      stop: (reason: string) => {
        stopped = reason
      }
    }
  })
}

/** The ledger as a process that died left it: nobody wrote down what came of the last request. */
const withoutLastAnswer = (ledger: ReadonlyArray<LedgerEvent>) => {
  const last = ledger.findLastIndex(({ type }) => type === "exchange.completed")
  return ledger.filter((_, index) => index !== last)
}

const reasonOf = (gathered: Gathered | undefined) =>
  gathered !== undefined && isWithheld(gathered) ? [gathered.withheld, gathered.reason] : []

describe("a script", () => {
  it.effect("cleans up when its steps are over", () =>
    Effect.gen(function* () {
      const one = yield* run()
      yield* one.play(script(put, { id: "get", act: () => ({ send: asking("GET") }) }))
      assert.deepStrictEqual(one.sent, ["PUT probe#put", "GET probe#get", "DELETE probe#put~undo"])
      assert.deepStrictEqual(leftovers(one.ledger), [])
    })
  )

  it.effect("cleans up although the run is to stop", () =>
    Effect.gen(function* () {
      const one = yield* run()
      const gathered = yield* one.play(
        script(put, {
          id: "stop",
          act: () => {
            one.stop("the run was cancelled")
            return { send: asking("PATCH") }
          }
        })
      )
      assert.deepStrictEqual(one.sent, ["PUT probe#put", "DELETE probe#put~undo"])
      assert.strictEqual(!isWithheld(gathered) && gathered.stopped, "run")
      assert.deepStrictEqual(reasonOf(one.evidence.gathered("probe#stop")), [
        "not_tested",
        "the run was cancelled"
      ])
    })
  )

  it.effect("takes a step that is always to be taken, also when the run is to stop", () =>
    Effect.gen(function* () {
      const one = yield* run()
      const stop: ProbeStep = {
        id: "stop",
        act: () => {
          one.stop("the run was cancelled")
          return { send: asking("PATCH") }
        }
      }
      yield* one.play(
        script(
          stop,
          { id: "left out", act: () => ({ send: asking("GET") }) },
          { id: "back", always: true, act: () => ({ send: asking("PUT") }) }
        )
      )
      assert.deepStrictEqual(one.sent, ["PUT probe#back"])
    })
  )

  it.effect("has nothing to clean up when the partner refused", () =>
    Effect.gen(function* () {
      const one = yield* run({ PUT: 400 })
      yield* one.play(script(put))
      assert.deepStrictEqual(one.sent, ["PUT probe#put"])
    })
  )

  it.effect("cleans up after a request whose answer never came, and leaves the other steps", () =>
    Effect.gen(function* () {
      const one = yield* run({ PUT: "timed_out" })
      yield* one.play(script(put, { id: "get", act: () => ({ send: asking("GET") }) }))
      assert.deepStrictEqual(one.sent, ["PUT probe#put", "DELETE probe#put~undo"])
      assert.include(reasonOf(one.evidence.gathered("probe#get"))[1], "not answered")
    })
  )

  it.effect("needs no clean-up when a step did it", () =>
    Effect.gen(function* () {
      const one = yield* run()
      yield* one.play(script(put, { id: "delete", act: () => ({ send: asking("DELETE"), undoes: "put" }) }))
      assert.deepStrictEqual(one.sent, ["PUT probe#put", "DELETE probe#delete"])
    })
  )

  it.effect("has left nothing behind where the partner finds nothing to delete", () =>
    Effect.gen(function* () {
      const one = yield* run({ DELETE: 404 })
      yield* one.play(script(put))
      yield* one.cleanUp()
      assert.deepStrictEqual(one.sent, ["PUT probe#put", "DELETE probe#put~undo"])
      assert.deepStrictEqual(leftovers(one.ledger), [])
    })
  )

  it.effect("gives up cleaning after two tries, and says what is left", () =>
    Effect.gen(function* () {
      const one = yield* run({ DELETE: 500 })
      yield* one.play(script(put))
      yield* one.cleanUp()
      yield* one.cleanUp()
      assert.deepStrictEqual(one.sent, ["PUT probe#put", "DELETE probe#put~undo", "DELETE probe#put~undo"])
      assert.lengthOf(leftovers(one.ledger), 1)
    })
  )

  it.effect("does not wait for ever for a partner that hangs while it is cleaned up", () =>
    Effect.gen(function* () {
      const one = yield* run({ DELETE: "timed_out" })
      const puts = ["a", "b", "c", "d"].map((id): ProbeStep => ({ id, act: put.act }))
      yield* one.play(script(...puts))
      assert.lengthOf(
        one.sent.filter((text) => text.startsWith("DELETE")),
        2
      )
    })
  )

  it.effect("takes what was answered before from the ledger", () =>
    Effect.gen(function* () {
      const first = yield* run()
      const probe = script({ id: "post", act: () => ({ send: asking("POST") }) })
      yield* first.play(probe)
      const second = yield* run({}, [...first.ledger])
      yield* second.play(probe)
      assert.deepStrictEqual(second.sent, [])
      assert.lengthOf(second.evidence.answered("probe#post"), 1)
    })
  )

  it.effect("never repeats a POST whose answer was lost", () =>
    Effect.gen(function* () {
      const first = yield* run()
      const probe = script({ id: "post", act: () => ({ send: asking("POST") }) })
      yield* first.play(probe)
      const second = yield* run({}, withoutLastAnswer(first.ledger))
      yield* second.play(probe)
      assert.deepStrictEqual(second.sent, [])
      const [outcome, reason] = reasonOf(second.evidence.gathered("probe#post"))
      assert.strictEqual(outcome, "not_tested")
      assert.include(reason, "not sent twice")
    })
  )

  it.effect("never begins a registration again whose credentials got no answer that was recorded", () =>
    Effect.gen(function* () {
      const first = yield* run()
      // A registration is recorded by its POST credentials.
      yield* first.play(script({ id: "again", act: () => ({ send: asking("POST") }) }))
      const second = yield* run({}, withoutLastAnswer(first.ledger))
      yield* second.play(script({ id: "again", act: () => ({ register: true }) }))
      assert.deepStrictEqual(second.sent, [])
      const [outcome, reason] = reasonOf(second.evidence.gathered("probe#again"))
      assert.strictEqual(outcome, "not_tested")
      assert.include(reason, "not sent twice")
    })
  )

  it.effect("repeats a PUT whose answer was lost, and cleans up once", () =>
    Effect.gen(function* () {
      const first = yield* run()
      yield* first.play(script(put))
      const died = first.ledger.slice(0, 1)
      assert.lengthOf(leftovers(died), 1)
      const second = yield* run({}, died)
      yield* second.play(script(put))
      assert.deepStrictEqual(second.sent, ["PUT probe#put", "DELETE probe#put~undo"])
    })
  )

  it.effect("ends when a step says that there is no ground for the rest", () =>
    Effect.gen(function* () {
      const one = yield* run()
      yield* one.play(
        script(
          { id: "left out", act: () => undefined },
          { id: "no", act: () => withheld("not_applicable", "no EVSE is free") },
          { id: "get", act: () => ({ send: asking("GET") }) }
        )
      )
      assert.deepStrictEqual(one.sent, [])
      assert.deepStrictEqual(reasonOf(one.evidence.gathered("probe#get")), [
        "not_applicable",
        "no EVSE is free"
      ])
    })
  )
})

describe("a wait", () => {
  const call: Exchange = {
    id: "exc_in",
    direction: "inbound",
    module: "sessions",
    operation: "PUT session",
    request: { method: "PUT", url: "https://us.example/", headers: {}, body: "{}", truncated: false },
    response: null,
    outcome: "completed",
    startedAt: "2026-06-01T12:00:00.000Z",
    durationMs: 1,
    requestId: "r",
    correlationId: "c"
  }
  const waiting = (module: string) =>
    script({
      id: "push",
      act: () => ({
        wait: {
          seconds: 60,
          instruction: "The partner is to push",
          provoke: "start a charge",
          matches: ({ exchange }) => exchange.module === module,
          nearMiss: ({ exchange }) => `a ${exchange.operation} came`
        }
      })
    })

  it.effect("ends with the call that it waits for", () =>
    Effect.gen(function* () {
      const one = yield* run({}, [], [call])
      yield* one.play(waiting("sessions"))
      const gathered = one.evidence.gathered("probe#push")
      assert.deepStrictEqual(
        gathered !== undefined && !isWithheld(gathered) && gathered.seen.map(({ exchange }) => exchange.id),
        ["exc_in"]
      )
    })
  )

  it.effect("ends at its deadline, with what to do and what almost was", () =>
    Effect.gen(function* () {
      const one = yield* run({}, [], [call])
      const fiber = yield* Effect.fork(one.play(waiting("cdrs")))
      yield* TestClock.adjust("61 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(reasonOf(one.evidence.gathered("probe#push")), [
        "unobservable",
        "start a charge. Near misses: a PUT session came"
      ])
    })
  )

  it.effect("says nothing of the partner where we turned a call away meanwhile", () =>
    Effect.gen(function* () {
      for (const [refusedAt, withheld] of [
        ["2026-06-01T12:00:30.000Z", "not_tested"],
        ["2026-06-01T11:59:00.000Z", "unobservable"]
      ] as const) {
        const one = yield* run({}, [], [], refusedAt)
        const fiber = yield* Effect.fork(one.play(waiting("cdrs")))
        yield* TestClock.adjust("61 seconds")
        yield* Fiber.join(fiber)
        const [said, reason = ""] = reasonOf(one.evidence.gathered("probe#push"))
        assert.strictEqual(said, withheld)
        assert.strictEqual(/we did not serve a call/.test(reason), withheld === "not_tested")
      }
    })
  )

  it.effect("says nothing of the partner where our process ended between the request and its outcome", () =>
    Effect.gen(function* () {
      const steps = [{ id: "post", act: () => ({ send: asking("POST") }) }, ...waiting("cdrs").steps]
      const resumed = {
        type: "run.resumed",
        occurredAt: "2026-06-01T12:00:20.000Z",
        assertions: [],
        sequence: 9
      }
      for (const [wasAway, expected] of [
        ["while it waited", "not_tested"],
        ["before the script", "unobservable"]
      ] as const) {
        const first = yield* run()
        yield* Effect.fork(first.play(script(...steps)))
        yield* TestClock.adjust("20 seconds")
        const left = [...first.ledger]
        left.splice(wasAway === "while it waited" ? left.length : 0, 0, resumed as unknown as LedgerEvent) // as stored
        const second = yield* run({}, left)
        const fiber = yield* Effect.fork(second.play(script(...steps)))
        yield* TestClock.adjust("2 minutes")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(second.sent, [])
        const [said, reason = ""] = reasonOf(second.evidence.gathered("probe#push"))
        assert.strictEqual(said, expected, reason)
        assert.strictEqual(/another one went on at 2026-06-01T12:00:20/.test(reason), said === "not_tested")
      }
    })
  )

  const ofKind = (id: string, seconds = 60): ProbeStep => ({
    id,
    act: () => ({
      wait: {
        seconds,
        kind: "push of a session",
        instruction: "The partner is to push a session",
        provoke: "start a charge",
        matches: ({ exchange }) => exchange.module === "sessions"
      }
    })
  })

  it.effect("is short after one silence of its kind, and not begun after two", () =>
    Effect.gen(function* () {
      const one = yield* run()
      const fiber = yield* Effect.fork(one.play(script(ofKind("first"), ofKind("second"), ofKind("third"))))
      yield* TestClock.adjust("60 seconds")
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(fiber)
      const begun = one.ledger.flatMap((event) => (event.type === "wait.started" ? [event.data.step] : []))
      assert.deepStrictEqual(begun, ["probe#first", "probe#second"])
      const said = ["first", "second", "third"].map((id) => one.evidence.gathered(`probe#${id}`))
      assert.deepStrictEqual(
        said.map((gathered) => gathered !== undefined && isWithheld(gathered) && gathered.givenUp),
        [undefined, { silence: "push of a session" }, { silence: "push of a session" }]
      )
      assert.match(reasonOf(said[2])[1] ?? "", /in the last 2 waits for one \(\d+ s, \d+ s\)/)
      // Another process goes on with the same ledger, and comes to the same.
      const second = yield* run({}, [...one.ledger])
      yield* second.play(script(ofKind("first"), ofKind("second"), ofKind("third")))
      assert.deepStrictEqual(
        ["first", "second", "third"].map((id) => reasonOf(second.evidence.gathered(`probe#${id}`))),
        said.map(reasonOf)
      )
    })
  )

  it.effect("takes a call that has come, also of a kind that is not waited for any more", () =>
    Effect.gen(function* () {
      const calls: Array<Exchange> = []
      const one = yield* run({}, [], calls)
      const fiber = yield* Effect.fork(one.play(script(ofKind("first", 1), ofKind("second", 1))))
      yield* TestClock.adjust("2 seconds")
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
      calls.push(call)
      yield* one.play(script(ofKind("third")))
      assert.lengthOf(one.evidence.seen("probe#third"), 1)
    })
  )

  it.effect("ends when the run is to stop", () =>
    Effect.gen(function* () {
      const one = yield* run()
      const fiber = yield* Effect.fork(one.play(waiting("cdrs")))
      yield* TestClock.adjust("2 seconds")
      one.stop("the run was cancelled")
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(reasonOf(one.evidence.gathered("probe#push")), [
        "not_tested",
        "the run was cancelled"
      ])
    })
  )
})
