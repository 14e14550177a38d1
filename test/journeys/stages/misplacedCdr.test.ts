/** A CDR that the partner posts below our endpoint: it does not arrive, and nothing more is waited for. */
import { assert, describe, it } from "@effect/vitest"
import { cdrPushed } from "../../../src/journeys/stages/asEmsp/billing.ts"
import { historyOf } from "../support/history.ts"

const token = { country_code: "DE", party_id: "PFT", uid: "U1", type: "RFID", contract_id: "DE-PFT-C1" }

const call = (method: string, path: string, body: object, httpStatus: number) => ({
  type: "inbound.received",
  stageId: null,
  exchange: {
    id: `exc_${path}`,
    direction: "inbound",
    module: path.split("/")[0],
    operation: `${method} object`,
    startedAt: "2026-01-01T12:00:00Z",
    durationMs: 1,
    outcome: "completed",
    request: {
      method,
      url: `https://plugfest.example/ocpi/2.2.1/${path}`,
      headers: {},
      body: JSON.stringify(body),
      truncated: false
    },
    response: {
      httpStatus,
      ocpiStatusCode: httpStatus < 300 ? 1000 : 2000,
      headers: {},
      body: JSON.stringify({ status_code: httpStatus < 300 ? 1000 : 2000 }),
      truncated: false
    }
  }
})

const story = (path: string, httpStatus: number) =>
  historyOf(
    [
      call("PUT", "sessions/NL/EMS/S1", { id: "S1", status: "ACTIVE", cdr_token: token }, 200),
      call("POST", path, { id: "C1", session_id: "S1", cdr_token: token }, httpStatus)
    ],
    { inputs: { cardUid: "U1" } as never }
  )

const received = (path: string, httpStatus: number) =>
  cdrPushed.expect.find(({ id }) => id === "cdr.received")?.judge(story(path, httpStatus))

describe("a CDR that is posted below the endpoint", () => {
  it("ends the wait, and is named", () => {
    const { act } = cdrPushed
    assert.isTrue(act.act === "await" && act.look(story("cdrs/NL/EMS/C1", 405)).found)
    assert.include(received("cdrs/NL/EMS/C1", 405), { actual: "POST cdrs/NL/EMS/C1" })
  })

  it("is none where it came to the endpoint", () => {
    assert.isUndefined(received("cdrs", 200))
  })
})
