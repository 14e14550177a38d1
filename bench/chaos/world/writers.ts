/**
 * Writes without pause through a balancer, so that some are under way whenever a process is killed: of clients that send an
 * Idempotency-Key, and of a partner that pushes sessions and CDRs. Each is looked for afterwards.
 */
import { randomUUID } from "node:crypto"
import { maxScenarios } from "../../../src/services/accounts/RateLimits.ts"
import { rows } from "../../../test/support/service/database.ts"
import { sleep } from "../../../test/support/service/Service.ts"
import { ownExample } from "../attacks/members.ts"
import { issuedToken } from "../rows/results.ts"
import type { Caller, World } from "./World.ts"

/** Writers at work. */
export interface Writers {
  readonly stop: () => Promise<void>
  /** How many writes were answered with success: of clients, and of the partner. */
  readonly counts: () => { readonly clients: number; readonly partner: number }
  /** The longest time to the success of a client's write, in milliseconds. */
  readonly slowest: () => number
  /** How many writes of clients took longer than that, in milliseconds. */
  readonly slowerThan: (millis: number) => number
  /** 503 that a client repeated until it had success. */
  readonly repeated: () => number
  /** What is wrong: answers, and writes that are there twice or not at all. */
  readonly faults: () => Promise<ReadonlyArray<string>>
}

const version = "2.2.1"
/** How long a client repeats a request that is answered 503. */
const patienceMillis = 60_000

/** Starts so many clients and one partner's calls at a time as many. */
export async function startWriters(world: World, through: Caller, many: number): Promise<Writers> {
  const connectionId = await world.partner(through, { activity: "quiet" })
  const token = issuedToken(world)
  const { body } = await through.call<any>("GET", `/api/v1/connections/${connectionId}`)
  const [{ countryCode: country, partyId: party }] = body.data.partner
  const wrong: Array<string> = []
  const made = new Map<string, string>()
  const pushed = new Set<string>()
  const times: Array<number> = []
  let repeated = 0
  let going = true

  const write = async () => {
    // An account may have so many scenarios and no more.
    if (made.size >= maxScenarios - many) return sleep(100)
    const name = `written-${randomUUID()}`
    const began = performance.now()
    for (;;) {
      const answer = await through
        .call<any>(
          "POST",
          "/api/v1/testing/scenarios",
          { name, templateId: "first-reads" },
          { "idempotency-key": name }
        )
        .catch(() => undefined)
      if (answer?.status === 201) {
        made.set(name, answer.body.data.id)
        times.push(performance.now() - began)
        return
      }
      if (answer?.status !== 503 || performance.now() - began > patienceMillis) {
        wrong.push(`${answer?.status ?? "no answer"} to a scenario: ${answer?.text ?? ""}`)
        return
      }
      repeated += 1
      await sleep(1000 * Number(answer.headers.get("retry-after") ?? 1))
    }
  }

  const push = async (turn: number) => {
    const requestId = randomUUID()
    const object = turn % 2 === 0 ? "Session" : "CDR"
    const id = `W-${requestId}`.slice(0, 36)
    const json = { ...ownExample({ ...member, country, party }, object), id }
    const path = turn % 2 === 0 ? `sessions/${country}/${party}/${id}` : "cdrs"
    const answer = await through
      .call(turn % 2 === 0 ? "PUT" : "POST", `/ocpi/${version}/${path}`, json, {
        authorization: `Token ${Buffer.from(token).toString("base64")}`,
        "x-request-id": requestId,
        "x-correlation-id": requestId
      })
      .catch(() => undefined)
    if (answer !== undefined && answer.status < 300) pushed.add(requestId)
    else wrong.push(`${answer?.status ?? "no answer"} to a partner's ${object}: ${answer?.text ?? ""}`)
  }

  const again = async (act: (turn: number) => Promise<void>) => {
    for (let turn = 0; going; turn++) {
      await act(turn)
      await sleep(5)
    }
  }
  const working = Array.from({ length: many }, () => [again(write), again(push)]).flat()

  const faults = async () => {
    const scenarios = await rows(
      world.database,
      "select id from scenario where draft::text like '%written-%'"
    )
    const recorded = await rows(
      world.database,
      `select exchange->'request'->'headers'->>'x-request-id' as request, count(*)::int as times from party_exchange
       where direction = 'inbound' and exchange->'request'->'headers'->>'x-request-id' is not null
       group by party_id, request`
    )
    const there = new Set(scenarios.map(({ id }: any) => id))
    const known = new Set(recorded.map(({ request }: any) => request))
    const twice = recorded.filter(({ times }: any) => times > 1)
    const count = (many: number, what: string) => (many === 0 ? [] : [`${what}: ${many}`])
    return [
      ...wrong,
      ...count([...made.values()].filter((id) => !there.has(id)).length, "scenarios lost"),
      ...count(there.size - new Set(made.values()).size, "scenarios made twice"),
      ...count(made.size - new Set(made.values()).size, "keys that got the scenario of another"),
      ...count([...pushed].filter((id) => !known.has(id)).length, "calls of the partner without a record"),
      ...count(twice.length, "calls of partners recorded twice")
    ]
  }
  return {
    stop: async () => {
      going = false
      await Promise.all(working)
    },
    counts: () => ({ clients: made.size, partner: pushed.size }),
    slowest: () => Math.max(0, ...times),
    slowerThan: (millis) => times.filter((time) => time > millis).length,
    repeated: () => repeated,
    faults
  }
}

const member = {
  version,
  ourRole: "EMSP",
  authorization: "",
  resultUrl: undefined
} as const
