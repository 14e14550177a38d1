import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { problemsOf } from "../src/checkSettings.ts"
import { readSettings } from "../src/Settings.ts"

const judged = (environment: Record<string, string>) => problemsOf(Effect.runSync(readSettings(environment)))
const strong = "9b1f6c0a7e3d52848f0c6be19a27d4537c90ef1b86a2d34c5e7f08192b3a4c6d"
const weak = "aaaaaaaaaaaaaaaa"
/** A service that others reach, with nothing to be said about it. */
const open = {
  HOST: "0.0.0.0",
  PUBLIC_URL: "https://plugfest.example",
  DATABASE_URL: "postgres://somebody@db/plugfest",
  METRICS_TOKEN: "0123456789"
}

describe("settings that are wrong together", () => {
  it("are none by default, nor with all that a service in the open needs", () => {
    assert.deepStrictEqual(judged({}), { refused: [], warnings: [] })
    assert.deepStrictEqual(judged({ ...open, BOOTSTRAP_API_KEY: strong }), { refused: [], warnings: [] })
  })

  it.each(["127.0.0.1", "127.9.8.7", "localhost", "LOCALHOST", "::1", "::ffff:127.0.0.1"])(
    "a weak bootstrap key is warned of at HOST=%s",
    (HOST) => {
      const { refused, warnings } = judged({ HOST, BOOTSTRAP_API_KEY: weak })
      assert.deepStrictEqual(refused, [])
      assert.lengthOf(warnings, 1)
      assert.match(
        warnings[0]!,
        /^BOOTSTRAP_API_KEY .* can be guessed: it has 16 characters, of at least 32\./
      )
      assert.include(warnings[0], "openssl rand -hex 32")
    }
  )

  it.each(["0.0.0.0", "::", "192.168.1.5", "8.8.8.8", "fe80::1", "plugfest.internal", "localhost.example"])(
    "a weak bootstrap key is refused at HOST=%s, without showing it",
    (HOST) => {
      for (const BOOTSTRAP_API_KEY of [weak, "my-super-secret-bootstrap-key-for-plugfest"]) {
        const { refused } = judged({ ...open, HOST, BOOTSTRAP_API_KEY })
        assert.lengthOf(refused, 1)
        assert.include(refused[0], `HOST (${HOST})`)
        assert.include(refused[0], "plugfest keys generate")
        assert.notInclude(refused[0], BOOTSTRAP_API_KEY)
      }
    }
  )

  it.each<readonly [string, Record<string, string>, RegExp]>([
    ["open metrics", { METRICS_TOKEN: "" }, /^GET \/metrics needs no token, .*Set METRICS_TOKEN\.$/],
    ["the embedded Postgres", { DATABASE_URL: "" }, /embedded Postgres.*Set DATABASE_URL/],
    ["no PUBLIC_URL", { PUBLIC_URL: "" }, /http:\/\/127\.0\.0\.1:8080.*Set PUBLIC_URL/],
    ["an http PUBLIC_URL", { PUBLIC_URL: "http://plugfest.example" }, /unencrypted.*PUBLIC_URL=https/],
    [
      "an http address of its own",
      { PUBLIC_URL: "", HOST: "192.168.1.5" },
      /http:\/\/192\.168\.1\.5:8080 unencrypted/
    ],
    ["private ranges", { EGRESS_ALLOW_CIDRS: "10.0.0.0/8" }, /EGRESS_ALLOW_CIDRS .*10\.0\.0\.0\/8/]
  ])("say what to do about %s, in one line", (_name, change, said) => {
    const { refused, warnings } = judged({ ...open, ...change })
    assert.deepStrictEqual(refused, [])
    assert.lengthOf(warnings, 1)
    assert.match(warnings[0]!, said)
    assert.notInclude(warnings[0], "\n")
  })

  it("an http PUBLIC_URL on this machine is nothing to be warned of", () => {
    for (const PUBLIC_URL of ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"])
      assert.deepStrictEqual(judged({ ...open, PUBLIC_URL }).warnings, [])
  })
})
