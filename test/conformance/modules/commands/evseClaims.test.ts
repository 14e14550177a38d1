/** EVSEs that other open runs of the connection have: a suite takes none of them, and keeps its own until its scripts are over. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeEvidence } from "../../../../src/conformance/model/Evidence.ts"
import {
  allotment,
  evsesFor,
  spareTargets,
  withoutTarget
} from "../../../../src/conformance/modules/commands/commandTargets.ts"
import type { EvseClaim } from "../../../../src/store/parties/Party.ts"
import { gradedQuickly } from "../../../support/parties/quickWorld.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"
import { location } from "../../support/honestPartner.ts"

const [first] = location("A", 1).evses
const evse = (uid: string, status = "AVAILABLE") => ({
  ...first,
  uid,
  status,
  capabilities: ["REMOTE_START_STOP_CAPABLE"]
})
const claimOf = (evseUid: string, purpose = "") =>
  ({ runId: "run_other", purpose, locationId: location("A", 1).id, evseUid, until: "" }) as EvseClaim

const evidenceOf = (
  evses: ReadonlyArray<object>,
  claims: { readonly own: ReadonlyArray<EvseClaim>; readonly others: ReadonlyArray<EvseClaim> }
) => {
  const list = answered("locations", [{ ...location("A", 1), evses }])
  const gathered = { "locations.list": [list], "locations.crawl": [] }
  return makeEvidence(
    { ...evidenceFrom(gathered), evses: { claims: () => claims } },
    new Map(Object.entries(gathered).map(([id, seen]) => [id, { seen }]))
  )
}

describe("the EVSEs of a suite", () => {
  it("are none that another run has", () => {
    const evidence = evidenceOf([evse("E1"), evse("E2"), evse("E3")], { own: [], others: [claimOf("E1")] })
    const uids = [...allotment(evidence).values()].map((target) => target.evse["uid"])
    assert.isNotEmpty(uids)
    assert.notInclude(uids, "E1")
    assert.notInclude(
      [...spareTargets(evidence).keys()].map((target) => target.evse["uid"]),
      "E1"
    )
  })

  it("stay those that it has taken, whatever their status is by then", () => {
    const own = [claimOf("E2", "a remote start")]
    const evidence = evidenceOf([evse("E1"), evse("E2", "CHARGING")], { own, others: [] })
    assert.strictEqual(allotment(evidence).get("a remote start")?.evse["uid"], "E2")
  })

  it("are one for each of its scripts, and not the whole list", () => {
    const evidence = evidenceOf([evse("E1"), evse("E2"), evse("E3")], { own: [], others: [] })
    assert.deepStrictEqual(
      evsesFor(evidence, ["a remote start"], []).map(({ purpose }) => purpose),
      ["a remote start"]
    )
  })

  it("are missed because of us where another run has them, and because of the partner where none has", () => {
    const held = withoutTarget(
      evidenceOf([evse("E1", "CHARGING")], { own: [], others: [claimOf("E1")] }),
      "REMOTE_START_STOP_CAPABLE"
    )
    assert.strictEqual(held.attribution, "ours")
    assert.include(held.reason, "E1 (run_other)")
    const busy = withoutTarget(
      evidenceOf([evse("E1", "CHARGING")], { own: [], others: [] }),
      "REMOTE_START_STOP_CAPABLE"
    )
    assert.notStrictEqual(busy.attribution, "ours")
  })

  it.live("are given back when its scripts are over", () =>
    Effect.map(
      gradedQuickly({ version: "2.2.1", role: "CPO", checks: ["CMD-001"] }),
      ({ assertions, left }) => {
        assert.deepStrictEqual(
          assertions.map(({ outcome }) => outcome),
          ["passed"]
        )
        assert.isUndefined(left.claims)
      }
    )
  )
})
