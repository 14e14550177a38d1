import { assert, describe, it } from "vitest"
import { encodingFor } from "../../src/http/answer/compression.ts"

describe("the encoding of a compressed text", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["br; q=0.0, gzip;q=0", undefined],
    ["*", "br"],
    ["*, br;q=0", "gzip"],
    ["*;q=0, gzip", "gzip"],
    ["GZIP", "gzip"]
  ] as const)("for %s is %s", (accepted, expected) => {
    assert.strictEqual(encodingFor(accepted), expected)
  })
})
