/** Rows about results that a partner posts late, twice or never, and about busy partners. */

import { randomBytes } from "node:crypto"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { readLines, writesOf } from "../../../test/support/service/oracle.ts"
import { type Service, sleep, until } from "../../../test/support/service/Service.ts"
import { Requirements, type Row } from "../world/Row.ts"
import { openWorld, type World, within } from "../world/World.ts"
import { judge } from "../world/zeros.ts"

/** The response_url of that command of the run; undefined: it was not sent. */
export const responseUrl = (world: World, runId: string, command: string): string | undefined => {
  const sent = world.proxy.passed.find(
    ({ correlationId, path }) => correlationId === runId && path.endsWith(`/commands/${command}`)
  )
  return sent === undefined ? undefined : JSON.parse(sent.body).response_url
}

/** The token that we issued to the partner that registered last. */
export const issuedToken = (world: World): string => {
  const body = world.proxy.passed.findLast(
    ({ method, path }) => method === "POST" && path.endsWith("/credentials")
  )?.body
  return JSON.parse(body ?? "{}").token
}

/** The most characters of one text in a result (types, DisplayText). */
const textLength = 512

/** Texts that together have so many bytes, each of the greatest length. */
const texts = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / textLength) }, () => ({
    language: "en",
    text: randomBytes(textLength / 2).toString("hex")
  }))

/** Posts a result as the partner does, with `bytes` of text; returns the HTTP status. */
export const tell = async (url: string, token: string, result: string, bytes = 0): Promise<number> => {
  const message = bytes === 0 ? {} : { message: texts(bytes) }
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Token ${Buffer.from(token).toString("base64")}`,
      "content-type": "application/json"
    },
    body: JSON.stringify({ result, ...message })
  })
  return answer.status
}

const reportOf = async (service: Service, runId: string) => {
  const { body, text } = await service.call("GET", `/api/v1/testing/runs/${runId}`)
  return { verdict: body.data.verdict as string | null, revision: body.data.revision as number, text }
}

/** Counts of what happened to the results of one round. */
interface Told {
  readonly must: Requirements
  /** HTTP statuses of results that came too often, too late or too soon. */
  readonly answers: Array<number>
  changed: number
}

/** Results after the end of a run change nothing. */
async function toldAfterTheEnd(world: World, runId: string, tell: Tell, told: Told): Promise<void> {
  await world.settle([runId], 90)
  const [service] = world.services()
  const before = await reportOf(service!, runId)
  told.must.require(before.verdict !== null, `${runId} did not end`)
  for (const result of ["REJECTED", "FAILED", "ACCEPTED"]) told.answers.push(await tell(result))
  await sleep(1500)
  const after = await reportOf(service!, runId)
  if (after.text !== before.text) told.changed += 1
}

type Tell = (result: string) => Promise<number>

const linesOf = async (world: World, runId: string) =>
  (await readLines(world.database, runId)).map(({ event }) => event)

const inboundResults = async (world: World, runId: string) =>
  (await linesOf(world, runId))
    .filter(isEventOf("inbound.received"))
    .filter(({ exchange }) => exchange.module === "commands")

/** The same result again, a different one, one with a wrong token, and one for no command. */
async function tooMany(world: World, service: Service, told: Told): Promise<void> {
  const { must } = told
  const connectionId = await world.partner(service)
  const token = issuedToken(world)
  const runId = (await world.start(service, connectionId))!
  await until(`the result of the start of ${runId}`, async () => {
    const { stages } = await world.status(runId)
    return stages.find(({ id }: any) => id === "start-result")?.state === "completed" || undefined
  })
  const url = responseUrl(world, runId, "START_SESSION")!
  const stranger = await tell(url, "somebody-elses-token-0123456789", "REJECTED")
  must.require(stranger === 401, `a wrong token was answered ${stranger}`)
  // The first result counted; the others must change nothing.
  for (const result of ["ACCEPTED", "REJECTED"]) told.answers.push(await tell(url, token, result))
  const guess = await tell(url.replace(/cmd_\w+$/, `cmd_${"0".repeat(32)}`), token, "ACCEPTED")
  must.require(guess >= 400 && guess < 500, `a result for no command was answered ${guess}`)
  await toldAfterTheEnd(world, runId, (result) => tell(url, token, result), told)
}

/** A result before the answer to the command counts, and the partner's own result is then a duplicate. */
async function tooSoon(world: World, service: Service, told: Told): Promise<void> {
  const connectionId = await world.partner(service)
  const token = issuedToken(world)
  let url = ""
  const sent = new Promise<void>((resolve) => {
    world.proxy.ahead = async ({ body, path }) => {
      if (url !== "" || !path.endsWith("/commands/START_SESSION")) return
      url = JSON.parse(body).response_url
      told.answers.push(await tell(url, token, "ACCEPTED"))
      resolve()
    }
  })
  const runId = (await world.start(service, connectionId))!
  await sent
  await toldAfterTheEnd(world, runId, (result) => tell(url, token, result), told)
  const events = await linesOf(world, runId)
  const answered = events
    .filter(isEventOf("exchange.completed"))
    .find(({ exchange }) => exchange.operation === "START_SESSION")
  const [first] = await inboundResults(world, runId)
  const before = Date.parse(first?.exchange.startedAt ?? "") <= endOf(answered?.exchange)
  told.must.require(before, `${runId}: the result was not there before the answer`)
  const blamed = events.flatMap(({ assertions }) =>
    assertions.filter(({ id, outcome }) => id.startsWith("start-") && outcome !== "passed")
  )
  told.must.require(blamed.length === 0, `${runId}: a result that came soon was ${blamed[0]?.message}`)
}

/** A result that never comes is held against the partner; one that still comes is late and changes nothing. */
async function never(world: World, service: Service, told: Told): Promise<void> {
  const connectionId = await world.partner(service, { faults: ["commands.no-result"] })
  const token = issuedToken(world)
  const runId = (await world.start(service, connectionId, "remote-start", { waitSeconds: 3 }))!
  const expired = async () =>
    (await linesOf(world, runId)).some(
      ({ stageId, type }) => type === "wait.expired" && stageId === "start-result"
    )
  await until(`${runId} to give up waiting`, async () => ((await expired()) ? true : undefined))
  const url = responseUrl(world, runId, "START_SESSION")!
  told.answers.push(await tell(url, token, "ACCEPTED"))
  await toldAfterTheEnd(world, runId, (result) => tell(url, token, result), told)
  const held = (await linesOf(world, runId)).flatMap(({ assertions }) =>
    assertions.filter(({ id, outcome }) => id.startsWith("start-result.") && outcome === "failed")
  )
  told.must.require(held.length > 0, `${runId}: a result that never came is held against nobody`)
  const [late] = await inboundResults(world, runId)
  const relation = late?.data?.relation
  told.must.require(relation === "late", `${runId}: a late result stands there as ${relation}`)
}

const endOf = (exchange: { readonly startedAt: string; readonly durationMs: number } | undefined): number =>
  exchange === undefined ? Number.NaN : Date.parse(exchange.startedAt) + exchange.durationMs

const lateResults: Row = {
  id: "P9",
  fault:
    "results of commands that come twice, otherwise, late, never, before our own 200, or with a wrong token",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const told: Told = { must, answers: [], changed: 0 }
      const service = await world.boot()
      const rounds = ground.count(5, 1)
      for (let round = 0; round < rounds; round++) {
        // One after the other, because each needs the token that was issued last.
        await tooSoon(world, service, told)
        world.proxy.ahead = undefined
        await tooMany(world, service, told)
        await never(world, service, told)
      }
      must.require(told.changed === 0, `${told.changed} reports changed after their runs were over`)
      must.require(
        told.answers.every((status) => status < 500),
        `answers ${told.answers.join(" ")}`
      )
      const { details, lines, zeros } = await judge(world, { rude: true })
      return {
        tried: `${3 * rounds} runs: ${rounds} with a result before the answer, ${rounds} with results too many, ${rounds} without; ${told.answers.length} results told, ${rounds} with a wrong token, ${rounds} for no command`,
        figure: `the first one counted ${2 * rounds}/${2 * rounds}, never = timed out ${rounds}/${rounds}, then late; verdicts changed after the end ${told.changed} (bar 0); wrong tokens refused ${rounds}/${rounds}`,
        zeros,
        lines,
        broken: [...must.broken, ...details]
      }
    })
}

const busy: Row = {
  id: "P10",
  fault: "partners that answer 429, 503 and 500",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const refusals: Array<string> = []
      let gets = 0
      let writes = 0
      for (const status of [429, 503, 500]) {
        for (const method of ["GET", "POST"]) {
          const connectionId = await world.partner(service)
          let refused = 0
          world.proxy.meddle = (request, answer) => {
            const aimed =
              request.method === method &&
              request.path.includes(method === "GET" ? "/locations" : "/commands/")
            if (!aimed || (method === "GET" && refused >= 2)) return false
            refused += 1
            answer.writeHead(status, { "retry-after": "1", "content-type": "application/json" })
            answer.end(JSON.stringify({ status_code: 3000, timestamp: "2026-01-01T00:00:00Z" }))
            return true
          }
          const runId = (await world.start(service, connectionId, "remote-start", { waitSeconds: 3 }))!
          const [view] = await world.settle([runId], 120)
          world.proxy.meddle = undefined
          must.require(view.status === "completed", `${method} ${status}: the run is ${view.status}`)
          const sent = writesOf(world.proxy.passed, runId)
          const again = sent.length - new Set(sent).size
          must.require(again === 0, `${method} ${status}: ${again} writes were repeated`)
          if (method === "GET") gets += refused
          else writes += refused
          refusals.push(`${method} ${status}`)
        }
      }
      const { details, lines, zeros } = await judge(world, { rude: true })
      return {
        tried: `${refusals.join(", ")}, each in a run of its own`,
        figure: `GETs refused ${gets}, writes refused ${writes}, writes repeated ${must.broken.length} (bar 0)`,
        zeros,
        lines,
        broken: [...must.broken, ...details]
      }
    })
}

/** Rows about results, in order. */
export const resultRows: ReadonlyArray<Row> = [lateResults, busy]
