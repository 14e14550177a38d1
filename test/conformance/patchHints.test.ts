/** What to change where a PATCH names fields that it does not change. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { mismatches } from "../../src/findings/expectations.ts"
import { called } from "./support/handmade.ts"

const evse = profileOf("2.1.1").objects.EVSE
const hints = (method: string, body: object) => {
  const { exchange } = called(method, "locations", "/NL/EXA/LOC1/E1", body)
  return mismatches({ exchange }, evse, body)
    .filter(({ pointer = "" }) => pointer.slice(1) in body)
    .map(({ hint }) => hint)
}

describe("null in a field that must have a value", () => {
  it("is to be left out of a PATCH", () => {
    assert.deepStrictEqual(hints("PATCH", { connectors: null }), [
      "Leave connectors out of a PATCH that does not change it."
    ])
  })

  it("is to have a value in a PUT", () => {
    assert.deepStrictEqual(hints("PUT", { connectors: null }), [
      "Send connectors as a list with at least one entry."
    ])
  })

  it("is no matter of another value of a PATCH", () => {
    assert.deepStrictEqual(hints("PATCH", { connectors: [] }), [
      "Send connectors as a list with at least one entry."
    ])
  })
})
