import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { limitsOf, readSettings, settings, sourcesOf } from "../src/Settings.ts"

const read = (environment: Record<string, string>, flags = {}) =>
  Effect.runSync(Effect.either(readSettings(environment, flags)))

const right = (environment: Record<string, string>, flags = {}) => {
  const result = read(environment, flags)
  if (result._tag === "Left") throw new Error(result.left.message)
  return result.right
}

const left = (environment: Record<string, string>) => {
  const result = read(environment)
  if (result._tag === "Right") throw new Error("expected a refusal")
  return result.left.message
}

describe("settings", () => {
  it("have working defaults", () => {
    const current = right({})
    assert.strictEqual(current.port, 8080)
    assert.strictEqual(current.host, "127.0.0.1")
    assert.strictEqual(current.databaseUrl, undefined)
    assert.strictEqual(current.leaseSeconds, 15)
    assert.isTrue(current.sandbox)
    assert.deepStrictEqual(current.egressAllowCidrs, [])
  })

  it("take a flag before the environment", () => {
    assert.strictEqual(right({ PORT: "1000" }, { port: "2000" }).port, 2000)
  })

  it("take the level of the log by the name that its lines have, and by an older name", () => {
    for (const level of ["warn", "warning"]) assert.strictEqual(right({ LOG_LEVEL: level }).logLevel, "warn")
    assert.match(left({ LOG_LEVEL: "trace" }), /expected debug, info, warn, error or none$/)
  })

  it("name the variables that are given by flags, and those of the environment", () => {
    assert.deepStrictEqual(sourcesOf({ PORT: "1", HOST: "::1", DATA_DIR: "" }, { port: "2" }), {
      flags: ["PORT"],
      environment: ["HOST"]
    })
  })

  it("take an empty variable for one that is not set", () => {
    assert.strictEqual(right({ PORT: "" }).port, 8080)
  })

  it("refuse a wrong value with its name, the value and what is expected", () => {
    assert.strictEqual(
      left({ PORT: "http" }),
      'PORT (--port) is "http"; expected a whole number from 0 to 65535'
    )
  })

  it("name every wrong setting, not only the first", () => {
    assert.strictEqual(left({ PORT: "x", SANDBOX: "maybe" }).split("\n").length, 2)
  })

  it("never show the value of a secret", () => {
    const message = left({ BOOTSTRAP_API_KEY: "short-secret", DATABASE_URL: "mysql://user:hidden@host" })
    assert.notInclude(message, "short-secret")
    assert.notInclude(message, "hidden")
    assert.include(message, "16 to 200 characters")
  })

  it("never show the password of a URL, and take none where the URL is shown to others", () => {
    for (const variable of ["PUBLIC_URL", "PROCESS_URL", "OTLP_URL", "AWS_ENDPOINT_URL_S3", "ARCHIVE_URL"]) {
      for (const password of ["hidden", "a/hidden", "a@hidden"]) {
        const message = left({ [variable]: `http://user:${password}@host.example/x` })
        assert.notInclude(message, "hidden", variable)
        assert.include(message, "//***@host.example/x", variable)
      }
    }
  })

  it("take no root to which no path can be added", () => {
    for (const text of ["https://host.example/?a=1", "https://host.example/#a", "https://host.example?"]) {
      assert.match(left({ PUBLIC_URL: text }), /without user name, password, query and fragment/)
    }
    assert.strictEqual(right({ PUBLIC_URL: "https://host.example/a" }).publicUrl, "https://host.example/a")
  })

  it("keep secrets redacted", () => {
    const current = right({ DATABASE_URL: "postgres://user:hidden@host/db" })
    assert.notInclude(JSON.stringify(current), "hidden")
    assert.include(Redacted.value(current.databaseUrl!), "hidden")
  })

  it("read address ranges as a list and refuse what is none", () => {
    assert.deepStrictEqual(right({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8, fd00::/8" }).egressAllowCidrs, [
      "127.0.0.0/8",
      "fd00::/8"
    ])
    for (const wrong of [
      "localhost",
      "0.0.0.0/0",
      "::/0",
      "127.0.0.0/33",
      "10.0.0/8",
      "127.0.0.0/8,0.0.0.0/0"
    ]) {
      assert.include(left({ EGRESS_ALLOW_CIDRS: wrong }), "address ranges", wrong)
    }
  })

  it("change single limits and keep the others", () => {
    const limits = limitsOf(right({ RATE_LIMITS: "runs=2" }))
    assert.strictEqual(limits.runs, 2)
    assert.strictEqual(limits.requests, 120)
  })

  it("have a meaning each, for the help", () => {
    for (const setting of Object.values(settings)) assert.isAbove(setting.meaning.length, 5)
  })
})
