import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Option, Redacted, Ref, TestClock } from "effect"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { suites } from "../../../src/conformance/catalogue/suites.ts"
import { type StartSuite, SuiteRuns } from "../../../src/conformance/run/SuiteRuns.ts"
import { suiteRunKind } from "../../../src/conformance/run/suiteRunKind.ts"
import { yieldToEventLoop } from "../../../src/findings/yieldToEventLoop.ts"
import { Feed } from "../../../src/ledger/feed/feed.ts"
import { Ledger, type RunRow } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory, type MemoryStore, memoryStore } from "../../../src/ledger/LedgerMemory.ts"
import { foldRun } from "../../../src/ledger/run/foldRun.ts"
import { RunLogsLive } from "../../../src/ledger/run/RunLogsLive.ts"
import { reportOf } from "../../../src/ledger/run/runReport.ts"
import { type OcpiCall, OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { authorizationValue } from "../../../src/ocpi/tokens.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { exchanged, gradable, honest, now, type Partner, party, root } from "../support/honestPartner.ts"

const token = Redacted.make("token-c-0123456789")
const live = authorizationValue(token, "base64")

/** Which of the partner's doors a call tries: what an honest partner looks at. */
const credentialsOf = (call: OcpiCall) => {
  const named = Object.entries(call.headers ?? {}).find(
    ([name]) => name.toLowerCase() === "authorization"
  )?.[1]
  const sent =
    call.authorization === undefined
      ? named
      : authorizationValue(call.authorization.token, call.authorization.form)
  return sent === undefined ? "none" : sent === live ? "good" : "bad"
}

interface Script {
  readonly partner?: Partner
  /** Before each exchange, e.g. to wait. */
  readonly before?: (call: OcpiCall) => Effect.Effect<void>
  readonly calls?: Ref.Ref<ReadonlyArray<OcpiCall>>
  readonly store?: MemoryStore
  readonly owner?: string
  readonly underWay?: { now: number; most: number }
}

const scripted = ({ before, calls, partner = honest, underWay }: Script) =>
  Layer.succeed(OcpiClient, {
    intent: (call, startedAt) => ({
      ...seen(partner, call).exchange,
      response: null,
      outcome: "unknown" as const,
      startedAt
    }),
    exchange: (call) =>
      Effect.gen(function* () {
        if (calls !== undefined) yield* Ref.update(calls, (all) => [...all, call])
        if (underWay !== undefined) underWay.most = Math.max(underWay.most, ++underWay.now)
        yield* Effect.yieldNow()
        if (before !== undefined) yield* before(call)
        if (underWay !== undefined) underWay.now -= 1
        const { exchange, json } = seen(partner, call)
        return { exchange, json, body: undefined }
      })
  })

const seen = (partner: Partner, call: OcpiCall) =>
  exchanged(
    partner,
    {
      url: new URL(call.url),
      token: credentialsOf(call),
      about: "",
      requestId: call.requestId,
      correlationId: call.correlationId
    },
    call,
    call.exchangeId
  )

const calls = Layer.succeed(PartnerCalls, {
  prepare: (_, request) => {
    const url = new URL(request.url ?? [`${root}/2.2.1/${request.module}`, ...(request.path ?? [])].join("/"))
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
    return Effect.succeed({
      exchangeId: request.exchangeId,
      module: request.module,
      operation: request.operation,
      method: request.method,
      url: url.href,
      authorization: { token, form: "base64" as const },
      audience: [url.origin],
      requestId: `req-${request.exchangeId}`,
      correlationId: `cor-${request.exchangeId}`,
      secrets: [{ name: "tokenC", value: token }]
    })
  },
  expectResult: () => Effect.die("not used"),
  results: () => Effect.die("not used"),
  ourCredentials: () => Effect.die("not used")
})

const seeded = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* PartyStore
    yield* store.insert(party, [{ slot: "outbound", name: "tokenC", value: token }])
    const inbound = exchanged(
      honest,
      { url: new URL(`${root}/versions`), token: "good", about: "", requestId: "", correlationId: "" },
      { module: "versions", operation: "list" },
      "exc_in"
    ).exchange
    yield* store.record(party.id, {
      ...inbound,
      direction: "inbound",
      request: { ...inbound.request, headers: { authorization: "Token base64(«tokenB:abcd»)" } }
    })
  })
)

/** Before anything takes a lease: the partner's data and stamps are of that day. */
const atNow = Layer.effectDiscard(TestClock.setTime(Date.parse(now)))

const world = (script: Script = {}) => {
  const ledger = LedgerMemory.layer({
    owner: script.owner ?? "one",
    ...(script.store === undefined ? {} : { store: script.store })
  })
  const ground = Layer.mergeAll(
    Feed.layer().pipe(
      Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 15 })),
      Layer.provideMerge(ledger)
    ),
    seeded.pipe(Layer.provideMerge(PartyStoreMemory)),
    calls,
    Layer.mock(Handshake, {}),
    scripted(script)
  )
  return SuiteRuns.layer({ leaseSeconds: 3 }).pipe(Layer.provideMerge(ground), Layer.provide(atNow))
}

const order: StartSuite = {
  ownerId: party.ownerId,
  partyId: party.id,
  connectionLabel: "CPO cpo.example",
  environment: "test",
  suiteId: "ocpi-2.2.1-cpo-full",
  checks: gradable.map(({ id }) => id),
  profile: "strict"
}

const rowOf = (runId: RunRow["facts"]["runId"]) =>
  Effect.flatMap(Ledger, (ledger) =>
    Effect.flatMap(Effect.orDie(ledger.run(party.ownerId, runId)), (row) => Effect.orDie(row))
  )

const eventsOf = (runId: RunRow["facts"]["runId"]) =>
  Effect.flatMap(Ledger, (ledger) =>
    Effect.map(Effect.orDie(ledger.page(runId, 0, 1000)), (lines) =>
      lines.map(({ line }) => JSON.parse(line) as LedgerEvent)
    )
  )

/** Runs to the terminal event. */
const over = (runId: RunRow["facts"]["runId"]) =>
  Effect.gen(function* () {
    for (let turns = 0; turns < 20_000; turns++) {
      const row = yield* rowOf(runId)
      if (row.snapshot.view.machine.tags.includes("terminal")) return row
      yield* yieldToEventLoop
    }
    return yield* Effect.die("the run did not end")
  })

const ran = (change: Partial<StartSuite> = {}) =>
  Effect.gen(function* () {
    const runs = yield* SuiteRuns
    const { facts } = yield* runs.start({ ...order, ...change })
    const row = yield* over(facts.runId)
    return { row, events: yield* eventsOf(facts.runId) }
  })

const outcomes = (events: ReadonlyArray<LedgerEvent>) =>
  Object.fromEntries(events.flatMap(({ assertions }) => assertions.map(({ id, outcome }) => [id, outcome])))

describe("SuiteRuns", () => {
  it.effect("gives an honest partner a pass, and grades every check", () =>
    Effect.gen(function* () {
      const { events, row } = yield* ran()
      const { progress, status, summary, verdict } = reportOf(row)
      assert.deepStrictEqual({ status, verdict }, { status: "completed", verdict: "pass" })
      const ungraded = Object.entries(outcomes(events)).filter(([, outcome]) => outcome !== "passed")
      // The two readings that these compare are one moment apart here, and nothing changes.
      assert.deepStrictEqual(ungraded.toSorted(), [
        ["LOC-050", "unobservable"],
        ["PAGE-030", "unobservable"]
      ])
      const all = summary.total + ungraded.length
      assert.deepStrictEqual(progress, { done: all, of: all })
      assert.strictEqual(Object.keys(outcomes(events)).length, progress.of)
    }).pipe(Effect.provide(world()))
  )

  it.effect("sends each distinct request once, but for the deliberate repetitions", () =>
    Effect.gen(function* () {
      const sent = yield* Ref.make<ReadonlyArray<OcpiCall>>([])
      yield* ran().pipe(Effect.provide(world({ calls: sent })))
      const all = (yield* Ref.get(sent)).map(
        (call) =>
          `${call.url} ${credentialsOf(call)} ${call.authorization?.header ?? ""}${Object.keys(call.headers ?? {})}`
      )
      const counts = new Map<string, number>()
      for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
      const again = [...counts]
        .filter(([, count]) => count > 1)
        .map(([one, count]) => `${one.replace(root, "")}x${count}`)
      // Each page of a list is read once more at last, to see what has moved meanwhile: two of locations, one of the others.
      // Late in the run follow those whose objects may change or vanish, CDRs do not.
      const isLastReading = (one: string) =>
        /^\/2\.2\.1\/((locations|sessions|tariffs)(\?\S*)? good x3|cdrs(\?\S*)? good x2)$/.test(one)
      assert.lengthOf(again.filter(isLastReading), 5)
      // Polled three times; raw and random token are both just wrong here; five malformed headers, and three tokens that are nearly right.
      assert.deepStrictEqual(again.filter((one) => !isLastReading(one)).toSorted(), [
        "/2.2.1 good x3",
        "/2.2.1/locations bad x9",
        "/versions bad x2",
        "/versions good x3"
      ])
    })
  )

  it.effect("only reads", () =>
    Effect.gen(function* () {
      const sent = yield* Ref.make<ReadonlyArray<OcpiCall>>([])
      yield* ran().pipe(Effect.provide(world({ calls: sent })))
      assert.deepStrictEqual([...new Set((yield* Ref.get(sent)).map(({ method }) => method))], ["GET"])
    })
  )

  it.effect("keeps to the limit of exchanges under way to a partner", () =>
    Effect.gen(function* () {
      const underWay = { now: 0, most: 0 }
      yield* ran().pipe(
        Effect.provide(world({ underWay, before: () => Effect.repeatN(Effect.yieldNow(), 200) }))
      )
      assert.strictEqual(underWay.most, 4)
    })
  )

  it.effect("writes an intent before each exchange, and a report that is the fold of the lines", () =>
    Effect.gen(function* () {
      const { events, row } = yield* ran()
      const intents = events.filter(isEventOf("exchange.intended"))
      for (const { exchange, sequence } of events.filter(isEventOf("exchange.completed"))) {
        const intent = intents.find((event) => event.exchange.id === exchange.id)
        assert.isBelow(intent?.sequence ?? Number.POSITIVE_INFINITY, sequence)
      }
      assert.deepStrictEqual(foldRun(suiteRunKind, row.facts, events).snapshot.view, row.snapshot.view)
    }).pipe(Effect.provide(world()))
  )

  it.effect("runs only the checks and modules that are asked for", () =>
    Effect.gen(function* () {
      const { events } = yield* ran({ checks: ["LOC-00*", "VERS-001"], modules: ["locations"] })
      const ids = Object.keys(outcomes(events))
      assert.isNotEmpty(ids)
      assert.isTrue(ids.every((id) => id.startsWith("LOC-00")))
    }).pipe(Effect.provide(world()))
  )

  it.effect(
    "fails a partner that breaks a rule, with expected, actual, place, evidence and a line to repeat it",
    () => {
      const partner: Partner = (req) => {
        const res = honest(req)
        if (typeof res === "string" || !req.url.pathname.endsWith("/locations") || req.token !== "good")
          return res
        const data = res.body.data.map((one: object) => ({ ...one, country: "token-c-0123456789" }))
        return { ...res, body: { ...res.body, data } }
      }
      return Effect.gen(function* () {
        const { events, row } = yield* ran()
        const assertion = events.flatMap(({ assertions }) => assertions).find(({ id }) => id === "LOC-006")
        assert.strictEqual(reportOf(row).verdict, "fail")
        assert.strictEqual(assertion?.outcome, "failed")
        assert.strictEqual(assertion?.pointer, "/data/0/country")
        assert.include(assertion?.message ?? "", "3 times")
        assert.match(assertion?.curl ?? "", /^curl .*\$TOKEN.*locations/)
        assert.isNotEmpty(assertion?.exchangeIds)
        // The partner wrote our token into its data: it is not repeated.
        assert.notInclude(JSON.stringify(assertion), "token-c-0123456789")
      }).pipe(Effect.provide(world({ partner })))
    }
  )

  it.effect(
    "warns of what was accepted, notes what is kept again, and counts in full what has expired",
    () => {
      const partner: Partner = (req) => {
        const res = honest(req)
        if (typeof res === "string" || !req.url.pathname.endsWith("/locations") || req.token !== "good")
          return res
        const data = res.body.data.map((one: object) => ({ ...one, country: "Holland" }))
        return { ...res, body: { ...res.body, data } }
      }
      const agreed = { reason: "fixed in the next release", owner: "Ada", expires: "2026-06-01" }
      return Effect.gen(function* () {
        const checks = ["LOC-006", "VERS-001"]
        const { events, row } = yield* ran({
          checks,
          accept: checks.map((checkId) => ({ checkId, ...agreed }))
        })
        assert.deepStrictEqual(outcomes(events), { "LOC-006": "warned", "VERS-001": "warned" })
        assert.strictEqual(reportOf(row).verdict, "warn")
        const late = { ...agreed, expires: "2026-05-31", checkId: "LOC-006" }
        assert.strictEqual(reportOf((yield* ran({ checks, accept: [late] })).row).verdict, "fail")
      }).pipe(Effect.provide(world({ partner })))
    }
  )

  it.effect("runs of the selected checks only those among the given ones", () =>
    Effect.gen(function* () {
      const { events } = yield* ran({ checks: ["LOC-*"], among: ["LOC-001", "LOC-002", "VERS-001"] })
      assert.deepStrictEqual(Object.keys(outcomes(events)), ["LOC-001", "LOC-002"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("survives a partner that answers garbage, and says so", () =>
    Effect.gen(function* () {
      const { row } = yield* ran()
      assert.strictEqual(reportOf(row).status, "completed")
      assert.strictEqual(reportOf(row).verdict, "fail")
      assert.strictEqual(reportOf(row).summary.errored, 0)
    }).pipe(Effect.provide(world({ partner: () => ({ status: 200, headers: {}, body: "<html>" }) })))
  )

  it.effect("stops asking a partner that does not answer", () =>
    Effect.gen(function* () {
      const sent = yield* Ref.make<ReadonlyArray<OcpiCall>>([])
      const { row } = yield* ran().pipe(Effect.provide(world({ calls: sent, partner: () => "timed_out" })))
      assert.strictEqual(reportOf(row).verdict, "fail")
      assert.isBelow((yield* Ref.get(sent)).length, 12)
    })
  )

  it.effect("keeps what was graded when it is cancelled, and is inconclusive", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const before = (call: OcpiCall) =>
        call.operation === "list" && call.module === "tariffs"
          ? Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(gate))
          : Effect.void
      yield* Effect.gen(function* () {
        const runs = yield* SuiteRuns
        const { facts } = yield* runs.start(order)
        yield* Deferred.await(reached)
        yield* runs.cancel(party.ownerId, facts.runId)
        assert.strictEqual((yield* rowOf(facts.runId)).snapshot.view.status, "cancelling")
        yield* Deferred.succeed(gate, undefined)
        const report = reportOf(yield* over(facts.runId))
        assert.deepStrictEqual([report.status, report.verdict], ["cancelled", "inconclusive"])
        assert.isAbove(report.summary.passed, 10)
        assert.isAbove(report.summary.notTested, 10)
        assert.strictEqual(report.progress.done, report.progress.of)
        const graded = outcomes(yield* eventsOf(facts.runId))
        // Its stage did not come, and the partner's call had: what was observed is judged all the same.
        assert.strictEqual(graded["TRANS-007"], "passed")
        const refused = yield* Effect.flip(runs.cancel(party.ownerId, facts.runId))
        assert.include(refused.message, "is over: cancelled")
      }).pipe(Effect.provide(world({ before })))
    })
  )

  it.effect("takes up a run that another process gave back, without grading a module twice", () =>
    Effect.gen(function* () {
      const store = memoryStore()
      const reached = yield* Deferred.make<void>()
      const before = (call: OcpiCall) =>
        call.module === "tariffs"
          ? Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
          : Effect.void
      const first = yield* Effect.gen(function* () {
        const { facts } = yield* (yield* SuiteRuns).start(order)
        yield* Deferred.await(reached)
        return facts.runId
      }).pipe(Effect.provide(world({ before, store, owner: "one" })))
      yield* Effect.gen(function* () {
        const report = reportOf(yield* over(first))
        const events = yield* eventsOf(first)
        assert.deepStrictEqual([report.status, report.verdict], ["completed", "pass"])
        assert.lengthOf(
          events.filter(({ type }) => type === "run.resumed"),
          1
        )
        assert.lengthOf(
          events.filter(({ stageId, type }) => type === "stage.started" && stageId === "versions"),
          1
        )
        assert.strictEqual(report.progress.done, report.progress.of)
      }).pipe(Effect.provide(world({ store, owner: "two" })))
    })
  )

  it.effect("goes on by itself with a run whose process was lost, and says that it was", () =>
    Effect.gen(function* () {
      const store = memoryStore()
      const reached = yield* Deferred.make<void>()
      const before = (call: OcpiCall) =>
        call.module === "tariffs"
          ? Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
          : Effect.void
      const runId = yield* Effect.gen(function* () {
        const { facts } = yield* (yield* SuiteRuns).start(order)
        yield* Deferred.await(reached)
        return facts.runId
      }).pipe(Effect.provide(world({ before, store, owner: "one" })))
      // As a killed process leaves it: its name on the run, and it is alive no more.
      for (const run of store.placement.runs.values())
        Object.assign(run, { by: "one", until: Number.POSITIVE_INFINITY })
      yield* Effect.gen(function* () {
        const report = reportOf(yield* over(runId))
        const types = (yield* eventsOf(runId)).map(({ type }) => type)
        assert.deepStrictEqual([report.status, report.verdict], ["completed", "pass"])
        assert.strictEqual(types[types.indexOf("run.interrupted") + 1], "run.resumed")
      }).pipe(Effect.provide(world({ store, owner: "two" })))
    })
  )

  it.effect("says in the report which announced modules no suite judges", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const more = { identifier: "x-fleet", role: "SENDER" as const, url: `${root}/2.2.1/x-fleet` }
      yield* store.update(party.id, (now) => ({
        ...now,
        counterpart: { ...now.counterpart, endpoints: [...now.counterpart.endpoints, more] }
      }))
      const { facts } = yield* (yield* SuiteRuns).start(order)
      const { notJudged } = reportOf(yield* over(facts.runId))
      assert.deepStrictEqual(notJudged, [
        { module: "x-fleet", name: "x-fleet (no module of OCPI 2.2.1)", announced: true }
      ])
    }).pipe(Effect.provide(world()))
  )

  it.effect("lists every rule of a suite before it is run", () =>
    Effect.gen(function* () {
      const { suite } = yield* SuiteRuns
      const [core, full] = ["core", "full"].map((part) => Option.getOrThrow(suite(`ocpi-2.2.1-cpo-${part}`)))
      assert.strictEqual(full?.checkCount, full?.checks.length)
      assert.includeMembers([...(full?.modules ?? [])], ["versions", "credentials", "transport", "tokens"])
      assert.isTrue(full?.mutating)
      assert.isFalse(core?.mutating)
      assert.deepStrictEqual([...new Set(core?.checks.map(({ mode }) => mode))], ["RO"])
    }).pipe(Effect.provide(world()))
  )

  it("names each suite and each check of a suite once", () => {
    const ids = suites.map(({ detail }) => detail.id)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { checks } of suites)
      assert.strictEqual(new Set(checks.map(({ id }) => id)).size, checks.length)
  })
})
