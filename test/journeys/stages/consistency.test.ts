/** When a session began and its CDR says that it began, with a reservation before it. */
import { assert, describe, it } from "@effect/vitest"
import { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { tokenUidOf } from "../../../src/journeys/stages/charge/driver.ts"
import { reserveAndUse } from "../../../src/journeys/templates/asEmsp/reservations.ts"

const [reserved, began, ended] = ["12:00:00Z", "12:10:00Z", "12:40:00Z"].map((time) => `2026-01-01T${time}`)

const memoryOf = (events: (uid: string) => ReadonlyArray<object>): RunHistory => {
  const history = {
    runId: RunId.make("run_01890a5dac96774bbcceb302099a8057"),
    createdAt: "2026-01-01T11:59:00.000Z",
    inputs: {},
    profile: profileOf("2.2.1"),
    us: { countryCode: "DE", partyId: "PFT", name: "plugfest" },
    them: undefined,
    events: []
  }
  const lines = events(tokenUidOf(history)).map((event, index) => ({
    sequence: index + 1,
    occurredAt: began,
    assertions: [],
    ...event
  }))
  return { ...history, events: lines as unknown as ReadonlyArray<LedgerEvent> } // as much as is looked at
}

const called = (method: string, module: string, body: object) => ({
  type: "inbound.received",
  exchange: {
    module,
    request: { method, url: `https://us.test/${module}/S1`, body: JSON.stringify(body), truncated: false },
    response: { ocpiStatusCode: 1000 }
  }
})
const reserveSent = { type: "exchange.intended", stageId: "reserve", exchange: { id: "exc_1" } }

const judged = (
  between: ReadonlyArray<object>,
  session: object = { start_date_time: began, end_date_time: ended }
) => {
  const history = memoryOf((uid) => {
    const both = { cdr_token: { uid } }
    return [
      reserveSent,
      ...between,
      called("PUT", "sessions", { ...both, ...session, id: "S1", status: "COMPLETED" }),
      called("POST", "cdrs", {
        ...both,
        id: "C1",
        session_id: "S1",
        start_date_time: reserved,
        end_date_time: ended
      })
    ]
  })
  const rules = reserveAndUse.stages.flatMap(({ expect }) => expect)
  return rules.find(({ id }) => id === "consistency.times")!.judge(history)
}

describe("a CDR that is billed from a reservation", () => {
  it("differs from a session that was never a reservation", () => {
    assert.hasAnyKeys(judged([]), ["message"])
  })

  it("is not held against the partner when we were away while it was reserved", () => {
    assert.hasAllKeys(judged([{ type: "run.interrupted" }]), ["unobservable"])
  })
})

describe("a CDR that comes after the session was completed", () => {
  const session = { id: "exc_session", second: 2 }
  const cdr = { id: "exc_cdr", second: 3 }
  const rule = reserveAndUse.stages
    .flatMap(({ expect }) => expect)
    .find(({ id }) => id === "consistency.cdr-last")!
  const told = (...order: ReadonlyArray<typeof session>) =>
    rule.judge(
      memoryOf((uid) =>
        order.map(({ id, second }) => {
          const both = { cdr_token: { uid }, start_date_time: began, end_date_time: ended }
          const call =
            id === cdr.id
              ? called("POST", "cdrs", { ...both, id: "C1", session_id: "S1" })
              : called("PUT", "sessions", { ...both, id: "S1", status: "COMPLETED" })
          const startedAt = `2026-01-01T12:40:0${second}.000Z`
          return { ...call, exchange: { ...call.exchange, id, startedAt } }
        })
      )
    )

  it("is in order", () => {
    assert.isUndefined(told(session, cdr))
  })

  it("is in order when a process whose clock is behind served it", () => {
    assert.isUndefined(told(session, { ...cdr, second: 1 }))
  })

  it("is not in order when it came first", () => {
    assert.hasAnyKeys(told({ ...cdr, second: 1 }, session), ["message"])
  })
})

describe("a session without its end", () => {
  it("is no flaw of the CDR, which has one", () => {
    for (const none of [{}, { end_date_time: null }])
      assert.property(judged([], { start_date_time: reserved, ...none }), "notTested")
  })
})
