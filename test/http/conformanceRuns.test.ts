/** Ordering a conformance run: what of the suite is run, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Ref } from "effect"
import type { Assertion } from "../../schema/Assertion.ts"
import type { PartyId } from "../../schema/Ids.ts"
import { suiteById } from "../../src/conformance/catalogue/suites.ts"
import type { StartSuite, SuiteRuns } from "../../src/conformance/run/SuiteRuns.ts"
import { Ledger, type RunRow } from "../../src/ledger/Ledger.ts"
import { genesisOf, lineOf } from "../../src/ledger/run/ledgerLine.ts"
import { emptyView } from "../../src/ledger/run/runView.ts"
import { NotStopped } from "../../src/runs/stopRun.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import type { ConnectionStore } from "../../src/store/rows/ConnectionStore.ts"
import { ask, newerConnections, registered, servedApi } from "../support/http/servedApi.ts"
import { factsOf, write } from "../support/http/writtenRuns.ts"

const suiteId = "ocpi-2.2.1-cpo-core"
const facts = { ...factsOf("new"), kind: "conformance" as const, subjectId: suiteId }

const graded = (id: string, outcome: Assertion["outcome"]): Assertion => ({
  id,
  checkId: id,
  title: id,
  outcome,
  strength: "must",
  reference: "versions",
  module: "versions"
})

/** A finished run of alice's, in which VERS-002 and LOC-006 failed. */
const earlier = Effect.gen(function* () {
  const facts = { ...factsOf("old"), kind: "conformance" as const, subjectId: suiteId }
  const assertions = [graded("VERS-001", "passed"), graded("VERS-002", "failed"), graded("LOC-006", "failed")]
  const occurredAt = facts.createdAt
  const line = lineOf(
    { sequence: 1, type: "assertions.recorded", occurredAt, stageId: "versions", assertions },
    "event-1",
    genesisOf(facts.runId)
  )
  const machine = { value: "completed", tags: ["terminal"] }
  const view = { ...emptyView(facts), status: "completed" as const, lastSequence: 1, machine }
  yield* (yield* Ledger).create(facts, {
    lines: [line],
    headHash: line.hash,
    snapshot: { machine: {}, view }
  })
})

/** A registered connection, whose partner has named its party. */
const oneConnection: Effect.Effect<
  PartyId,
  never,
  Effect.Effect.Context<ReturnType<typeof registered>> | ConnectionStore | PartyStore
> = Effect.gen(function* () {
  const id = yield* Effect.orDie(registered())
  const parties = [{ role: "CPO" as const, countryCode: "DE", partyId: "CPO", name: "A CPO" }]
  yield* (yield* PartyStore).update(id, (party) => ({
    ...party,
    counterpart: { ...party.counterpart, parties }
  }))
  return id
})

const fresh: RunRow = {
  facts,
  snapshot: { machine: {}, view: emptyView(facts) },
  headHash: "",
  leaseEpoch: 1,
  leaseAlive: true,
  released: false,
  archived: false
}

/** The answer to an order on the connection that `prepared` makes, and what reached the suite runner. */
const ordered = (order: object, prepared: typeof oneConnection = oneConnection) =>
  Effect.gen(function* () {
    const started = yield* Ref.make<ReadonlyArray<StartSuite>>([])
    const suites: Partial<SuiteRuns["Type"]> = {
      suites: [],
      suite: (id) => Option.fromNullable(suiteById(id)?.detail),
      start: (order) => Effect.as(Ref.set(started, [order]), fresh)
    }
    return yield* Effect.gen(function* () {
      const connectionId = yield* prepared
      yield* earlier
      yield* write(facts, 1, 2)
      const answer = yield* ask("/api/v1/testing/runs", { body: { connectionId, suiteId, ...order } })
      return { answer, started: yield* Ref.get(started) }
    }).pipe(Effect.provide(servedApi({ suites })))
  })

describe("POST /testing/runs", () => {
  it.live("hands on the selection and the accepted deviations", () =>
    Effect.gen(function* () {
      const accept = [{ checkId: "LOC-006", reason: "known", owner: "Ada", expires: "2099-01-01" }]
      const { answer, started } = yield* ordered({
        checks: ["LOC-*"],
        clauses: ["mod_locations"],
        profile: "strict",
        accept
      })
      assert.strictEqual(answer.status, 202, answer.text)
      const selection = { checks: ["LOC-*"], clauses: ["mod_locations"] }
      assert.deepInclude(started[0], { suiteId, ...selection, selection, profile: "strict", accept })
    })
  )

  it.live("runs again what failed in an earlier run, by its report", () =>
    Effect.gen(function* () {
      const { started } = yield* ordered({ only: "failed-of:rep_old" })
      assert.deepStrictEqual(started[0]?.among, ["VERS-002", "LOC-006"])
    })
  )

  it.live("hands on the other connection to the same partner, however many newer ones there are", () =>
    Effect.gen(function* () {
      const two = Effect.gen(function* () {
        const id = yield* oneConnection
        other = yield* oneConnection
        yield* newerConnections(100)
        return id
      })
      let other: PartyId | undefined
      const { started } = yield* ordered({}, two)
      assert.isDefined(other)
      assert.strictEqual(started[0]?.secondId, other)
    })
  )

  it.live.each([
    [{ only: "failed-of:rep_none" }, 404],
    [{ only: "failed-of:rep_new" }, 422],
    [{ only: "failed-of:rep_old", modules: ["paging"] }, 422],
    [{ suiteId: "ocpi-2.2.1-cpo-registration" }, 422],
    [{ checks: ["NOPE-*"] }, 422],
    [{ accept: [{ checkId: "NOPE-1", reason: "x", owner: "y", expires: "2099-01-01" }] }, 422],
    [{ accept: [{ checkId: "LOC-006", reason: "x", owner: "y", expires: "never" }] }, 400],
    [{ only: "all" }, 400]
  ] as const)("refuses %j with %i", ([order, status]) =>
    Effect.gen(function* () {
      const { answer, started } = yield* ordered(order)
      assert.strictEqual(answer.status, status, answer.text)
      assert.isNotEmpty(answer.json.message ?? answer.json.error)
      assert.isEmpty(started)
    })
  )
})

describe("POST /testing/runs/:id/cancel", () => {
  it.live.each([
    [200, Effect.succeed(fresh)],
    [409, new NotStopped({ message: "Run run_1 is held by another process" })]
  ] as const)("answers %i, as the host of the run's kind says", ([status, cancelled]) =>
    Effect.gen(function* () {
      yield* registered()
      yield* write(facts, 1, 2)
      const answer = yield* ask(`/api/v1/testing/runs/${facts.reportId}/cancel`, { method: "POST" })
      assert.strictEqual(answer.status, status, answer.text)
    }).pipe(Effect.provide(servedApi({ suites: { cancel: () => cancelled } })))
  )
})
