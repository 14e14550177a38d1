/** Rows about what a partner says later, twice or never, and about partners who are busy. */

import { writesOf } from "../../test/end-to-end/oracle.ts"
import type { Service } from "../../test/end-to-end/Service.ts"
import { sleep, until } from "../../test/end-to-end/Service.ts"
import { Requirements, type Row } from "./Row.ts"
import { openWorld, type World, within } from "./World.ts"
import { judge } from "./zeros.ts"

/** Where the partner is to send the result of that command of the run. */
const responseUrl = (world: World, runId: string, command: string): string | undefined => {
  const sent = world.proxy.passed.find(
    ({ correlationId, path }) => correlationId === runId && path.endsWith(`/commands/${command}`)
  )
  return sent === undefined ? undefined : JSON.parse(sent.body).response_url
}

/** What we gave the partner that registered last to call us with. */
const issuedToken = (world: World): string => {
  const body = world.proxy.passed.findLast(
    ({ method, path }) => method === "POST" && path.endsWith("/credentials")
  )?.body
  return JSON.parse(body ?? "{}").token
}

const tell = async (url: string, token: string, result: string): Promise<number> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Token ${Buffer.from(token).toString("base64")}`,
      "content-type": "application/json"
    },
    body: JSON.stringify({ result })
  })
  return answer.status
}

const reportOf = async (service: Service, runId: string) => {
  const { body, text } = await service.call("GET", `/api/v1/testing/runs/${runId}`)
  return { verdict: body.data.verdict as string | null, revision: body.data.revision as number, text }
}

const lateResults: Row = {
  id: "P9",
  fault: "results of commands that come twice, otherwise, late, or with a wrong token",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const rounds = ground.count(5, 2)
      const answers: Array<number> = []
      let changed = 0
      for (let round = 0; round < rounds; round++) {
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
        // The first one counted; the same again and another one change nothing.
        for (const result of ["ACCEPTED", "REJECTED"]) answers.push(await tell(url, token, result))
        const guess = await tell(url.replace(/cmd_\w+$/, `cmd_${"0".repeat(32)}`), token, "ACCEPTED")
        must.require(guess >= 400 && guess < 500, `a result for no command was answered ${guess}`)
        await world.settle([runId], 90)
        const before = await reportOf(service, runId)
        must.require(before.verdict !== null, `${runId} did not end`)
        for (const result of ["REJECTED", "FAILED", "ACCEPTED"]) answers.push(await tell(url, token, result))
        await sleep(1500)
        const after = await reportOf(service, runId)
        if (after.text !== before.text) changed += 1
      }
      must.require(changed === 0, `${changed} reports changed after their runs were over`)
      must.require(
        answers.every((status) => status < 500),
        `answers ${answers.join(" ")}`
      )
      const { details, lines, zeros } = await judge(world, { rude: true })
      return {
        tried: `${rounds} runs; ${answers.length} results too many, ${rounds} with a wrong token, ${rounds} for no command`,
        figure: `verdicts changed after the end ${changed} (bar 0); wrong tokens refused ${rounds}/${rounds}`,
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

export const resultRows: ReadonlyArray<Row> = [lateResults, busy]
