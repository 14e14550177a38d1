/** Signing in to the console of the built service: the cookie, what it opens, and how it ends. */
import { assert, describe, it } from "vitest"
import { rows } from "../../support/service/database.ts"
import { connectSandbox, key, startService } from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"
import { storedRows } from "../../support/service/storedRows.ts"
import { browserAt, forged, openStream, pairOfServices, place } from "../support/browser.ts"

describe("a session of the console", () => {
  const pair = pairOfServices()
  const { ask, makeKey, signIn, signedIn } = browserAt(() => pair.service)

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
    const elsewhere = await ask("GET", place, { cookie, on: pair.sibling })
    assert.deepStrictEqual(elsewhere.body.data, view, "every process knows it")
  }, 60_000)

  it("opens what its key opens, reads and writes and streams, and no more", async () => {
    const cookie = await signedIn({ apiKey: (await makeKey(["read", "run"])).key })
    const { connectionId } = await connectSandbox(pair.service)
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
  }, 60_000)

  it("is another one at each sign-in: what an attacker has set before is worth nothing", async () => {
    const planted = "A".repeat(43)
    const fixed = `plugfest_session=${planted}`
    const first = await signIn({ apiKey: key }, { cookie: fixed })
    assert.strictEqual(first.answer.status, 201)
    assert.notInclude(first.set, planted)
    refused((await ask("GET", place, { cookie: fixed })) as never, 401)
    const second = await signIn({ apiKey: key }, { cookie: first.cookie })
    assert.notStrictEqual(second.cookie, first.cookie)
    refused((await ask("GET", place, { cookie: first.cookie })) as never, 401)
    assert.strictEqual((await ask("GET", place, { cookie: second.cookie })).status, 200)
    for (const two of [`${second.cookie}; ${fixed}`, `${fixed}; ${second.cookie}`])
      refused((await ask("GET", place, { cookie: two })) as never, 401)
    const among = await ask("GET", place, {
      cookie: `a=b; ${second.cookie}; plugfest=x; _plugfest_session=y`
    })
    assert.strictEqual(among.status, 200)
  }, 60_000)

  it("ends when one signs out, in every process, with its streams, and not that of another browser", async () => {
    const [cookie, other] = [await signedIn(), await signedIn()]
    const { connectionId } = await connectSandbox(pair.service, { speed: 1 })
    const order = { connectionId, templateId: "remote-start" }
    const { runId } = succeeded(await pair.service.call("POST", "/api/v1/testing/journey-runs", order), 202)
    const path = `/api/v1/testing/journey-runs/${runId}/stream`
    const [mine, others] = [openStream(pair.sibling, path, cookie), openStream(pair.sibling, path, other)]
    await Promise.all([mine.opened, others.opened])
    refused((await ask("DELETE", place, { cookie })) as never, 403, /X-Plugfest-Console/)
    const out = await ask("DELETE", place, { cookie, headers: forged })
    assert.strictEqual(out.status, 200)
    assert.match(
      out.headers.get("set-cookie") ?? "",
      /^plugfest_session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/
    )
    const at = performance.now()
    for (const on of [pair.service, pair.sibling]) {
      refused((await ask("GET", place, { cookie, on })) as never, 401, /no session/)
      refused((await ask("GET", "/api/v1/connections", { cookie, on })) as never, 401)
    }
    await mine.closed
    assert.isBelow(performance.now() - at, 5000)
    assert.isFalse(others.isClosed())
    others.abort()
    refused((await ask("DELETE", place, { cookie, headers: forged })) as never, 401)
    succeeded(await pair.service.call("POST", `/api/v1/testing/journey-runs/${runId}/cancel`))
  }, 60_000)

  it("ends with its key, at once and everywhere: revoked, expired, rolled, deleted", async () => {
    for (const [how, end] of [
      ["revoked", (id: string) => pair.service.call("DELETE", `/api/v1/settings/api-keys/${id}`)],
      ["rolled", (id: string) => pair.service.call("POST", `/api/v1/settings/api-keys/${id}/roll`)],
      [
        "expired",
        (id: string) =>
          rows(pair.database, "UPDATE api_key SET expires_at = clock_timestamp() WHERE id = $1", [id])
      ],
      ["deleted", (id: string) => rows(pair.database, "DELETE FROM api_key WHERE id = $1", [id])]
    ] as const) {
      const made = await makeKey()
      const cookie = await signedIn({ apiKey: made.key })
      for (const on of [pair.service, pair.sibling])
        assert.strictEqual((await ask("GET", place, { cookie, on })).status, 200)
      await end(made._id)
      for (const on of [pair.sibling, pair.service]) {
        refused((await ask("GET", place, { cookie, on })) as never, 401)
        refused((await ask("GET", "/api/v1/machines", { cookie, on })) as never, 401)
      }
      refused((await signIn({ apiKey: made.key })).answer as never, 401, /signs nobody in/)
      assert.isNull((await signIn({ apiKey: made.key })).answer.headers.get("set-cookie"), how)
    }
  }, 60_000)

  it("ends after 12 hours without use and after 7 days", async () => {
    const [idle, old, used] = [await signedIn(), await signedIn(), await signedIn()]
    const idOf = async (cookie: string) => {
      const hash = await crypto.subtle.digest("SHA-256", Buffer.from(cookie.split("=")[1]!))
      return (await rows(pair.database, "SELECT id FROM session WHERE hash = $1", [Buffer.from(hash)]))[0]![
        "id"
      ]
    }
    await rows(
      pair.database,
      "UPDATE session SET last_used_at = clock_timestamp() - interval '12 hours' WHERE id = $1",
      [await idOf(idle)]
    )
    await rows(pair.database, "UPDATE session SET expires_at = clock_timestamp() WHERE id = $1", [
      await idOf(old)
    ])
    await rows(
      pair.database,
      "UPDATE session SET last_used_at = clock_timestamp() - interval '11 hours' WHERE id = $1",
      [await idOf(used)]
    )
    assert.deepStrictEqual(
      await Promise.all(
        [idle, old, used].map(async (cookie) => (await ask("GET", place, { cookie })).status)
      ),
      [401, 401, 200]
    )
    const [row] = await rows(
      pair.database,
      "SELECT last_used_at > clock_timestamp() - interval '1 minute' fresh FROM session WHERE id = $1",
      [await idOf(used)]
    )
    assert.isTrue(row!["fresh"], "its use is noted")
  }, 60_000)

  it("counts against the rate of its key, and leaves its key's other rules as they are", async () => {
    const limited = await startService({ DATABASE_URL: pair.database, RATE_LIMITS: "requests=5" })
    try {
      const made = await makeKey(["read"])
      const { cookie } = await signIn({ apiKey: made.key }, { on: limited })
      const statuses = []
      for (let at = 0; at < 6; at++)
        statuses.push(
          (await ask("GET", at % 2 === 0 ? place : "/api/v1/machines", { cookie, on: limited })).status
        )
      // The sign-in was the first of the five.
      assert.deepStrictEqual(statuses, [200, 200, 200, 200, 429, 429])
    } finally {
      await limited.kill("SIGTERM")
    }
  }, 60_000)

  it("is in the audit log when it begins and when it ends, with the key and without a secret", async () => {
    const made = await makeKey()
    const cookie = await signedIn({ apiKey: made.key })
    await ask("DELETE", place, { cookie, headers: forged })
    const entries = succeeded(
      await pair.service.call("GET", `/api/v1/settings/audit?keyId=${made._id}&limit=20`)
    )
    const [out, begun] = entries.filter(({ action }: any) => action.startsWith("session."))
    assert.deepInclude(begun, { action: "session.signIn", status: 201, target: null })
    assert.deepInclude(out, { action: "session.signOut", status: 200, result: begun.result })
    assert.match(begun.result, /^ses_a[0-9a-f]{32}$/)
    assert.strictEqual(begun.key._id, made._id)
    assert.isString(begun.requestId)
    const secret = cookie.split("=")[1]!
    assert.notInclude(JSON.stringify(entries), secret)
    assert.notInclude(pair.service.output(), secret)
    assert.notInclude(JSON.stringify(await storedRows(pair.database)), secret)
  }, 60_000)

  it("with https has a cookie of this host alone, over encrypted connections alone", async () => {
    const behindProxy = await startService({
      DATABASE_URL: pair.database,
      PUBLIC_URL: "https://plugfest.example.com"
    })
    try {
      const { cookie, set } = await signIn({ apiKey: key }, { on: behindProxy })
      assert.match(
        set,
        /^__Host-plugfest=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=604800$/
      )
      const at = { cookie, on: behindProxy }
      assert.strictEqual((await ask("GET", place, at)).status, 200)
      const renamed = cookie.replace("__Host-plugfest", "plugfest_session")
      refused((await ask("GET", place, { ...at, cookie: renamed })) as never, 401)
      for (const [origin, status] of [
        ["https://plugfest.example.com", 200],
        [behindProxy.url, 403],
        [behindProxy.url.replace("http:", "https:"), 200],
        ["http://plugfest.example.com", 403],
        ["https://plugfest.example.com.evil.example", 403]
      ] as const)
        assert.strictEqual((await ask("GET", place, { ...at, headers: { origin } })).status, status, origin)
    } finally {
      await behindProxy.kill("SIGTERM")
    }
  })
})
