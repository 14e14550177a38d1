/** The location in a session or CDR of 2.1.1, where the partner has the state of its EVSE from later pushes of ours. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { isAsSent } from "../../../src/journeys/stages/asCpo/ownObjectRules.ts"
import { historyOf } from "../support/history.ts"

const [before, after] = ["2026-01-01T10:00:00Z", "2026-01-01T12:00:00Z"]

const object = (at: string, status: string, change: object = {}) => ({
  id: "S1",
  kwh: 1.5,
  location: {
    id: "L1",
    evses: [
      {
        uid: "E1",
        status,
        connectors: [{ id: "1", standard: "IEC_62196_T2", last_updated: at }],
        last_updated: at,
        ...change
      }
    ],
    last_updated: at
  },
  status: "COMPLETED",
  last_updated: before
})

const judged = (module: "sessions" | "cdrs", kept: object) => {
  const exchange = {
    id: "exc_read",
    module,
    request: { method: "GET", url: "https://emsp.example/x", headers: {} },
    response: {
      httpStatus: 200,
      headers: {},
      truncated: false,
      body: JSON.stringify({ data: kept, status_code: 1000, timestamp: after })
    }
  }
  const line = { stageId: "read", data: { attempt: 1, purpose: "stage" }, exchange }
  const lines = ["exchange.intended", "exchange.completed"].map((type) => ({ ...line, type }))
  return isAsSent("read", () => object(before, "AVAILABLE"))(
    historyOf(lines, { profile: profileOf("2.1.1") })
  )
}

describe.each(["sessions", "cdrs"] as const)("a copy of one of our %s", (module) => {
  it("may have its location as it is now", () => {
    assert.isUndefined(judged(module, object(after, "CHARGING")))
  })

  it("has the same EVSE and connector, and all that is of the charge itself", () => {
    const other = judged(module, object(after, "CHARGING", { uid: "E2" }))
    assert.deepInclude(other, { pointer: "/data/location/evses/0/uid" })
    const ended = judged(module, { ...object(after, "CHARGING"), status: "ACTIVE" })
    assert.deepInclude(ended, { pointer: "/data/status" })
    const stamped = judged(module, { ...object(after, "CHARGING"), last_updated: after })
    assert.deepInclude(stamped, { pointer: "/data/last_updated" })
  })
})
