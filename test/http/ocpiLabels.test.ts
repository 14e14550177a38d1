import { assert, describe, it } from "vitest"
import { ocpiLabelsOf } from "../../src/http/request/telemetry/ocpiLabels.ts"

describe("the labels of an OCPI path", () => {
  const paths: ReadonlyArray<readonly [path: string, version: string, module: string]> = [
    ["/ocpi/versions", "none", "versions"],
    ["/ocpi", "none", "versions"],
    ["/ocpi/2.2.1", "2.2.1", "versions"],
    ["/ocpi/2.2.1/", "2.2.1", "versions"],
    ["/api/v1/ocpi/2.1.1/cdrs/DE/CPO/1", "2.1.1", "cdrs"],
    ["/sandbox/sbx_1/ocpi/2.3.0/payments/terminals", "2.3.0", "payments"],
    ["/ocpi/2.2.1/moved/credentials", "2.2.1", "credentials"],
    ["/ocpi/9.9/locations", "other", "locations"],
    ["/ocpi/2.2.1/token-of-somebody", "2.2.1", "other"],
    ["/ocpi/%2e%2e/x", "other", "other"]
  ]
  for (const [path, version, module] of paths) {
    it(`of ${path} are ${version} and ${module}`, () => {
      assert.deepStrictEqual(ocpiLabelsOf(path), { version, module })
    })
  }

  it("are none for what is no OCPI path", () => {
    for (const path of ["/", "/api/v1/connections", "/ocpix", "/sandbox/ocpi", "/sandbox/a/b/ocpi"])
      assert.isUndefined(ocpiLabelsOf(path), path)
  })
})
