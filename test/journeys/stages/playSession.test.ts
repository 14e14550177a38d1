/** What a played session says of its partner when our side has left something out. */
import { assert, describe, it } from "@effect/vitest"
import { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { playSession } from "../../../src/journeys/templates/asCpo/playSession.ts"

const createdAt = "2026-01-01T12:00:00.000Z"

/** One answered write of a stage. `httpStatus` null: the answer was lost, and the read said `verified`. */
const told = (stageId: string, step: number, httpStatus: number | null, verified?: string): LedgerEvent =>
  ({
    sequence: 1,
    type: "exchange.completed",
    occurredAt: createdAt,
    stageId,
    assertions: [],
    data: { attempt: 1, step, ...(verified === undefined ? {} : { verified }) },
    exchange: {
      id: `exc_${stageId}_${step}`,
      request: { method: "PATCH" },
      response: httpStatus === null ? null : { httpStatus }
    }
  }) as unknown as LedgerEvent // as much of an event as is looked at

const history = (events: ReadonlyArray<LedgerEvent>): RunHistory => ({
  runId: RunId.make("run_01890a5dac96774bbcceb302099a8057"),
  createdAt,
  inputs: {},
  profile: profileOf("2.2.1"),
  us: { countryCode: "DE", partyId: "PFT", name: "plugfest" },
  them: { countryCode: "NL", partyId: "TNM" },
  events
})

const stageOf = (id: string) => playSession.stages.find((stage) => stage.id === id)!

const judged = (events: ReadonlyArray<LedgerEvent>) =>
  stageOf("read-session").expect[0]!.judge(history(events))
const allTold = [told("update-session", 0, 200), told("update-session", 1, 200), told("end-session", 0, 200)]
const isUnobservable = (ruling: unknown) =>
  assert.hasAllKeys(ruling, ["unobservable"], JSON.stringify(ruling))

describe("a played session", () => {
  it("is compared with the partner's copy when all of it was told", () => {
    assert.deepStrictEqual(judged(allTold), { notTested: "Nothing was read back" })
  })

  it("is not held against a partner that was not told an update, because the stage was skipped", () => {
    isUnobservable(judged(allTold.slice(2)))
    isUnobservable(judged(allTold.slice(1)))
  })

  it("is not held against a partner that has not got its end", () => {
    isUnobservable(judged(allTold.slice(0, 2)))
    isUnobservable(judged([...allTold.slice(0, 2), told("end-session", 0, null, "absent")]))
  })

  it("counts an update whose answer was lost, when it was found at the partner", () => {
    const found = [...allTold.slice(0, 2), told("end-session", 0, null, "present")]
    assert.deepStrictEqual(judged(found), { notTested: "Nothing was read back" })
  })

  it("shows no status of an EVSE that the partner was never told of", () => {
    const { act } = stageOf("show-charging")
    assert.strictEqual(act.act, "exchange")
    if (act.act !== "exchange") return
    const without = act.call(history([]), "", createdAt)
    assert.strictEqual("goesOn" in without && without.goesOn, true)
    const sent = act.call(history([told("push-location", 0, 201)]), "", createdAt)
    assert.notProperty(sent, "unmet")
  })
})
