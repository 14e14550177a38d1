/** Rates and quotas over two server processes on one database. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../support/service/command.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { type Answer, connectSandbox, type Service, startService, until } from "../support/service/Service.ts"
import { refused, retryAfter, succeeded } from "../support/service/shapes.ts"

const api = "/api/v1"
const requests = 100

describe("two processes with the limits of one", () => {
  let env: Record<string, string>
  let here: Service
  let there: Service

  beforeAll(async () => {
    env = {
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      LEASE_SECONDS: "2",
      RATE_LIMITS: `requests=${requests},commands=3,connectionCommands=50,runs=3,streams=2,connections=4`
    }
    here = await startService(env)
    env = { ...env, PUBLIC_URL: here.url }
    there = await startService(env)
  }, 90_000)
  afterAll(async () => {
    await Promise.all([here?.kill("SIGTERM"), there?.kill("SIGTERM")])
  })

  /** A key of a new account: its rates are full. */
  const newKey = async (account: string) => {
    const secret = await makeKey({ DATABASE_URL: env["DATABASE_URL"]! }, account)
    const headers = { authorization: `Bearer ${secret}` }
    const as = (service: Service): Service => ({
      ...service,
      call: (method, path, body, more = {}) => service.call(method, path, body, { ...headers, ...more })
    })
    return { secret, here: as(here), there: as(there) }
  }

  it("allow a key its requests a minute and no more, and another account its own", async () => {
    const burst = await newKey("burst")
    const modest = await newKey("modest")
    const started = performance.now()
    const answers = await Promise.all(
      Array.from({ length: requests + 60 }, (_, index) =>
        (index % 2 === 0 ? burst.here : burst.there).call("GET", `${api}/testing/suites`)
      )
    )
    const refilled = ((performance.now() - started) / 60_000) * requests
    const allowed = answers.filter(({ status }) => status === 200)
    // What a process has taken in stock and not used may be missing, and nothing is given twice.
    assert.isAtMost(allowed.length, requests + Math.ceil(refilled))
    assert.isAtLeast(allowed.length, requests - 12)
    for (const answer of answers) {
      const { q, r, t } = rateFields(answer)
      assert.strictEqual(q, requests)
      if (answer.status === 200) continue
      refused(answer, 429, /100 requests a minute/)
      assert.strictEqual(r, 0)
      assert.isAtLeast(retryAfter(answer), t)
    }
    const others = await Promise.all([
      modest.here.call("GET", `${api}/testing/suites`),
      modest.there.call("GET", `${api}/testing/suites`)
    ])
    for (const answer of others) succeeded(answer)
  }, 30_000)

  it("count commands, connections and runs of both, also when many are asked for at once", async () => {
    const owner = await newKey("quotas")
    const { connectionId, partner } = await connectSandbox(owner.here, { speed: 1 })
    const each = (count: number, path: string, body: object) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          (index % 2 === 0 ? owner.here : owner.there).call("POST", api + path, body)
        )
      )
    const commands = await each(6, "/testing/command", { connectionId, command: "UNLOCK_CONNECTOR" })
    const limited = commands.filter(({ status }) => status === 429)
    assert.lengthOf(limited, 3)
    for (const answer of limited) {
      refused(answer, 429, /3 commands a minute a key/)
      assert.match(String(answer.headers.get("ratelimit-policy")), /^"commands-a-key";q=3;w=60$/)
      assert.isAtLeast(retryAfter(answer), rateFields(answer).t)
    }

    const connection = {
      ...{ ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1", tokenA: "token-of-a-quota-test" },
      partnerBaseUrl: partner.partnerBaseUrl
    }
    const made = await each(8, "/connections", connection)
    assert.lengthOf(
      made.filter(({ status }) => status === 201),
      3
    )
    for (const answer of made) if (answer.status !== 201) refused(answer, 429, /4 connections/)

    const runs = await each(8, "/testing/journey-runs", { connectionId, templateId: "remote-start" })
    const begun = runs.filter(({ status }) => status === 202)
    assert.lengthOf(begun, 3)
    for (const answer of runs) if (answer.status !== 202) refused(answer, 429, /3 runs at once/)
    const account = succeeded(await owner.there.call("GET", `${api}/settings/account`))
    assert.deepInclude(account.limits.runs, { limit: 3, used: 3 })
    assert.strictEqual(account.limits.commands.used, 3)
  }, 30_000)

  it("count the streams of both, and those of a process that was killed no longer than it seems alive", async () => {
    const owner = await newKey("streams")
    const doomed = await startService(env)
    const { connectionId } = await connectSandbox(owner.here, { speed: 1 })
    const order = { connectionId, templateId: "remote-start" }
    const { runId } = succeeded(await owner.here.call("POST", `${api}/testing/journey-runs`, order), 202)
    const path = `${api}/testing/journey-runs/${runId}/stream`
    const controller = new AbortController()
    const open = ({ url }: Service) =>
      fetch(url + path, {
        headers: { authorization: `Bearer ${owner.secret}` },
        signal: controller.signal
      })
    assert.strictEqual((await open(doomed)).status, 200)
    assert.strictEqual((await open(there)).status, 200)
    const third = await owner.here.call("GET", path)
    refused(third, 429, /2 event streams/)
    retryAfter(third)
    const killed = performance.now()
    await doomed.kill("SIGKILL")
    const again = await until("the streams of the dead to be counted off", async () => {
      const answer = await open(here)
      return answer.status === 200 ? answer : undefined
    })
    assert.strictEqual(again.status, 200)
    assert.isBelow(performance.now() - killed, 5000)
    controller.abort()
  }, 30_000)
})

/** Both fields as RFC 9651 has them: a list of one string with integer parameters. */
function rateFields({ headers }: Answer) {
  const policy = /^"([a-z-]+)";q=(\d+);w=60$/.exec(String(headers.get("ratelimit-policy")))
  const limit = /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(String(headers.get("ratelimit")))
  assert.isNotNull(policy)
  assert.isNotNull(limit)
  assert.strictEqual(policy![1], limit![1])
  return { q: Number(policy![2]), r: Number(limit![2]), t: Number(limit![3]) }
}
