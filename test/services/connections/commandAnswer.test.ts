import { assert, describe, it } from "@effect/vitest"
import { CommandId, ConnectionId, OwnerId } from "../../../schema/Ids.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { notesOn, standingOf, stateAfter, stateNow } from "../../../src/services/connections/commandAnswer.ts"
import type { CommandRow } from "../../../src/store/rows/CommandStore.ts"
import { exchangeOf } from "../../support/http/servedApi.ts"

const answer = (body: string) =>
  exchangeOf({ response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body, truncated: false } })
const at = (second: number) => `2026-11-21T10:00:${String(second).padStart(2, "0")}.000Z`
const received = (second: number, result: string, body: unknown = { result }) => ({
  receivedAt: at(second),
  body,
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
const since = profileOf("2.2.1")
const now = (second: number) => Date.parse(at(second))

describe("the state of a command", () => {
  it("is accepted for as long as the partner says", () => {
    const after = stateAfter(answer('{"status_code":1000,"data":{"result":"ACCEPTED","timeout":12}}'), since)
    assert.deepStrictEqual(after, { state: "accepted", resultSeconds: 12, notes: [] })
  })
  it("is rejected when the partner says anything else", () => {
    assert.strictEqual(
      stateAfter(answer('{"status_code":1000,"data":{"result":"NOT_SUPPORTED","timeout":3}}'), since).state,
      "rejected"
    )
  })
  it("is unknown when the answer was lost after sending, and rejected when nothing was sent", () => {
    assert.strictEqual(stateAfter(exchangeOf({ response: null, outcome: "reset" }), since).state, "unknown")
    assert.strictEqual(
      stateAfter(exchangeOf({ response: null, outcome: "refused" }), since).state,
      "rejected"
    )
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

describe("an answer that does not say what became of the command", () => {
  const answered = (httpStatus: number, body: string | null, ocpiStatusCode: number | null = null) =>
    exchangeOf({ response: { httpStatus, ocpiStatusCode, headers: {}, body, truncated: false } })
  it.each([
    [200, "", null],
    [204, null, null],
    [200, "null", null],
    [200, "[1]", null],
    [200, '{"status_code":1000}', 1000],
    [200, '{"status_code":1000,"data":{"timeout":30}}', 1000],
    [500, "", null],
    [502, "<html>bad gateway</html>", null]
  ])("leaves it unknown, awaits the result and says why: HTTP %i %s", (httpStatus, body, code) => {
    const after = stateAfter(answered(httpStatus, body, code), since)
    assert.strictEqual(after.state, "unknown")
    assert.strictEqual(after.resultSeconds, 30)
    assert.match(after.notes[0]!, /^the answer has no result: .*not known/)
  })
  it.each([
    [307, "", null],
    [401, '{"status_code":2001}', 2001],
    [404, "<html>not found</html>", null],
    [200, '{"status_code":2003}', 2003],
    [500, '{"status_code":3000}', 3000],
    [200, '{"status_code":1000,"data":{"result":"REJECTED","timeout":30}}', 1000]
  ])("is told from a refusal: HTTP %i %s", (httpStatus, body, code) => {
    const after = stateAfter(answered(httpStatus, body, code), since)
    assert.strictEqual(after.state, "rejected")
    assert.isNull(after.resultSeconds)
  })
  it("names a body that was cut, where the result may have been", () => {
    const cut = exchangeOf({
      response: { httpStatus: 200, ocpiStatusCode: null, headers: {}, body: '{"data":', truncated: true }
    })
    assert.match(stateAfter(cut, since).notes[0]!, /larger than what is kept/)
  })
  it("does not hinder the result that comes later", () => {
    const unknown = { ...row, state: "unknown" as const }
    const results = standingOf([received(5, "ACCEPTED")], row.deadline)
    assert.strictEqual(stateNow(unknown, results, now(7), 60_000), "confirmed")
  })
})

describe("the answer to a command", () => {
  const first = profileOf("2.1.1")
  it("has no timeout in 2.1.1, where a result may take a minute", () => {
    const after = stateAfter(answer('{"status_code":1000,"data":{"result":"ACCEPTED"}}'), first)
    assert.deepStrictEqual(after, { state: "accepted", resultSeconds: 60, notes: [] })
  })
  it("must have one from 2.2 on", () => {
    const after = stateAfter(answer('{"status_code":1000,"data":{"result":"ACCEPTED"}}'), since)
    assert.strictEqual(after.resultSeconds, 30)
    assert.match(after.notes.join(), /timeout.*is missing/)
  })
  it.each(['{"status_code":1000,"data":"ACCEPTED"}', '"ACCEPTED"'])(
    "may be the bare word, with a note: %s",
    (body) => {
      const after = stateAfter(answer(body), first)
      assert.strictEqual(after.state, "accepted")
      assert.match(after.notes.join(), /bare text "ACCEPTED"/)
    }
  )
  it("with a word that the version has not is noted", () => {
    const body = '{"status_code":1000,"data":{"result":"TIMEOUT","timeout":1}}'
    assert.isEmpty(stateAfter(answer('{"status_code":1000,"data":{"result":"TIMEOUT"}}'), first).notes)
    assert.match(stateAfter(answer(body), since).notes.join(), /TIMEOUT/)
  })
})

describe("the result of a command", () => {
  const only = (body: unknown) => standingOf([received(5, "", body)], row.deadline)
  it.each([
    ["bare", "ACCEPTED", /bare text/],
    ["wrapped", { status_code: 1000, data: { result: "ACCEPTED" } }, /wrapped in the response envelope/],
    ["both", { status_code: 1000, data: "ACCEPTED" }, /wrapped.*bare text/]
  ])("counts though it comes %s, and is noted", (_, body, note) => {
    for (const version of versionNumbers) {
      const results = only(body)
      assert.strictEqual(stateNow(row, results, now(7), 60_000), "confirmed")
      assert.match(notesOn(results[0]!, profileOf(version)).join("; "), note)
    }
  })
  it("is judged by the version's own words", () => {
    const occupied = only({ result: "EVSE_OCCUPIED" })[0]!
    assert.isNotEmpty(notesOn(occupied, profileOf("2.1.1")))
    for (const version of ["2.2", "2.2.1", "2.3.0"] as const)
      assert.isEmpty(notesOn(occupied, profileOf(version)))
  })
  it("that takes a reservation back is no second result by mistake", () => {
    const [, canceled] = standingOf(
      [received(5, "ACCEPTED"), received(9, "CANCELED_RESERVATION")],
      row.deadline
    )
    const [, again] = standingOf([received(5, "ACCEPTED"), received(9, "ACCEPTED")], row.deadline)
    assert.isEmpty(notesOn(canceled!, since))
    assert.deepStrictEqual(notesOn(again!, since), ["there was a result before"])
  })
})
