/** Which status of the run's EVSE the partner has pushed. */
import { assert, describe, it } from "@effect/vitest"
import { evseStatusesOf } from "../../../src/journeys/stages/charge/evseStatus.ts"
import { historyOf } from "../support/history.ts"

const started = {
  type: "exchange.intended",
  stageId: "start-session",
  exchange: {
    id: "exc_start",
    module: "commands",
    request: { method: "POST", body: JSON.stringify({ location_id: "L1", evse_uid: "E1" }), truncated: false }
  }
}
const pushed = (method: string, httpStatus: number, ocpiStatusCode: number, status: string) => ({
  type: "inbound.received",
  exchange: {
    id: `exc_${status}`,
    module: "locations",
    request: {
      method,
      url: "https://us.example/ocpi/2.2.1/locations/NL/TNM/L1/E1",
      body: JSON.stringify({ status, last_updated: "2026-06-01T12:00:00Z" }),
      truncated: false
    },
    response: { httpStatus, ocpiStatusCode, headers: {}, body: "{}", truncated: false }
  }
})
const statuses = (...lines: ReadonlyArray<object>) => evseStatusesOf(historyOf(lines))

describe("a status of the run's EVSE", () => {
  it("is pushed by what we answer 404, because we have only read its location", () => {
    const sent = [pushed("PATCH", 404, 2003, "CHARGING"), pushed("PUT", 200, 1000, "AVAILABLE")]
    assert.deepStrictEqual(statuses(started, ...sent), ["CHARGING", "AVAILABLE"])
    assert.deepStrictEqual(statuses(started, pushed("PUT", 404, 2003, "CHARGING")), ["CHARGING"])
  })

  it("is pushed by a PUT of the EVSE, which may be all that the partner ever sends of a location", () => {
    const sent = [pushed("PUT", 404, 2003, "CHARGING"), pushed("PUT", 404, 2003, "AVAILABLE")]
    assert.deepStrictEqual(statuses(started, ...sent), ["CHARGING", "AVAILABLE"])
  })

  it("is not pushed by what we refuse for another reason", () => {
    assert.deepStrictEqual(statuses(started, pushed("PATCH", 400, 2001, "CHARGING")), [])
    assert.deepStrictEqual(statuses(started, pushed("PUT", 404, 2000, "CHARGING")), [])
  })
})
