/** What the doctor says of Node, and the command that allows a private address. */
import { assert, describe, it } from "vitest"
import { node } from "../../src/cli/commands/doctor.ts"
import { egressRemedy } from "../../src/cli/connecting/egressRemedy.ts"

describe("the doctor", () => {
  it("takes Node from 20.19 on, and says what to install instead of an older one", () => {
    for (const version of ["20.19.0", "22.1.0", "24.0.0"])
      assert.strictEqual(node(version).state, "ok", version)
    for (const version of ["20.18.9", "18.20.0"]) assert.include(node(version).fix ?? "", "Node 24", version)
  })

  it("names the range of a private address, as a command", () => {
    assert.strictEqual(
      egressRemedy("http://127.0.0.1:9000/ocpi"),
      "EGRESS_ALLOW_CIDRS=127.0.0.0/8 npx plugfest serve"
    )
    assert.strictEqual(
      egressRemedy("http://localhost:9000/ocpi"),
      "EGRESS_ALLOW_CIDRS=127.0.0.0/8 npx plugfest serve"
    )
    assert.strictEqual(
      egressRemedy("http://172.20.0.3/ocpi"),
      "EGRESS_ALLOW_CIDRS=172.16.0.0/12 npx plugfest serve"
    )
    assert.include(egressRemedy("https://cpo.internal/ocpi"), "<the partner's range>")
  })
})
