import { assert, describe, it } from "vitest"
import { secretFlags, withoutSecrets } from "../../../src/cli/launch/secretFlags.ts"
import { flagOf, settings } from "../../../src/Settings.ts"

describe("secret flags", () => {
  it("are those of the secret settings, and the API key", () => {
    const secret = Object.values(settings).filter((of) => "secret" in of && of.secret)
    assert.deepStrictEqual([...secretFlags].sort(), ["key", ...secret.map((of) => flagOf(of))].sort())
  })

  const rows: ReadonlyArray<readonly [given: string, shown: string, flags: ReadonlyArray<string>]> = [
    ["serve --port 1", "serve --port 1", []],
    ["serve --metrics-token abc --port 1", "serve --metrics-token *** --port 1", ["metrics-token"]],
    ["serve --metrics-token=a=b", "serve --metrics-token=***", ["metrics-token"]],
    ["runs --KEY abc", "runs --KEY ***", ["key"]],
    ["serve --metrics-token --key", "serve --metrics-token ***", ["metrics-token"]],
    ["serve --key --key x --key", "serve --key *** x --key", ["key", "key"]],
    ["serve --key=", "serve --key=***", ["key"]]
  ]
  for (const [given, shown, flags] of rows) {
    it(`are hidden in: ${given}`, () => {
      const found = withoutSecrets(given.split(" "))
      assert.deepStrictEqual({ ...found, shown: found.shown.join(" ") }, { shown, flags })
    })
  }
})
