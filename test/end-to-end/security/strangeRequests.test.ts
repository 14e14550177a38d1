/** Requests that the contract does not foresee, made from the document: fields of too much, and malformed in 500 ways. */
import { FastCheck } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import {
  hasProtectiveHeaders,
  type Operation,
  operationsOf,
  requestOf
} from "../../support/service/operations.ts"
import { key, type Service, startService } from "../../support/service/Service.ts"
import { storedRows } from "../../support/service/storedRows.ts"
import { furnish, type Owner } from "../../support/service/twoOwners.ts"
import { tried as counted } from "../../support/tried.ts"
import { escaped, jsonNumbers, numbers, texts } from "../support/edges.ts"

/** Requests in one go of the fuzz, and what they grow from: another number, other requests. */
const runs = 500
const seed = 20_261_121

describe("a strange request", () => {
  let database: string
  let service: Service
  let operations: ReadonlyArray<Operation>
  let owner: Owner

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database })
    operations = (await operationsOf(service)).filter(({ scope }) => scope !== undefined)
    owner = await furnish(service, "owner", { authorization: `Bearer ${key}` })
  }, 90_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  it("with fields that are ours to set has them ignored: none is stored, none comes back", async () => {
    const hostile = (mark: string) => ({
      _id: `${mark}-id`,
      id: `${mark}-id`,
      owner: mark,
      ownerId: `own_${mark}`,
      owner_id: `own_${mark}`,
      account: mark,
      plan: mark,
      status: "registered",
      state: "registered",
      registered: true,
      registeredAt: "1999-01-01T00:00:00.000Z",
      createdAt: "1999-01-01T00:00:00.000Z",
      created_at: "1999-01-01T00:00:00.000Z",
      key: mark,
      hash: mark,
      prefix: mark,
      verdict: "pass",
      revision: 4711,
      runId: `run_${mark}`,
      reportId: `rep_${mark}`,
      commandId: `cmd_${mark}`,
      endpoints: [{ identifier: mark, role: "SENDER", url: "https://example.com" }],
      constructor: { prototype: { polluted: mark } }
    })
    // The number by its name: four digits alone stand in many a hash.
    const taken = /mass-assigned|1999-01-01|revision\W{1,6}4711/
    let tried = 0
    for (const operation of operations) {
      const { example, fields } = operation
      if (fields === undefined) continue
      const mark = `mass-assigned-${tried}`
      const more = Object.fromEntries(Object.entries(hostile(mark)).filter(([field]) => !(field in fields)))
      const asking = requestOf({ ...operation, example: { ...more, ...example } }, owner.ids)
      const answer = await service.call(asking.method, asking.path, asking.body)
      assert.isBelow(answer.status, 500, operation.name)
      assert.notMatch(answer.text, taken, operation.name)
      if (answer.status === 201 && operation.name === "connections.create") {
        assert.strictEqual((answer.body.data as any).status, "pending")
      }
      tried += 1
    }
    const stored = JSON.stringify(await storedRows(database))
    assert.notMatch(stored, taken)
    assert.notProperty({}, "polluted")
    const fields = Object.keys(hostile("any")).length
    counted("B4", [`${fields} fields`, "every operation"], `${tried} operations, none stored`)
  }, 60_000)

  it("has whole numbers at the edges of their types refused or taken, at every place where one stands", async () => {
    const isWhole = (schema: any): boolean =>
      schema?.type === "integer" || (schema?.allOf ?? []).some(isWhole) || (schema?.anyOf ?? []).some(isWhole)
    let tried = 0
    const wrong: Array<string> = []
    const send = async (
      method: string,
      path: string,
      text?: string,
      headers: Record<string, string> = {}
    ) => {
      const controller = new AbortController()
      const response = await fetch(service.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          connection: "close",
          ...headers
        },
        ...(text === undefined ? {} : { body: text }),
        signal: controller.signal
      })
      // A feed that begins is an answer.
      controller.abort()
      tried += 1
      if (response.status >= 500)
        wrong.push(`${response.status} ${method} ${path} ${text ?? ""} ${JSON.stringify(headers)}`)
    }
    for (const operation of operations) {
      const { body, method, path } = requestOf(operation, owner.ids)
      if (method === "DELETE" || /\/(cancel|roll)$/.test(path)) continue
      const place = `${path}${path.includes("?") ? "&" : "?"}`
      for (const one of operation.parameters.filter(
        ({ in: at, schema }) => at === "query" && isWhole(schema)
      ))
        for (const value of numbers)
          await send(method, `${place}${one.name}=${encodeURIComponent(value)}`, body && JSON.stringify(body))
      if (path.endsWith("/stream"))
        for (const value of numbers.filter((text) => /^[\x21-\x7e]+$/.test(text)))
          await send(method, path, undefined, { "last-event-id": value })
      for (const [field] of Object.entries(operation.fields ?? {}).filter(([, one]) => isWhole(one)))
        for (const value of jsonNumbers)
          await send(method, path, written({ ...body, [field]: `${digits}${value}` }))
    }
    assert.deepStrictEqual(wrong, [])
    assert.isAbove(tried, 300)
    counted("B31", [`${numbers.length} edges of numbers`], `${tried} requests`)
  }, 120_000)

  it("is refused with success and message alone, and never shows what is inside", async () => {
    const statuses = new Map<number, number>()
    const { host, pathname } = new URL(database)
    const inside = new RegExp(
      [
        "\\n\\s+at ",
        "node_modules",
        "\\.[cm]?[jt]s:\\d",
        "file://",
        "dist/",
        "\\bSELECT\\b.+\\bFROM\\b",
        "INSERT INTO",
        'violates|relation "|syntax error at|PgClient|SqlError',
        "postgres(ql)?://",
        "ECONNREFUSED|ENOENT",
        `${host}|${pathname.slice(1)}`
      ].join("|")
    )
    const send = async ({ headers, method, path, text }: Strange) => {
      const response = await fetch(service.url + path, {
        method,
        // A kept connection may be closed by the server in the moment in which it is used again.
        headers: { authorization: `Bearer ${key}`, connection: "close", ...headers },
        ...(text === undefined || method === "GET" ? {} : { body: text as string })
      })
      const answer = { status: response.status, headers: response.headers, text: await response.text() }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      hasProtectiveHeaders(`${method} ${path}`, answer)
      assert.isBelow(answer.status, 500, `${method} ${path} ${text}`)
      if (answer.status < 400) return
      const json = JSON.parse(answer.text)
      assert.deepStrictEqual(Object.keys(json), ["success", "message"])
      assert.isFalse(json.success)
      assert.isString(json.message)
      assert.isNotEmpty(json.message)
      assert.notMatch(answer.text, inside)
    }
    const property = FastCheck.asyncProperty(strangeRequest(operations, owner), send)
    await FastCheck.assert(property, {
      numRuns: runs,
      seed,
      interruptAfterTimeLimit: 100_000,
      endOnFailure: true
    })
    const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
    const refused = [...statuses].reduce((sum, [status, count]) => sum + (status >= 400 ? count : 0), 0)
    assert.isAbove(refused, runs / 2, "most of them are malformed indeed")
    const [alive] = await rows(database, "SELECT 1 AS one")
    assert.strictEqual(alive.one, 1)
    counted("B31", [`${runs} requests`], `seed ${seed}, ${byStatus.join(", ")}`)
  }, 120_000)
})

interface Strange {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | Uint8Array | undefined
}

/** A request that begins as one of the contract's and is then bent in one to three places. */
function strangeRequest(operations: ReadonlyArray<Operation>, owner: Owner): FastCheck.Arbitrary<Strange> {
  const json = FastCheck.jsonValue({ maxDepth: 3 })
  const odd = FastCheck.oneof(
    FastCheck.constantFrom(
      "",
      " ",
      "\u0000",
      "\ud800",
      "'; DROP TABLE owner; --",
      "../../etc/passwd",
      "NaN",
      "1e400"
    ),
    FastCheck.constantFrom(
      "-1",
      "0",
      "9".repeat(30),
      "null",
      "true",
      "[]",
      "{}",
      "%",
      "%00",
      "\r\nx: y",
      "x".repeat(5000)
    ),
    FastCheck.string({ unit: "binary", maxLength: 40 }),
    FastCheck.constantFrom(...numbers),
    FastCheck.constantFrom(...texts)
  )
  const bodies = FastCheck.constantFrom(
    "{",
    "",
    "nul",
    '{"a":1,}',
    '"text"',
    "[]",
    "[".repeat(5000),
    '{"__proto__":{"a":1}}',
    '{"a":"\\u0000"}',
    '{"a":1e999}',
    "\ufeff{}"
  )
  const bend = FastCheck.oneof(
    FastCheck.record({ how: FastCheck.constant("field" as const), which: FastCheck.nat(), value: json }),
    FastCheck.record({ how: FastCheck.constant("field" as const), which: FastCheck.nat(), value: odd }),
    FastCheck.record({
      how: FastCheck.constant("number" as const),
      which: FastCheck.nat(),
      value: FastCheck.constantFrom(...jsonNumbers)
    }),
    FastCheck.record({ how: FastCheck.constant("lost" as const), which: FastCheck.nat() }),
    FastCheck.record({ how: FastCheck.constant("query" as const), which: FastCheck.nat(), value: odd }),
    FastCheck.record({ how: FastCheck.constant("id" as const), value: odd }),
    FastCheck.record({ how: FastCheck.constant("body" as const), text: bodies }),
    FastCheck.record({
      how: FastCheck.constant("bytes" as const),
      bytes: FastCheck.uint8Array({ maxLength: 60 })
    }),
    FastCheck.record({
      how: FastCheck.constant("method" as const),
      method: FastCheck.constantFrom("PATCH", "PUT", "DELETE", "POST", "PROPFIND")
    }),
    FastCheck.record({
      how: FastCheck.constant("header" as const),
      header: FastCheck.constantFrom(
        { "content-type": "text/xml" },
        { "content-type": "application/json; charset=utf-16" },
        { "content-encoding": "br" },
        { accept: "image/png" },
        { "idempotency-key": "with a space" },
        { "idempotency-key": "k".repeat(400) },
        { "last-event-id": "-3" },
        { "last-event-id": "9".repeat(40) },
        ...numbers.filter((text) => /^[\x21-\x7e]+$/.test(text)).map((text) => ({ "last-event-id": text }))
      )
    })
  )
  return FastCheck.record({
    operation: FastCheck.constantFrom(...operations),
    bends: FastCheck.array(bend, { minLength: 1, maxLength: 3 })
  }).map(({ bends, operation }) => {
    const asking = requestOf(operation, owner.ids)
    let { method, path } = asking
    let headers: Record<string, string> = { "content-type": "application/json" }
    let body: Record<string, unknown> | undefined = asking.body
    let text: string | Uint8Array | undefined
    for (const one of bends) {
      const fields = Object.keys(operation.fields ?? {})
      if (one.how === "field" && fields.length > 0) {
        body = { ...body, [fields[one.which % fields.length]!]: one.value }
      }
      if (one.how === "number" && fields.length > 0)
        body = { ...body, [fields[one.which % fields.length]!]: `${digits}${one.value}` }
      if (one.how === "lost" && fields.length > 0)
        body = { ...body, [fields[one.which % fields.length]!]: undefined }
      if (one.how === "query") {
        const names = operation.parameters.filter((it) => it.in === "query").map(({ name }) => name)
        const name = names[one.which % names.length] ?? "unknown"
        path += `${path.includes("?") ? "&" : "?"}${name}=${escaped(one.value)}`
      }
      if (one.how === "id") {
        const id = operation.parameters.find((it) => it.in === "path")?.name
        if (id !== undefined)
          path = requestOf(operation, {}).path.replace(/\/1(?=\/|\?|$)/, `/${escaped(one.value)}`)
      }
      if (one.how === "body") text = one.text
      if (one.how === "bytes") text = one.bytes
      if (one.how === "method") method = one.method
      if (one.how === "header") headers = { ...headers, ...(one.header as Record<string, string>) }
    }
    // A wait of the contract is not strange, only long.
    path = path.replace(/wait=\d+/, "wait=1")
    return { method, path, headers, text: text ?? (body === undefined ? undefined : written(body)) }
  })
}

/** Begins a text that is to stand in the body as a number, digit by digit: many are none that JavaScript can hold. */
const digits = "\u0001digits:"

function written(body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(body).replace(/"\\u0001digits:([^"]+)"/g, "$1")
}
