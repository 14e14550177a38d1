import { assert, describe, it } from "vitest"
import { watchLateness } from "../../src/ocpi/transport/lateness.ts"

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
const block = (millis: number) => {
  const until = performance.now() + millis
  while (performance.now() < until);
}

describe("the lateness of our own process", () => {
  it("is the time in which the event loop did not go on", async () => {
    const end = watchLateness()
    await pause(60)
    block(400)
    await pause(60)
    assert.isAtLeast(end(), 300)
  })

  it("is counted, too, where the answer is the first thing that is seen afterwards", () => {
    const end = watchLateness()
    block(400)
    assert.isAtLeast(end(), 300)
  })

  it("is none of the time for which we only waited", () => {
    // The machine may be away during one of them.
    const counted = Array.from({ length: 5 }, () => {
      const end = watchLateness()
      block(20)
      return end()
    })
    assert.include(counted, 0)
  })
})
