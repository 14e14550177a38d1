import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { ScenarioFault } from "../../schema/Scenario.ts"
import { wasTaken } from "../../src/findings/calledPath.ts"
import {
  faultsAt,
  inputMisfits,
  misfits,
  overridden,
  type PlannedScenario
} from "../../src/journeys/catalogue/overrides.ts"
import { purposeOf } from "../../src/journeys/model/RunHistory.ts"
import { firstReads } from "../../src/journeys/templates/asEmsp/firstReads.ts"
import { remoteStart } from "../../src/journeys/templates/asEmsp/remoteStart.ts"
import { isAnswerFault, withFault } from "../../src/party/inbound/faultInjection.ts"
import { exchangeOf } from "../support/http/servedApi.ts"
import { isTerminal, makeBench, order, outcomesOf, until } from "./support/JourneyBench.ts"

const scenario = (over: Partial<PlannedScenario>): PlannedScenario => ({
  id: "scn_1",
  name: "test",
  version: 1,
  ...over
})

const honest = {
  httpStatus: 200,
  headers: {},
  body: JSON.stringify({ data: { a: 1 }, status_code: 1000, timestamp: "2026-11-21T10:00:00Z" })
}
const playing = (fault: ScenarioFault) => ({ ...fault, runId: "run_1" as never, left: 1, until: "" })

describe("the inputs of a journey", () => {
  it("are told that no such one exists, with the one that was meant", () => {
    assert.deepStrictEqual(inputMisfits(remoteStart, { evseUId: "E1", waitSeconds: 10 }), [
      {
        path: ["inputs", "evseUId"],
        message: 'remote-start has no input "evseUId"; did you mean evseUid?'
      }
    ])
    assert.deepStrictEqual(inputMisfits(firstReads, { waitSeconds: 10 }), [
      { path: ["inputs", "waitSeconds"], message: 'first-reads has no input "waitSeconds"' }
    ])
  })

  it("of a run of an earlier release may have one that is no more", () => {
    assert.deepStrictEqual(inputMisfits(remoteStart, { evseUId: "E1" }, { isPlanned: true }), [])
  })
})

describe("a scenario's overrides", () => {
  it("change time limits and strengths, and leave out what is off", () => {
    const template = overridden(remoteStart, {
      limits: { "session-active": 7, "start-session": 9 },
      assertions: { "push-token.accepted": "may", "start-session.accepted": "off" }
    })
    const stage = (id: string) => template.stages.find((one) => one.id === id)!
    assert.strictEqual(stage("session-active").timeoutSeconds, 7)
    const { act } = stage("session-active")
    assert.strictEqual(act.act === "await" && act.seconds?.({} as never), 7)
    const rules = template.stages.flatMap(({ expect }) => expect)
    assert.isUndefined(rules.find(({ id }) => id === "start-session.accepted"))
    assert.strictEqual(rules.find(({ id }) => id === "push-token.accepted")?.strength, "may")
  })

  it("are named when they do not fit the template", () => {
    const wrong = misfits(remoteStart, {
      limits: { nowhere: 1 },
      assertions: { "no.rule": "off" },
      faults: [
        { fault: "duplicate-push", stageId: "read-locations" },
        { fault: "server-error", seconds: 3 },
        { fault: "late-answer", seconds: 3, module: "commands" }
      ]
    })
    assert.deepStrictEqual(
      wrong.map(({ path }) => path.join(".")),
      ["limits.nowhere", "assertions.no.rule", "faults.0.stageId", "faults.1.seconds"]
    )
  })

  it("send twice by default only what may be sent twice", () => {
    const twice = (fault: ScenarioFault) =>
      remoteStart.stages.filter((stage) => faultsAt(stage, [fault]).length > 0).map(({ id }) => id)
    assert.deepStrictEqual(twice({ fault: "duplicate-push" }), ["push-token"])
    assert.deepStrictEqual(twice({ fault: "duplicate-push", stageId: "start-session" }), ["start-session"])
  })

  it.effect("go with the run: what is off is not asked", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ startAnswer: "REJECTED" })
      const process = yield* bench.boot()
      const { facts } = yield* process.journeys.start({
        ...order("remote-start"),
        scenario: scenario({ assertions: { "start-session.accepted": "off" } })
      })
      yield* until(bench, facts.runId, isTerminal)
      assert.notProperty(outcomesOf(bench.eventsOf(facts.runId)), "start-session.accepted")
    })
  )

  it.effect("send a push twice, and grade the first", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({})
      const process = yield* bench.boot()
      const { facts } = yield* process.journeys.start({
        ...order("remote-start"),
        scenario: scenario({ faults: [{ fault: "duplicate-push", stageId: "push-token" }] })
      })
      assert.strictEqual(yield* until(bench, facts.runId, isTerminal), "completed")
      assert.lengthOf(
        bench.partner.hits.filter(({ operation }) => operation === "PUT token"),
        2
      )
      const again = bench
        .eventsOf(facts.runId)
        .filter((event) => event.type === "exchange.intended" && purposeOf(event) === "fault")
      assert.lengthOf(again, 1)
    })
  )

  it.effect("are played by our side while the run is open, and not after", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({})
      const process = yield* bench.boot()
      const { facts } = yield* process.journeys.start({
        ...order("remote-start"),
        scenario: scenario({ faults: [{ fault: "server-error", module: "commands", times: 2 }] })
      })
      const playingNow = Effect.map(bench.store.find(order("").partyId), (party) =>
        party._tag === "Some" ? (party.value.playing ?? []) : []
      )
      assert.deepStrictEqual(
        (yield* playingNow).map(({ fault, left, runId }) => [fault, left, runId === facts.runId]),
        [["server-error", 2, true]]
      )
      yield* until(bench, facts.runId, isTerminal)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* playingNow, [])
    })
  )
})

describe("an answer that a scenario bends", () => {
  const asked = { request: { url: "https://us.example/ocpi/2.2.1/tokens" }, version: "2.2.1" } as const
  it("is late, an error or has another status, and says so in the record", () => {
    assert.strictEqual(
      withFault(playing({ fault: "late-answer", seconds: 4 }), honest, asked).delayMillis,
      4000
    )
    assert.strictEqual(withFault(playing({ fault: "server-error" }), honest, asked).httpStatus, 500)
    const wrong = withFault(playing({ fault: "wrong-status", statusCode: 2001 }), honest, asked)
    assert.strictEqual(wrong.httpStatus, 200)
    assert.strictEqual(JSON.parse(wrong.body ?? "").status_code, 2001)
    assert.isFalse(isAnswerFault("duplicate-push"))
  })

  it("counts as taken: the partner is not to blame for it", () => {
    const answered = exchangeOf({
      direction: "inbound",
      response: { httpStatus: 500, ocpiStatusCode: 3000, headers: {}, body: null, truncated: false }
    })
    assert.isFalse(wasTaken(answered))
    assert.isTrue(
      wasTaken({
        ...answered,
        ourFault: { fault: "server-error", instead: { httpStatus: 200, ocpiStatusCode: 1000 } }
      })
    )
  })
})
