/** DBOS: workflows of steps that do nothing, each step kept in Postgres. */
import { DBOS } from "@dbos-inc/dbos-sdk"
import { answering, rateOf } from "./answering.mjs"

const workflow = DBOS.registerWorkflow(
  async (steps) => {
    let sum = 0
    for (let step = 0; step < steps; step++)
      sum += await DBOS.runStep(async () => step, { name: `step-${step}` })
    return sum
  },
  { name: "steps" }
)

answering({
  open: async ({ database }) => {
    DBOS.setConfig({
      name: "peer",
      systemDatabaseUrl: database,
      systemDatabasePoolSize: 40,
      logLevel: "error"
    })
    await DBOS.launch()
  },
  workflows: ({ abreast, seconds, steps }) =>
    rateOf(abreast, seconds, async () => (await DBOS.startWorkflow(workflow)(steps)).getResult())
})
