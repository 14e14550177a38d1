/** What a partner may do because it is a hub. */
import { assert, describe, it } from "vitest"
import { gradedOverHttp } from "../support/overHttp.ts"
import { plainLocation } from "../support/plainPartner.ts"

describe("a list with objects of other parties", () => {
  const locations = () => [plainLocation("A"), { ...plainLocation("B"), party_id: "OTH" }]

  it("is what a hub has, and a finding about anybody else", async () => {
    const outcome = async (role: string) =>
      (await gradedOverHttp(["PAGE-027"], { locations, role })).of("PAGE-027")?.outcome
    assert.strictEqual(await outcome("HUB"), "not_applicable")
    assert.strictEqual(await outcome("CPO"), "warned")
  })
})
