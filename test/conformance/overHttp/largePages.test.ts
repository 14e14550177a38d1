/** Pages that are larger than what is read of one answer: the run asks for smaller ones, and nobody is blamed for their size. */
import { assert, describe, it } from "vitest"
import { alarms, gradedOverHttp } from "../support/overHttp.ts"
import { plainLocation } from "../support/plainPartner.ts"

const lists = [
  "LOC-001",
  "LOC-002",
  "PAGE-004",
  "PAGE-008",
  "PAGE-014",
  "TRANS-011",
  "TRANS-012",
  "TRANS-013",
  "TRANS-034"
]

/** A location with so many EVSEs, each of some 450 bytes. */
const withEvses = (id: string, evses: number) => {
  const location = plainLocation(id)
  const evse = {
    uid: "",
    status: "AVAILABLE",
    capabilities: ["REMOTE_START_STOP_CAPABLE", "RFID_READER"],
    connectors: [
      {
        id: "1",
        standard: "IEC_62196_T2",
        format: "SOCKET",
        power_type: "AC_3_PHASE",
        max_voltage: 230,
        max_amperage: 32,
        last_updated: location.last_updated
      }
    ],
    last_updated: location.last_updated
  }
  return { ...location, evses: Array.from({ length: evses }, (_, at) => ({ ...evse, uid: `${id}-${at}` })) }
}

describe("a list whose first page is larger than what is read of an answer", { timeout: 180_000 }, () => {
  it("is read in smaller pages", async () => {
    const { assertions, asked, of } = await gradedOverHttp(lists, {
      locations: () => Array.from({ length: 21 }, (_, at) => withEvses(`L${at}`, 200))
    })
    assert.deepStrictEqual(alarms(assertions), [])
    assert.strictEqual(of("LOC-001")?.outcome, "passed")
    assert.strictEqual(of("LOC-002")?.actual, "21 locations looked at")
    assert.strictEqual(of("PAGE-008")?.outcome, "passed")
    // The one that sets a limit of its own is not read, and takes nothing from the rules about every answer.
    for (const id of ["TRANS-011", "TRANS-012", "TRANS-013", "TRANS-034"])
      assert.strictEqual(of(id)?.outcome, "passed", id)
    const limits = asked.flatMap(({ url }) =>
      url.pathname.endsWith("/locations") ? [url.searchParams.get("limit")] : []
    )
    assert.include(limits, "10")
  })

  it("is read object by object where ten are too many", async () => {
    const { assertions, of } = await gradedOverHttp(lists, {
      locations: () => Array.from({ length: 12 }, (_, at) => withEvses(`L${at}`, 1200))
    })
    assert.deepStrictEqual(alarms(assertions), [])
    assert.strictEqual(of("LOC-002")?.actual, "12 locations looked at")
  })

  it("is nobody's fault where one object alone is larger", async () => {
    const { assertions, of } = await gradedOverHttp(lists, { locations: () => [withEvses("L", 6000)] })
    assert.deepStrictEqual(alarms(assertions), [])
    for (const id of ["LOC-001", "LOC-002"]) {
      assert.match(of(id)?.reason ?? "", /larger than 1024 KiB/, id)
      assert.strictEqual(of(id)?.attribution, "ours", id)
    }
  })
})
