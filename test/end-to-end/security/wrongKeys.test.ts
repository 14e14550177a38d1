/** Every operation of the document, asked with keys that must not open it: wrong ones, and ones of too small a scope. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import {
  guarded,
  hasProtectiveHeaders,
  type Operation,
  operationsOf,
  requestOf
} from "../../support/service/operations.ts"
import { key, type Service, startService } from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"
import { storedRows } from "../../support/service/storedRows.ts"
import { tried as counted } from "../../support/tried.ts"

const keys = "/api/v1/settings/api-keys"
const scopes = ["read", "run", "connections:write", "keys:write", "personal:read"]

describe("a key that does not open", () => {
  let database: string
  let service: Service
  let operations: ReadonlyArray<Operation>

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database })
    operations = await operationsOf(service)
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  const make = async (only: ReadonlyArray<string> = ["read"]) =>
    succeeded(await service.call("POST", keys, { name: "wrong", scopes: only }), 201)

  /** Asks with an Authorization of one's own choice; undefined: none at all. */
  const ask = async (operation: Operation, authorization: string | undefined, query = "") => {
    const { body, method, path } = requestOf(operation, {})
    const response = await fetch(
      `${service.url}${path}${query && (path.includes("?") ? "&" : "?")}${query}`,
      {
        method,
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      }
    )
    const text = await response.text()
    const parsed = text.startsWith("{") ? JSON.parse(text) : undefined
    const answer = { status: response.status, headers: response.headers, text, body: parsed }
    hasProtectiveHeaders(`${operation.name} ${answer.status}`, answer)
    return answer
  }

  it("is a 401 in the same words on every operation, whatever is wrong with it", async () => {
    const good = await make()
    const revoked = await make()
    succeeded(await service.call("DELETE", `${keys}/${revoked._id}`))
    const expired = await make()
    await rows(database, "UPDATE api_key SET expires_at = clock_timestamp() WHERE id = $1", [expired._id])
    const unknown = await make()
    await rows(database, "DELETE FROM api_key WHERE id = $1", [unknown._id])
    const lastTurned = `${good.key.slice(0, -1)}${good.key.endsWith("a") ? "b" : "a"}`
    const wrong: ReadonlyArray<readonly [authorization: string | undefined, query?: string]> = [
      [undefined],
      [""],
      [`Basic ${good.key}`],
      [`Bearer ${lastTurned}`],
      [`Bearer ${unknown.key}`],
      [`Bearer ${revoked.key}`],
      [`Bearer ${expired.key}`],
      [undefined, `api_key=${good.key}&access_token=${good.key}&key=${good.key}`]
    ]
    const said = new Set<string>()
    let tried = 0
    for (const operation of guarded(operations)) {
      for (const [authorization, query] of wrong) {
        const answer = await ask(operation, authorization, query)
        said.add(refused(answer, 401))
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer", operation.name)
        tried += 1
      }
    }
    assert.strictEqual(said.size, 1)
    const reader = await ask(
      operations.find(({ name }) => name === "settings.account")!,
      `Bearer ${good.key}`
    )
    assert.strictEqual(reader.status, 200, "and the key that they were made of is good")
    counted(
      "B1",
      [`${wrong.length} wrong keys`, "every operation"],
      `${guarded(operations).length} operations, ${tried} requests, all 401`
    )
  }, 120_000)

  it("is no key for what needs none: discovery follows OCPI, and the rest answers as without one", async () => {
    for (const operation of operations.filter((one) => one.scope === undefined && !one.ofSession)) {
      assert.strictEqual((await ask(operation, undefined)).status, 200, operation.name)
      if (!operation.template.startsWith("/ocpi")) continue
      assert.strictEqual(
        (await ask(operation, `Bearer ${key}`)).status,
        200,
        "a key of the API says nothing here"
      )
      const foreign: any = await ask(operation, "Token never-issued-by-us")
      assert.strictEqual(foreign.status, 401, operation.name)
      assert.isNumber(foreign.body.status_code)
    }
  })

  it("is a 403 on every operation whose scope it has not, and nothing is changed by trying", async () => {
    const without = new Map<string, string>()
    for (const scope of scopes) without.set(scope, (await make(scopes.filter((one) => one !== scope))).key)
    const before = await storedRows(database)
    let tried = 0
    for (const operation of guarded(operations)) {
      const tooSmall = without.get(operation.scope!)
      assert.isDefined(tooSmall, `${operation.name} needs ${operation.scope}, which is no scope of a key`)
      const answer = await ask(operation, `Bearer ${tooSmall}`)
      refused(answer, 403, new RegExp(`lacks the scope "${operation.scope}"`))
      tried += 1
    }
    assert.deepStrictEqual(await storedRows(database), before)
    counted("B2", ["every operation"], `${tried} operations, all 403, no row changed`)
  }, 60_000)

  it("is what it takes to act: no operation that changes something is content with the scope read", () => {
    const reading = ["testing.validate", "scenarios.validate", "scenarios.dryRun", "session.makeLink"]
    for (const { method, name, scope } of guarded(operations)) {
      assert.strictEqual(scope === "read", method === "GET" || reading.includes(name), name)
    }
  })
})
