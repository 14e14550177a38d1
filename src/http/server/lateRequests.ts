/**
 * Requests that took too long to arrive, or seemed to: while this process stands still (a blocked event loop, a suspended machine),
 * bytes of a client wait unread, and the timers that count its time fire first afterwards. That delay is ours.
 */
import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"

const lookMillis = 250
/** A timer that is late by more than this shows a pause of this process; less is ordinary load. */
const pauseMillis = 500
/** A pause longer ago has taken nothing from a request that is too late now; and no request gets more time than this at once. */
const longestMillis = 40_000
/** A request gets its time back so often. */
const mostReprieves = 5

const latest = Symbol("plugfest/latestRequest")
/** Has its latest request itself: in a WeakMap a request, which refers to its socket, would hold it (decision 39). */
type Asking = Duplex & { [latest]?: IncomingMessage }

/**
 * Watches a server. The function that it returns is called for a socket whose request is too late: it calls `refuse` at once, or,
 * where this process stood still meanwhile, after as long again, unless the request has arrived by then.
 */
export const watchArrivals = (server: Server): ((socket: Duplex, refuse: () => void) => void) => {
  server.on("request", (request: IncomingMessage) => {
    const socket: Asking = request.socket
    socket[latest] = request
  })
  const pauses: Array<{ readonly until: number; readonly millis: number }> = []
  let looked = performance.now()
  const look = () => {
    const now = performance.now()
    const millis = now - looked - lookMillis
    looked = now
    if (millis > pauseMillis) pauses.push({ until: now, millis })
    while (pauses[0] !== undefined && now - pauses[0].until > longestMillis) pauses.shift()
  }
  const timer = setInterval(look, lookMillis).unref()
  server.once("close", () => clearInterval(timer))

  const decide = (socket: Asking, refuse: () => void, since: number, reprieves: number): void => {
    // The timer that saw the request late may have fired before this one.
    look()
    const paused = pauses.reduce((sum, { millis, until }) => (until > since ? sum + millis : sum), 0)
    if (paused === 0 || reprieves === 0) refuse()
    else wait(socket, refuse, paused, reprieves - 1)
  }

  const wait = (socket: Asking, refuse: () => void, millis: number, reprieves: number): void => {
    const [since, before] = [performance.now(), socket[latest]]
    const wasComplete = before?.complete === true
    const until = since + Math.min(millis, longestMillis)
    const again = setInterval(() => {
      const request = socket[latest]
      const isNew = request !== before
      const hasArrived = request?.complete === true && (isNew || !wasComplete)
      if (!hasArrived && !socket.destroyed && performance.now() < until) return
      clearInterval(again)
      if (hasArrived || socket.destroyed) return
      // Its headers have come: the rest has its own time.
      if (isNew && reprieves > 0) wait(socket, refuse, longestMillis, 0)
      else decide(socket, refuse, since, reprieves)
    }, lookMillis).unref()
  }
  return (socket, refuse) => decide(socket, refuse, performance.now() - longestMillis, mostReprieves)
}
