// Loaded with `node --import` before the bundle, in tests only: says how long the event loop was held up, and holds it up
// when told so. A worker thread answers on LOOP_WATCH_PORT (loopback), so that there is an answer while the loop has none:
//   GET /       figures in milliseconds: `cpu` and `wall` of the longest time between two turns of the loop since the last
//               reset, the present one included; `open` of the present one; `rss` of the process in bytes
//   GET /reset  the same, and begins anew
//   GET /heap   { heap }: bytes that a full garbage collection leaves; answered by the loop itself
//   GET /block?ms=N  the loop computes nothing of use for so long, beginning now
// `cpu` is the processor time of the main thread alone: on a busy machine it is what the loop itself did with the time,
// however long others kept it from a processor. Where the system does not tell it (no /proc), it is the whole process's.
import { openSync, readSync } from "node:fs"
import { createServer } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"

const port = process.env.LOOP_WATCH_PORT
/** How often the loop is to have a turn. */
const turnMillis = 10
const [longestCpu, longestWall, lastWall, lastCpu] = [0, 1, 2, 3]

const wallNow = () => Number(process.hrtime.bigint()) / 1e6

/** Milliseconds of the processor that the main thread had so far. */
const makeCpuNow = () => {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r")
    const buffer = Buffer.alloc(64)
    const read = () =>
      Number.parseInt(buffer.toString("latin1", 0, readSync(file, buffer, 0, 64, 0)), 10) / 1e6
    if (read() > 0) return read
  } catch {
    // Not Linux.
  }
  return () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1000
  }
}

if (isMainThread && port !== undefined) watch()
else if (workerData?.loopWatch !== undefined) serve(workerData.loopWatch)

function watch() {
  const shared = new SharedArrayBuffer(4 * Float64Array.BYTES_PER_ELEMENT)
  const figures = new Float64Array(shared)
  const cpuNow = makeCpuNow()
  const turn = () => {
    const [wall, cpu] = [wallNow(), cpuNow()]
    const wallGap = wall - figures[lastWall]
    figures[longestWall] = Math.max(figures[longestWall], wallGap)
    figures[longestCpu] = Math.max(figures[longestCpu], Math.min(wallGap, cpu - figures[lastCpu]))
    figures[lastWall] = wall
    figures[lastCpu] = cpu
  }
  figures[lastWall] = wallNow()
  figures[lastCpu] = cpuNow()
  setInterval(turn, turnMillis).unref()
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  // The worker's own list of preloaded files is empty: it is this file once already.
  const worker = new Worker(new URL(import.meta.url), { workerData: { loopWatch: shared }, execArgv: [] })
  worker.on("message", ({ block, id }) => {
    if (block !== undefined) {
      const end = wallNow() + block
      while (wallNow() < end);
      return
    }
    collect()
    worker.postMessage({ id, heap: process.memoryUsage().heapUsed })
  })
  // Last: whoever listens to a worker waits for it.
  worker.unref()
}

function serve(shared) {
  const figures = new Float64Array(shared)
  const cpuNow = makeCpuNow()
  const asked = new Map()
  let ids = 0
  parentPort.on("message", ({ heap, id }) => {
    asked.get(id)?.end(JSON.stringify({ heap }))
    asked.delete(id)
  })
  createServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1")
    if (pathname === "/heap") {
      ids += 1
      asked.set(ids, response)
      return parentPort.postMessage({ id: ids })
    }
    if (pathname === "/block") {
      parentPort.postMessage({ block: Number(searchParams.get("ms")) })
      return response.end("{}")
    }
    const open = wallNow() - figures[lastWall]
    const openCpu = Math.min(open, cpuNow() - figures[lastCpu])
    const cpu = Math.max(figures[longestCpu], openCpu)
    const wall = Math.max(figures[longestWall], open)
    if (pathname === "/reset") figures[longestCpu] = figures[longestWall] = 0
    response.end(JSON.stringify({ cpu, wall, open, rss: process.memoryUsage.rss() }))
  }).listen(Number(port), "127.0.0.1")
}
