import { assert, describe, it } from "vitest"
import { identityBeside } from "../../../src/services/connections/newConnection.ts"

const us = { countryCode: "NL", partyId: "PLG", name: "plugfest" }
const besides = (...inUse: ReadonlyArray<string>) =>
  identityBeside(
    us,
    inUse.map((partyId) => ({ ...us, partyId }))
  ).partyId

describe("who we are in a new connection", () => {
  it("is the same at every partner", () => {
    assert.deepStrictEqual(identityBeside(us, []), us)
  })

  it("is somebody else at a partner that knows us already, and always the first who is free", () => {
    assert.strictEqual(besides("PLG"), "PL1")
    assert.strictEqual(besides("PLG", "pl1", "PL2"), "PL3")
    assert.strictEqual(besides("PL1"), "PLG", "whoever was deleted comes back first")
  })

  it("is nobody new when all are taken", () => {
    const all = [...identitiesUntilNone()]
    assert.strictEqual(all.length, 35)
    assert.strictEqual(besides(...all), "PLG")
  })
})

function* identitiesUntilNone() {
  const used: Array<string> = []
  for (let next = besides(); !used.includes(next); next = besides(...used)) {
    used.push(next)
    yield next
  }
}
