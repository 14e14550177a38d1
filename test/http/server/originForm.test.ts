import { assert, describe, it } from "vitest"
import { originForm } from "../../../src/http/server/originForm.ts"

describe("the target of a request", () => {
  const rows: ReadonlyArray<readonly [target: string, path: string]> = [
    ["/ocpi/versions", "/ocpi/versions"],
    ["http://any.example/ocpi/versions?a=http://b/c", "/ocpi/versions?a=http://b/c"],
    ["HTTPS://any.example:8443/", "/"],
    ["http://any.example", "/"],
    ["http://any.example?a=1", "/?a=1"],
    ["http://user@any.example/x", "/x"],
    ["//any.example/x", "//any.example/x"],
    ["/http://any.example/x", "/http://any.example/x"],
    ["*", "*"],
    ["http://[::1", "http://[::1"],
    ["http:///x", "http:///x"]
  ]
  for (const [target, path] of rows) {
    it(`${target} is ${path}`, () => assert.strictEqual(originForm(target), path))
  }
})
