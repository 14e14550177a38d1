/** Row 4: what is matched against names of checks and modules, written so that a backtracking reader never ends. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { connectSandbox } from "../../support/service/Service.ts"
import { api, attack, isRefusal, seconds, shown, Victim } from "../support/attack.ts"
import { bearable, type Lag, worst } from "../support/lag.ts"

const long = 200_000
const stars = (count: number, between: string) => Array.from({ length: count }, () => `*${between}`).join("")

/** Orders whose lists and texts are hard to match, or hard to hold. */
const orders: Readonly<Record<string, object>> = {
  "ten stars": { checks: [`${stars(10, "")}#`] },
  "twenty stars": { checks: [`${stars(20, "")}#`] },
  "twenty stars and a letter": { checks: [`${stars(20, "e")}#`] },
  "stars and dots": { checks: [`${stars(20, "-")}#`] },
  "forty stars": { checks: [`${stars(40, "0")}#`] },
  "a thousand stars": { checks: [`${stars(1000, "")}#`] },
  "stars alone": { checks: ["*".repeat(5000)] },
  "a hundred thousand stars": { checks: ["*".repeat(long)] },
  "a long text": { checks: ["a".repeat(long)] },
  "question marks": { checks: [`${"?".repeat(60)}#`] },
  braces: { checks: [`${"{a,b}".repeat(30)}`] },
  brackets: { checks: [`${"[a-z]*".repeat(20)}#`] },
  "plus signs": { checks: [`${"(a+)+".repeat(20)}#`] },
  "many globs": { checks: Array.from({ length: 20_000 }, () => "*a*b*c*d") },
  "many globs that differ": { checks: Array.from({ length: 9000 }, (_, at) => `*${at}*e*e*e*`) },
  "many modules": { modules: Array.from({ length: 30_000 }, (_, at) => `m${at}`) },
  "a long module": { modules: ["m".repeat(long)] },
  "many accepted": {
    accept: Array.from({ length: 2000 }, (_, at) => ({
      checkId: `*${at}*e*e*e*e*#`,
      reason: "r",
      owner: "o",
      expires: "2099-01-01T00:00:00Z"
    }))
  },
  "a long only": { only: `failed-of:${"x".repeat(long)}` },
  "a long suite": { suiteId: "s".repeat(long) }
}

/** Queries of reads that compare texts. */
const queries: ReadonlyArray<string> = [
  `/testing/runs?kind=${"*".repeat(4000)}`,
  `/testing/runs?status=${"a".repeat(4000)}`,
  `/testing/runs?cursor=${"A".repeat(8000)}`,
  `/connections?status=${"%2a".repeat(2000)}`,
  `/testing/journeys?target=${"a".repeat(8000)}`,
  `/settings/audit?keyId=${"*".repeat(8000)}`,
  `/machines/${"*".repeat(4000)}`,
  `/testing/suites/${"(a+)+".repeat(1000)}`
]

describe("a pattern", () => {
  let victim: Victim
  let connectionId: string
  let other: string
  const lags: Array<Lag> = []
  let requests = 0
  let slowest = 0

  beforeAll(async () => {
    const database = { DATABASE_URL: await migratedDatabase(inject("pgUrl")) }
    victim = new Victim({ ...database })
    connectionId = (await connectSandbox(await victim.alive(), { activity: "quiet" })).connectionId
    other = await makeKey(database, "another")
  }, 60_000)
  afterAll(async () => {
    attack("4", `${requests} requests`, `slowest answer ${seconds(slowest)}`, worst(lags))
    await victim?.end()
  })

  for (const [shape, order] of Object.entries(orders)) {
    it(`of ${shape} stops nobody`, async () => {
      const service = await victim.alive()
      const body = JSON.stringify({ connectionId, suiteId: "ocpi-2.2.1-cpo-core", ...order })
      const heard = await bearable(shape, service, other, lags, () =>
        api(service, "/testing/runs", { method: "POST", body, within: 12_000 })
      )
      requests += 1
      slowest = Math.max(slowest, heard.millis)
      assert.notStrictEqual(heard.status, 0, `no answer in ${seconds(heard.millis)}`)
      if (heard.status === 202) {
        await api(service, `/testing/runs/${heard.json.data._id}/cancel`, { method: "POST" })
        return
      }
      isRefusal(shape, heard)
      assert.isBelow(heard.text.length, 4000, shown(heard.text))
    }, 60_000)
  }

  it("in a query stops nobody either", async () => {
    const service = await victim.alive()
    const heard = await bearable("queries", service, other, lags, () =>
      Promise.all(queries.map((query) => api(service, query, { within: 12_000 })))
    )
    requests += heard.length
    for (const [at, one] of heard.entries())
      assert.isTrue(
        one.status > 0 && one.status < 500,
        `${shown(queries[at]!, 60)}: ${one.status} ${shown(one.text)}`
      )
  }, 60_000)
})
