/** At which EVSE a run charges, beside other runs of the connection. */
import { assert, describe, it } from "@effect/vitest"
import { chosenPlace } from "../../../src/journeys/stages/charge/place.ts"
import { historyOf } from "../support/history.ts"

const evse = (uid: string, status = "AVAILABLE") => ({
  uid,
  status,
  capabilities: uid === "plain" ? [] : ["REMOTE_START_STOP_CAPABLE"],
  connectors: [{ id: "1" }]
})

/** What a run chooses of two locations with these EVSEs. */
const chosen = (
  lane: number | undefined,
  first: ReadonlyArray<object>,
  second: ReadonlyArray<object> = []
) => {
  const body = JSON.stringify({
    data: [
      { id: "L1", evses: first },
      { id: "L2", evses: second }
    ],
    status_code: 1000
  })
  const exchange = {
    id: "exc_1",
    module: "locations",
    request: { method: "GET", url: "https://partner.example/locations", body: null },
    response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body, truncated: false }
  }
  const read = { stageId: "read-locations", exchange }
  const place = chosenPlace(
    historyOf(
      [
        { type: "exchange.intended", ...read },
        { type: "exchange.completed", ...read }
      ],
      { lane }
    ),
    ["REMOTE_START_STOP_CAPABLE"]
  )
  return "none" in place ? place.none : `${place.locationId} ${place.evseUid}`
}

describe("the EVSE of a run of an earlier release", () => {
  it("is another one for each run that is open at once", () => {
    const places = [undefined, 1, 2, 3].map((lane) =>
      chosen(lane, [evse("A"), evse("plain"), evse("B")], [evse("C")])
    )
    assert.deepStrictEqual(places, ["L1 A", "L1 B", "L2 C", "L1 A"])
  })

  it("stays its own when those of others are in use by then", () => {
    assert.strictEqual(chosen(1, [evse("A", "CHARGING"), evse("B"), evse("C")]), "L1 B")
    assert.strictEqual(chosen(2, [evse("A", "CHARGING"), evse("B", "CHARGING"), evse("C")]), "L1 C")
  })

  it("is the next free one where its own is not free", () => {
    assert.strictEqual(chosen(1, [evse("A"), evse("B", "CHARGING"), evse("C")]), "L1 C")
    assert.strictEqual(chosen(2, [evse("A"), evse("B"), evse("C", "INOPERATIVE")]), "L1 A")
    assert.match(chosen(1, [evse("A", "CHARGING"), evse("plain")]), /AVAILABLE/)
  })
})
