import { assert, describe, it } from "@effect/vitest"
import { CommandId, ConnectionId, OwnerId } from "../../schema/Ids.ts"
import { standingOf, stateAfter, stateNow } from "../../src/services/commandAnswer.ts"
import type { CommandRow } from "../../src/store/CommandStore.ts"
import { exchangeOf } from "../http/servedApi.ts"

const answer = (body: string) =>
  exchangeOf({ response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body, truncated: false } })
const at = (second: number) => `2026-11-21T10:00:${String(second).padStart(2, "0")}.000Z`
const received = (second: number, result: string) => ({
  receivedAt: at(second),
  body: { result },
  exchange: exchangeOf()
})
const row: CommandRow = {
  commandId: CommandId.make("cmd_1"),
  ownerId: OwnerId.make("own_1"),
  connectionId: ConnectionId.make("conn_1"),
  command: "START_SESSION",
  state: "accepted",
  exchange: null,
  deadline: at(30),
  createdAt: at(0)
}
const now = (second: number) => Date.parse(at(second))

describe("the state of a command", () => {
  it("is accepted for as long as the partner says", () => {
    const after = stateAfter(answer('{"status_code":1000,"data":{"result":"ACCEPTED","timeout":12}}'))
    assert.deepStrictEqual(after, { state: "accepted", resultSeconds: 12 })
  })
  it("is rejected when the partner says anything else", () => {
    assert.strictEqual(
      stateAfter(answer('{"status_code":1000,"data":{"result":"NOT_SUPPORTED"}}')).state,
      "rejected"
    )
  })
  it("is unknown when the answer was lost after sending, and rejected when nothing was sent", () => {
    assert.strictEqual(stateAfter(exchangeOf({ response: null, outcome: "reset" })).state, "unknown")
    assert.strictEqual(stateAfter(exchangeOf({ response: null, outcome: "refused" })).state, "rejected")
  })
  it("is decided by the first result in time", () => {
    const results = standingOf([received(5, "ACCEPTED"), received(6, "FAILED")], row.deadline)
    assert.deepStrictEqual(
      results.map(({ standing }) => standing),
      ["first", "duplicate"]
    )
    assert.strictEqual(stateNow(row, results, now(7), 60_000), "confirmed")
  })
  it("stays expired when the result comes too late", () => {
    const results = standingOf([received(31, "ACCEPTED")], row.deadline)
    assert.strictEqual(results[0]!.standing, "late")
    assert.strictEqual(stateNow(row, results, now(40), 60_000), "expired")
  })
  it("is unknown for a command whose process died on the way", () => {
    assert.strictEqual(stateNow({ ...row, state: "sent" }, [], now(59), 30_000), "unknown")
  })
})
