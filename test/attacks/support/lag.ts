/** How long others wait while an attack runs: `/health/live`, and a request of another account that needs the database. */
import { assert } from "vitest"
import type { Service } from "../../support/service/Service.ts"
import { ask, seconds } from "./attack.ts"

/** No other request may be slower, in milliseconds. */
export const bar = 1000
/** What is slower than this is no noise of a busy machine. */
const surely = 3000
const tries = 3
const everyMillis = 40
/** A probe that is not answered by then has failed: the service stands still. */
const within = 15_000

export interface Lag {
  /** Slowest answer of `/health/live`, and of the other account, in milliseconds. */
  readonly live: number
  readonly other: number
  /** Median of the other account. */
  readonly median: number
  readonly probes: number
  readonly unanswered: number
}

/** Probes until the attack is over and once more. `other`: the bearer key of another account. */
export async function during<A>(
  service: Service,
  other: string,
  attack: () => Promise<A>
): Promise<[A, Lag]> {
  let over = false
  const probing = async (path: string, headers: Record<string, string>) => {
    const taken: Array<number> = []
    let unanswered = 0
    for (let last = false; !last; ) {
      last = over
      const { millis, status } = await ask(service.url + path, { headers, within })
      taken.push(millis)
      if (status !== 200) unanswered += 1
      await new Promise((resolve) => setTimeout(resolve, everyMillis))
    }
    return { taken, unanswered }
  }
  const probes = Promise.all([
    probing("/health/live", {}),
    probing("/api/v1/connections?limit=1", { authorization: `Bearer ${other}` })
  ])
  // Both have begun before the attack does.
  await new Promise((resolve) => setTimeout(resolve, everyMillis))
  const result = await attack().finally(() => {
    over = true
  })
  const [live, theirs] = await probes
  return [
    result,
    {
      live: Math.max(...live.taken),
      other: Math.max(...theirs.taken),
      median: theirs.taken.toSorted((a, b) => a - b)[Math.floor(theirs.taken.length / 2)]!,
      probes: live.taken.length + theirs.taken.length,
      unanswered: live.unanswered + theirs.unanswered
    }
  ]
}

/**
 * The same, and fails where others waited too long. What may be noise is tried again: noise goes away, a fault stays. All
 * that was measured goes into `lags`.
 */
export async function bearable<A>(
  what: string,
  service: Service,
  other: string,
  lags: Array<Lag>,
  attack: () => Promise<A>
): Promise<A> {
  for (let at = 1; ; at += 1) {
    const [result, lag] = await during(service, other, attack)
    lags.push(lag)
    const slowest = Math.max(lag.live, lag.other)
    if (slowest <= bar && lag.unanswered === 0) return result
    if (at === tries || slowest > surely)
      assert.fail(`${what}: ${words(lag)}; nobody may wait longer than ${seconds(bar)}`)
  }
}

export const words = ({ live, other, unanswered }: Lag) =>
  `/health/live took ${seconds(live)} at most, another account's request ${seconds(other)}${
    unanswered === 0 ? "" : `, ${unanswered} without an answer`
  }`

/** The slowest that others waited over several attacks. */
export const worst = (lags: ReadonlyArray<Lag>): string =>
  words({
    live: Math.max(...lags.map(({ live }) => live)),
    other: Math.max(...lags.map(({ other }) => other)),
    median: 0,
    probes: 0,
    unanswered: lags.reduce((sum, { unanswered }) => sum + unanswered, 0)
  })
