/** Metrics of the Node process: memory, CPU time, and the lag of its event loop. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect } from "effect"
import type { Family } from "../../../telemetry/exposition.ts"

/** Milliseconds between samples of the event loop. */
const resolution = 20

/** Makes the reader of these metrics. The lag covers the time since the last read; sampling stops with the scope. */
export const makeProcessMetrics = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const delay = monitorEventLoopDelay({ resolution })
      delay.enable()
      return delay
    }),
    (delay) => Effect.sync(() => delay.disable())
  ),
  (delay) =>
    Effect.sync((): ReadonlyArray<Family> => {
      const { external, heapTotal, heapUsed, rss } = process.memoryUsage()
      const { system, user } = process.cpuUsage()
      const lag = (nanos: number) =>
        Number.isFinite(nanos) ? Math.max(0, nanos / 1e9 - resolution / 1000) : 0
      const lags: Family = {
        name: "nodejs_eventloop_lag_seconds",
        help: "How late the event loop was since the last scrape",
        type: "gauge",
        samples: [
          { labels: { quantile: "0.5" }, value: lag(delay.percentile(50)) },
          { labels: { quantile: "0.99" }, value: lag(delay.percentile(99)) },
          { labels: { quantile: "1" }, value: lag(delay.max) }
        ]
      }
      delay.reset()
      return [
        lags,
        gauge("process_resident_memory_bytes", "Memory of the process", rss),
        gauge("nodejs_heap_size_used_bytes", "Heap in use", heapUsed),
        gauge("nodejs_heap_size_total_bytes", "Heap", heapTotal),
        gauge("nodejs_external_memory_bytes", "Memory outside the heap", external),
        {
          ...gauge("process_cpu_seconds_total", "Processor time, user and system", (user + system) / 1e6),
          type: "counter"
        },
        gauge("process_uptime_seconds", "Since the start of the process", process.uptime())
      ]
    })
)

function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: "gauge", samples: [{ value }] }
}
