/** The readers of a feed, as a process of their own. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import http from "node:http"

/** Viewers in another process. `received`: frames of all of them; `latencies`: microseconds, sampled. */
export interface Viewers {
  readonly child: ChildProcess
  readonly frames: (atLeast: number) => Promise<void>
  readonly latencies: () => Promise<ReadonlyArray<number>>
}

/** Opens so many streams of the server on that port, and resolves when each has begun. */
export const openViewers = async (port: number, count: number): Promise<Viewers> => {
  const child = fork(process.argv[1]!, ["--viewers", `${count}`, "--port", `${port}`], {
    execArgv: []
  })
  const [ready] = await once(child, "message")
  if (ready !== "ready") throw new Error("the viewers did not connect")
  const ask = async (question: unknown) => {
    child.send(question as object)
    const [answer] = await once(child, "message")
    return answer as ReadonlyArray<number>
  }
  return {
    child,
    frames: async (atLeast) => void (await ask({ atLeast })),
    latencies: () => ask({ latencies: true })
  }
}

/** The process of the viewers: counts frames by their double line breaks, and reads the time from some of them. */
export function view(port: number, count: number): void {
  let frames = 0
  let connected = 0
  let wanted = Number.POSITIVE_INFINITY
  const latencies: Array<number> = []
  const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const countIn = (chunk: Buffer, splitBefore: boolean) => {
    if (splitBefore && chunk[0] === 10) frames += 1
    for (let at = chunk.indexOf("\n\n"); at >= 0; at = chunk.indexOf("\n\n", at + 2)) frames += 1
    if (frames >= wanted) {
      wanted = Number.POSITIVE_INFINITY
      process.send!([frames])
    }
  }
  for (let n = 0; n < count; n++) {
    http.get({ host: "127.0.0.1", port, agent }, (response) => {
      response.once("data", () => {
        // Did the network split a frame's end, so that one of its two line breaks is still to come?
        let split = false
        response.on("data", (chunk: Buffer) => {
          if (n % Math.ceil(count / 10) === 0) {
            const now = Number(process.hrtime.bigint() / 1000n)
            for (const [, at] of chunk.toString("latin1").matchAll(/"at":(\d+)/g))
              latencies.push(now - Number(at))
          }
          countIn(chunk, split)
          split = chunk.at(-1) === 10 && chunk.at(-2) !== 10 && !(split && chunk.length === 1)
        })
        connected += 1
        if (connected === count) process.send!("ready")
      })
    })
  }
  process.on("message", (question: { readonly atLeast?: number }) => {
    if (question.atLeast === undefined) process.send!(latencies)
    else {
      wanted = question.atLeast
      countIn(Buffer.alloc(0), false)
    }
  })
  process.on("disconnect", () => process.exit(0))
}
