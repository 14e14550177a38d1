/** What others may try with the session of the console: pages of other origins, forms, guesses. */
import { assert, describe, it } from "vitest"
import { rows } from "../../support/service/database.ts"
import { guarded, operationsOf, requestOf } from "../../support/service/operations.ts"
import { key } from "../../support/service/Service.ts"
import { refused, succeeded } from "../../support/service/shapes.ts"
import { storedRows } from "../../support/service/storedRows.ts"
import { tried } from "../../support/tried.ts"
import { type Asked, browserAt, forged, pairOfServices, place } from "../support/browser.ts"

describe("a session of the console", () => {
  const pair = pairOfServices()
  const { ask, makeKey, signIn, signedIn } = browserAt(() => pair.service)

  it("is used by no page of another origin, on no operation of the document", async () => {
    const cookie = await signedIn()
    const own = new URL(pair.service.url).origin
    const operations = guarded(await operationsOf(pair.service))
    const before = await storedRows(pair.database)
    const foreign: ReadonlyArray<Readonly<Record<string, string>>> = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "" },
      { origin: own.replace("http:", "https:") },
      { origin: `${own}.evil.example` },
      { origin: own.replace(/:\d+$/, "") },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: own, "sec-fetch-site": "cross-site" }
    ]
    let requests = 0
    const no = async (method: string, path: string, more: Asked) => {
      requests += 1
      refused((await ask(method, path, { ...more, cookie })) as never, 403, /console/)
    }
    for (const operation of operations) {
      const { body, method, path } = requestOf(operation, {})
      const given = body === undefined ? {} : { body }
      for (const headers of foreign) await no(method, path, { ...given, headers: { ...forged, ...headers } })
      if (method === "GET") continue
      for (const headers of [
        {},
        { "x-plugfest-console": "0" },
        { "x-plugfest-console": "" },
        { origin: own },
        { "sec-fetch-site": "none", ...forged }
      ])
        await no(method, path, { ...given, headers })
    }
    assert.deepStrictEqual(await storedRows(pair.database), before)
    for (const headers of [
      { origin: own },
      { "sec-fetch-site": "same-origin", origin: own },
      { "sec-fetch-site": "none" },
      {}
    ])
      assert.strictEqual((await ask("GET", "/api/v1/machines", { cookie, headers })).status, 200)
    tried(
      "B30",
      ["every operation"],
      `${operations.length} operations, ${requests} requests, all 403, no row changed`
    )
  }, 120_000)

  it("is begun by no page of another origin, and by no form", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { origin: "null" }
    ]) {
      const { answer, set } = await signIn({ apiKey: key }, { headers })
      refused(answer as never, 403)
      assert.strictEqual(set, "")
    }
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x"
    ]) {
      const response = await fetch(pair.service.url + place, {
        method: "POST",
        headers: { "content-type": type },
        body: JSON.stringify({ apiKey: key })
      })
      assert.strictEqual(response.status, 415, type)
      assert.isNull(response.headers.get("set-cookie"))
    }
    const asked = await fetch(pair.service.url + place, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" }
    })
    assert.isNull(asked.headers.get("access-control-allow-origin"))
  }, 60_000)

  it("is never asked for where a key was sent, and never stands in for a wrong one", async () => {
    const cookie = await signedIn()
    for (const authorization of ["Bearer wrong", "Basic x", "Token x", ""])
      refused((await ask("GET", "/api/v1/machines", { cookie, headers: { authorization } })) as never, 401)
    const reader = await makeKey(["read"])
    const body = { name: "x", scopes: ["read"] }
    const headers = { authorization: `Bearer ${reader.key}`, ...forged }
    refused(
      (await ask("POST", "/api/v1/settings/api-keys", { cookie, body, headers })) as never,
      403,
      /lacks the scope/
    )
  }, 60_000)

  it("refuses what signs nobody in with one text, quotes nothing of it, and shows nothing of whose it is", async () => {
    const made = await makeKey()
    const turned = `${made.key.slice(0, -1)}${made.key.endsWith("a") ? "b" : "a"}`
    const said = new Set<string>()
    for (const credential of [
      { apiKey: turned },
      { apiKey: "" },
      { apiKey: "pf_live_x" },
      { code: "" },
      { code: "C".repeat(43) },
      { code: made.key.slice(0, 43) }
    ]) {
      const { answer } = await signIn(credential)
      said.add(refused(answer as never, 401))
      assert.isNull(answer.headers.get("set-cookie"))
    }
    assert.strictEqual(said.size, 1)
    for (const credential of [
      {},
      { apiKey: made.key, code: "x" },
      { apiKey: 1 },
      { code: ["plugfest-canary"] },
      [],
      "x",
      { apiKey: "k".repeat(600) }
    ]) {
      const { answer } = await signIn(credential)
      refused(answer as never, 400)
      assert.notMatch(answer.text, /plugfest-canary|kkkk|pf_live_/)
    }
  }, 60_000)

  it("stops guessing: after 20 failures of an address in a minute nobody signs in from there, in any process", async () => {
    await rows(pair.database, "DELETE FROM bucket WHERE name LIKE 'sign-in:%'")
    const wrong = { apiKey: "pf_live_guess" }
    const began = performance.now()
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => signIn(wrong, { on: at % 2 === 0 ? pair.service : pair.sibling }))
    )
    const refusals = all.filter(({ answer }) => answer.status === 401).length
    const refilled = Math.ceil((performance.now() - began) / 3000)
    assert.isTrue(refusals >= 20 && refusals <= 20 + refilled, `${refusals} tried`)
    const late = all.find(({ answer }) => answer.status === 429)!.answer
    assert.match(late.headers.get("retry-after") ?? "", /^[1-9]\d?$/)
    refused(late as never, 429, /20 failed sign-ins a minute/)
    await rows(
      pair.database,
      "UPDATE bucket SET level = 0, at = clock_timestamp() WHERE name LIKE 'sign-in:%'"
    )
    refused((await signIn({ apiKey: key })).answer as never, 429)
    succeeded(await pair.service.call("GET", "/api/v1/machines"))
    await rows(pair.database, "UPDATE bucket SET at = at - interval '1 minute' WHERE name LIKE 'sign-in:%'")
    for (let at = 0; at < 25; at++)
      assert.strictEqual((await signIn({ apiKey: key })).answer.status, 201, "who signs in costs nothing")
    tried("B37", [`${all.length} guesses`, "20 a minute"], `${refusals} tried`)
  })
})
