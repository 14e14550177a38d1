/** newman: plays a collection, as a library, so that its start is not counted. */
import newman from "newman"
import { answering } from "./answering.mjs"

answering({
  play: ({ collection }) =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const before = process.cpuUsage()
      newman.run({ collection, reporters: [] }, (error, summary) => {
        if (error) return reject(error)
        const { system, user } = process.cpuUsage(before)
        resolve({
          millis: performance.now() - began,
          micros: user + system,
          requests: summary.run.stats.requests.total,
          statuses: summary.run.executions.map(({ response }) => response?.code ?? 0)
        })
      })
    })
})
