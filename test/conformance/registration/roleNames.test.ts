/** The names of roles in a Credentials object (types, Role enum). */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { roleFlaws } from "../../../src/conformance/modules/credentials/credentialsFlaws.ts"
import { answered } from "../support/handmade.ts"

const flawed = (role: string, version: "2.2" | "2.2.1" | "2.3.0") => {
  const party = { role, country_code: "NL", party_id: "TST", business_details: { name: "Test" } }
  return roleFlaws(answered("credentials", { roles: [party] }) as never, profileOf(version)).length
}

describe("the name of a role", () => {
  it("is one of the version's enumeration", () => {
    assert.strictEqual(flawed("OPERATOR", "2.2.1"), 1)
    assert.strictEqual(flawed("cpo", "2.2"), 1)
    for (const role of ["CPO", "EMSP", "HUB", "NAP", "NSP", "OTHER", "SCSP"])
      assert.strictEqual(flawed(role, "2.2.1"), 0, role)
  })

  it("may be one of a module that is agreed on where the version says so", () => {
    assert.strictEqual(flawed("PTP", "2.3.0"), 0)
    assert.strictEqual(flawed("a role", "2.3.0"), 1)
  })
})
