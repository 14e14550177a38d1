/** When a session counts as one in which somebody charges. */
import { assert, describe, it } from "@effect/vitest"
import { wasActive } from "../../../src/journeys/stages/asEmsp/sessionRules.ts"

const read = (state: { readonly status: string; readonly kwh: number }) =>
  wasActive({ id: "S1", state, messages: [], readings: [state] })

describe("a session that is read as over", () => {
  it("was active when energy went through it", () => {
    assert.isTrue(read({ status: "COMPLETED", kwh: 2.5 }))
  })

  it("was not when none did: a reservation that ran out looks the same", () => {
    assert.isFalse(read({ status: "COMPLETED", kwh: 0 }))
  })
})
