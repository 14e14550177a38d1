/** Row 19: calls with tokens that nobody has issued. The operator's log tells of them, in few lines that hold nothing of a token. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { type Service, until } from "../support/service/Service.ts"
import { storedRows } from "../support/service/storedRows.ts"
import { ask, attack, base64, Victim } from "./support/attack.ts"

const token = "never-issued-0123456789abcdef"
const calls = 300

describe("tokens that nobody has issued", () => {
  let victim: Victim
  let service: Service
  let database: string
  let told: ReadonlyArray<any> = []

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    victim = new Victim({ DATABASE_URL: database, LOG_FORMAT: "json" })
    service = await victim.alive()
  }, 60_000)
  afterAll(async () => {
    attack("19", `${calls} calls`, `${told.length} lines of the log`)
    await victim?.end()
  })

  const linesSoFar = () =>
    service
      .output()
      .split("\n")
      .filter((line) => line.includes("OCPI calls were refused"))
      .map((line) => JSON.parse(line))

  it("are told of in the log, without what they hold, and leave no row", async () => {
    const before = await storedRows(database)
    const headers = [
      { authorization: `Token ${token}` },
      { authorization: `Token ${base64(token)}` },
      { authorization: token },
      { authorization: `Bearer ${token}` },
      {}
    ]
    const call = (at: number) =>
      ask(`${service.url}/ocpi/2.2.1/sessions/DE/CPO/${token}?t=${token}`, {
        method: "PUT",
        body: { id: token },
        headers: headers[at % headers.length]!
      })
    const statuses = new Set([(await call(0)).status])
    for (let at = 1; at < calls; at += 30) {
      const answers = await Promise.all(
        Array.from({ length: Math.min(30, calls - at) }, (_, index) => call(at + index))
      )
      for (const { status } of answers) statuses.add(status)
    }
    assert.deepStrictEqual([...statuses], [401])
    told = await until("a line", async () => (linesSoFar().length > 0 ? linesSoFar() : undefined))
    // A second one where a minute has begun meanwhile.
    assert.isAtMost(told.length, 2)
    const { address, authorization, method, module, version } = told[0]
    assert.deepStrictEqual(
      { address, authorization, method, module, version },
      {
        address: "127.0.0.1",
        authorization: `Token, ${token.length} characters`,
        method: "PUT",
        module: "sessions",
        version: "2.2.1"
      }
    )
    assert.notInclude(service.output(), token)
    assert.notInclude(service.output(), base64(token))
    assert.deepStrictEqual(await storedRows(database), before)
  }, 60_000)
})
