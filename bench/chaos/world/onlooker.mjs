// A client that wants nothing but its answers, as a process of its own: plain Node, told by its environment what to ask.
// ONLOOKER_URL, ONLOOKER_KEY, ONLOOKER_RUN (a run that waits), ONLOOKER_PID (the service's process). It asks for
// /health/live and for the run every 50 ms and follows the run's stream. Each line on its stdin is answered by one on its
// stdout: { asked, slowest, slowestWhat, slowestWall, wrong, streams } since the line before. `slowest` is without the time
// in which the service or the onlooker itself were ready and had no processor: that is the doing of others on the machine.
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

const { ONLOOKER_KEY: key, ONLOOKER_PID: pid, ONLOOKER_RUN: runId, ONLOOKER_URL: url } = process.env
const headers = { authorization: `Bearer ${key}` }
const run = `/api/v1/testing/journey-runs/${runId}`
const open = new Map()
let heard = nothing()

function nothing() {
  return { asked: 0, slowest: 0, slowestWhat: "", slowestWall: 0, wrong: [], streams: 0 }
}

/** Milliseconds that a thread was ready and had no processor. */
const waited = (id) => {
  try {
    return Number(readFileSync(`/proc/${id}/task/${id}/schedstat`, "utf8").split(" ")[1]) / 1e6
  } catch {
    return 0
  }
}

const note = (what, { began, own, theirs }) => {
  const wall = performance.now() - began
  const counted = Math.max(0, wall - (waited(process.pid) - own) - (waited(pid) - theirs))
  if (counted > heard.slowest)
    Object.assign(heard, { slowest: counted, slowestWhat: what, slowestWall: wall })
}

async function asking(path) {
  for (;;) {
    const request = { began: performance.now(), own: waited(process.pid), theirs: waited(pid) }
    open.set(path, request)
    try {
      const answer = await fetch(url + path, { headers, signal: AbortSignal.timeout(60_000) })
      await answer.text()
      if (answer.status !== 200) heard.wrong.push(`${path} ${answer.status}`)
    } catch (error) {
      heard.wrong.push(`${path} ${error.cause?.code ?? error.name}`)
    }
    heard.asked += 1
    note(path, request)
    open.delete(path)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function following() {
  let last = ""
  for (;;) {
    try {
      heard.streams += 1
      const more = last === "" ? {} : { "last-event-id": last }
      const answer = await fetch(`${url}${run}/stream`, { headers: { ...headers, ...more } })
      for await (const chunk of answer.body)
        last = /^id: (\d+)$/m.exec(Buffer.from(chunk).toString())?.[1] ?? last
    } catch {
      // Counted when it is opened again.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

createInterface({ input: process.stdin }).on("line", () => {
  // Who still waits for an answer waits already too long, perhaps.
  for (const [path, request] of open) note(path, request)
  process.stdout.write(`${JSON.stringify(heard)}\n`)
  heard = nothing()
})
process.stdin.on("end", () => process.exit(0))
void asking("/health/live")
void asking(run)
void following()
