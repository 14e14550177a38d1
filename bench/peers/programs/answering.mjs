/** A program beside plugfest: answers what the process that started it asks. */

/** `handlers`: by question, from its arguments to an answer. `processorMicros` is answered for all. */
export function answering(handlers) {
  const known = {
    processorMicros: () => {
      const { system, user } = process.cpuUsage()
      return user + system
    },
    ...handlers
  }
  process.on("message", async ({ args, ask }) => {
    try {
      process.send({ answer: await known[ask](args) })
    } catch (error) {
      process.send({ error: error?.stack ?? String(error) })
    }
  })
  process.on("disconnect", () => process.exit(0))
  process.send({ answer: "ready" })
}

/** Keeps `abreast` of `once` under way for so many seconds; answers how many ended a second. */
export async function rateOf(abreast, seconds, once) {
  const began = performance.now()
  let done = 0
  const lane = async (index) => {
    while (performance.now() < began + seconds * 1000) {
      await once(index)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: abreast }, (_, index) => lane(index)))
  return done / ((performance.now() - began) / 1000)
}
