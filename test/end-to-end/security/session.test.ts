/** Signing in to the console of the built service: the cookie, what it opens, what it needs, and how it ends. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { freshDatabase } from "../support/database.ts"
import { hasProtectiveHeaders } from "../support/operations.ts"
import { connectSandbox, key, type Service, startService } from "../support/Service.ts"
import { refused, succeeded } from "../support/shapes.ts"

const place = "/api/v1/session"
const forged = { "x-plugfest-console": "1" }

describe("a session of the console", () => {
  let database: string
  let service: Service
  let sibling: Service

  beforeAll(async () => {
    database = await freshDatabase(inject("pgUrl"))
    ;[service, sibling] = await Promise.all([
      startService({ DATABASE_URL: database }),
      startService({ DATABASE_URL: database })
    ])
  }, 90_000)
  afterAll(async () => {
    await Promise.all([service?.kill("SIGTERM"), sibling?.kill("SIGTERM")])
  })

  /** Asks as a browser does: no Authorization, but cookies. */
  const ask = async (
    method: string,
    path: string,
    { body, cookie, headers = {}, on = service }: Asked = {}
  ) => {
    const response = await fetch(`${on.url}${path}`, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    const parsed = text.startsWith("{") ? JSON.parse(text) : undefined
    const answer = { status: response.status, headers: response.headers, text, body: parsed }
    hasProtectiveHeaders(`${method} ${path}`, answer)
    return answer
  }
  const makeKey = async (scopes = ["read", "run", "connections:write", "keys:write"], more = {}) =>
    succeeded(
      await service.call("POST", "/api/v1/settings/api-keys", { name: "of a person", scopes, ...more }),
      201
    )
  const signIn = async (credential: unknown, more: Asked = {}) => {
    const answer = await ask("POST", place, { body: credential, ...more })
    const set = answer.headers.get("set-cookie") ?? ""
    return { answer, set, cookie: set.split(";")[0]! }
  }
  const signedIn = async (credential: unknown = { apiKey: key }) => {
    const { answer, cookie } = await signIn(credential)
    assert.strictEqual(answer.status, 201, answer.text)
    return cookie
  }

  it("begins with a key, in a cookie that no script reads and no other site sends", async () => {
    const made = await makeKey(["read", "run"], { expiresInDays: 1 })
    const { answer, cookie, set } = await signIn({ apiKey: made.key })
    assert.strictEqual(answer.status, 201)
    assert.match(
      set,
      /^plugfest_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
      "over http the cookie cannot be Secure"
    )
    const view = answer.body.data
    assert.deepStrictEqual(view, {
      keyId: made._id,
      name: "of a person",
      scopes: ["read", "run"],
      expiresAt: made.expiresAt
    })
    const read = await ask("GET", place, { cookie })
    assert.deepStrictEqual(read.body, { success: true, data: view })
    assert.match(read.headers.get("ratelimit") ?? "", /"default"/)
    const elsewhere = await ask("GET", place, { cookie, on: sibling })
    assert.deepStrictEqual(elsewhere.body.data, view, "every process knows it")
  })

  it("opens what its key opens, reads and writes and streams, and no more", async () => {
    const cookie = await signedIn({ apiKey: (await makeKey(["read", "run"])).key })
    const { connectionId } = await connectSandbox(service)
    const listed = await ask("GET", "/api/v1/connections", { cookie })
    assert.include(listed.text, connectionId)
    const run = await ask("POST", "/api/v1/testing/journey-runs", {
      cookie,
      headers: forged,
      body: { connectionId, templateId: "first-reads" }
    })
    const { runId } = succeeded(run as never, 202)
    const stream = await ask("GET", `/api/v1/testing/journey-runs/${runId}/stream`, { cookie })
    assert.include(stream.text, '"type":"run.completed"')
    refused(
      (await ask("DELETE", `/api/v1/connections/${connectionId}`, { cookie, headers: forged })) as never,
      403,
      /lacks the scope/
    )
  })
})

interface Asked {
  readonly body?: unknown
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly on?: Service
}
