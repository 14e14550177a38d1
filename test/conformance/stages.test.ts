import { assert, describe, it } from "@effect/vitest"
import { stagesOf } from "../../src/conformance/model/stages.ts"

describe("the stages of a run", () => {
  it("go from reading to risking, and end with what may end the registration", () => {
    assert.deepStrictEqual(
      stagesOf([
        { module: "credentials", mode: "RISK" },
        { module: "credentials", mode: "RO" },
        { module: "transport", mode: "OBS", phase: "risk" },
        { module: "transport", mode: "OBS" },
        { module: "tokens", mode: "MUT" }
      ]),
      ["credentials", "tokens.write", "transport.watch", "transport.risk", "credentials.risk"]
    )
  })
})
