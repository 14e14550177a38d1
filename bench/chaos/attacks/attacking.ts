/** Runs attacks one after the other, and judges each by its effect on the event loop and on other accounts. */
import { sleep } from "../../../test/support/service/Service.ts"
import { type Ended, type Ground, millis, Requirements } from "../world/Row.ts"
import { judge } from "../world/zeros.ts"
import type { Arena, Struck } from "./Arena.ts"
import { shuffled } from "./pathological.ts"

/** One attack: a single request. */
export interface Attack {
  /** The request, described well enough to send it again. */
  readonly name: string
  /** The kind of attack: after two of a kind have broken a bar, the others are skipped. */
  readonly kind: string
  /** Also in the short form. */
  readonly known?: true
  readonly send: (signal: AbortSignal) => Promise<Response>
}

/**
 * Limits: lag of the event loop and slowest request of the other account in milliseconds, growth of heap and size of
 * memory in megabytes.
 */
export const bars = { lag: 250, request: 1000, heapMegabytes: 64, memoryMegabytes: 600 }
/** An uninterrupted use of the CPU of this many milliseconds counts without being reproduced. */
export const surely = 4 * bars.lag
/** After so many kills of the process the attacks stop. */
const mostKills = { long: 8, short: 3 }
/** A Retry-After of fewer seconds is obeyed, once. */
const patience = 5
const seed = 20_261_122

/** Limits of a series of attacks. */
export interface Course {
  readonly seconds: number
  /** Time limit of one attack, in milliseconds. */
  readonly limitMillis: number
  /** The most attacks; undefined: as many as there is time for. */
  readonly most: number | undefined
}

/** The limits for the long or the short form. */
export const courseOf = (ground: Ground): Course => ({
  seconds: ground.count(180, 40),
  limitMillis: ground.count(15_000, 10_000),
  most: ground.short ? 150 : undefined
})

/** The attacks in a fixed order: first the known ones, then one of each operation in turn. */
export const ordered = (attacks: ReadonlyArray<Attack>, most: number | undefined): ReadonlyArray<Attack> => {
  const groups = new Map<string, Array<Attack>>()
  for (const attack of shuffled(attacks, seed)) {
    const [operation = ""] = attack.kind.split(" ")
    groups.set(operation, [...(groups.get(operation) ?? []), attack])
  }
  const turns = [...groups.values()]
  const longest = Math.max(...turns.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, turn) => turns.flatMap((group) => group[turn] ?? []))
  const known = attacks.filter(({ known }) => known === true)
  return [...known, ...inTurn.flat().filter(({ known }) => known !== true)].slice(0, most)
}

interface Wound {
  readonly attack: Attack
  readonly struck: Struck
}

/** Runs the attacks and returns the result as a row does. */
export async function attackAll(
  ground: Ground,
  arena: Arena,
  what: string,
  attacks: ReadonlyArray<Attack>,
  course: Course = courseOf(ground)
): Promise<Ended> {
  const must = new Requirements()
  // The short form runs beside other tests, and shared memory and caches cost CPU time.
  const lagBar = ground.short ? 2 * bars.lag : bars.lag
  const chosen = ordered(attacks, course.most)
  const { limitMillis } = course
  const begun = performance.now()
  let paused = 0
  /** Is the time over? Restarts do not count, but the total never exceeds twice the time. */
  const isOver = () => {
    const now = performance.now()
    return now - begun - paused > course.seconds * 1000 || now - begun > 2000 * course.seconds
  }
  const lags: Array<Wound> = []
  const slow: Array<Wound> = []
  const failed: Array<Wound> = []
  const statuses = new Map<string, number>()
  const brokenKinds = new Map<string, number>()
  let [tried, skipped, kills, unseen] = [0, 0, 0, 0]
  let previous: Attack | undefined

  const strike = async (attack: Attack, settleMillis = 20): Promise<Struck> => {
    let struck = await arena.strike(attack, limitMillis, settleMillis)
    if (struck.status === 429 && (struck.retryAfterSeconds ?? patience) < patience) {
      await sleep(struck.retryAfterSeconds! * 1000)
      struck = await arena.strike(attack, limitMillis, settleMillis)
    }
    if (!struck.blocked && !struck.dead) return struck
    kills += 1
    const killed = performance.now()
    await arena.again()
    paused += performance.now() - killed
    return struck
  }
  const isHard = ({ blocked, dead, lag, slowest }: Struck) =>
    blocked || dead || lag.cpu > lagBar || slowest > bars.request

  /**
   * The attack that caused the effect: this one, or the previous one, whose work may go on after its answer; undefined:
   * neither.
   */
  const culprit = async (attack: Attack, struck: Struck): Promise<Wound | undefined> => {
    if (struck.blocked || struck.dead || struck.lag.cpu > surely) return { attack, struck }
    for (const one of previous === undefined ? [attack] : [attack, previous]) {
      const again = await strike(one, 300)
      if (isHard(again)) return { attack: one, struck: again }
    }
    unseen += 1
    return undefined
  }

  for (const attack of chosen) {
    if (isOver() || kills >= (ground.short ? mostKills.short : mostKills.long)) break
    if ((brokenKinds.get(attack.kind) ?? 0) >= 2) {
      skipped += 1
      continue
    }
    const struck = await strike(attack)
    tried += 1
    const status = String(struck.status ?? "none")
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (struck.status !== undefined && struck.status >= 500) failed.push({ attack, struck })
    lags.push({ attack, struck })
    let isCulprit = false
    if (isHard(struck)) {
      const wound = await culprit(attack, struck)
      if (wound === undefined) lags.pop()
      else {
        isCulprit = true
        lags[lags.length - 1] = wound
        if (wound.struck.slowest > bars.request) slow.push(wound)
        brokenKinds.set(wound.attack.kind, (brokenKinds.get(wound.attack.kind) ?? 0) + 1)
        ground.note(
          `${wound.attack.name}: ${lagOf(wound.struck)}, ${struck.status} ${struck.text.slice(0, 80)}`
        )
      }
    }
    if (struck.status !== undefined && struck.status >= 500)
      ground.note(`${attack.name}: ${struck.status} ${struck.text.slice(0, 200)}`)
    // An attack that was identified as a cause is not suspected again.
    previous = isCulprit ? undefined : attack
  }

  const worst = lags.toSorted((a, b) => b.struck.lag.cpu - a.struck.lag.cpu)
  for (const { attack, struck } of worst.slice(0, 10)) ground.note(`worst: ${attack.name}: ${lagOf(struck)}`)
  const hard = worst.filter(({ struck }) => struck.blocked || struck.dead || struck.lag.cpu > lagBar)
  for (const { attack, struck } of hard.slice(0, 20)) must.require(false, `${attack.name}: ${lagOf(struck)}`)
  for (const { attack, struck } of slow.slice(0, 10)) {
    const { slowest, slowestWhat } = struck
    must.require(false, `${attack.name}: ${slowestWhat} of another account took ${millis(slowest)}`)
  }
  for (const { attack, struck } of failed.slice(0, 20))
    must.require(false, `${attack.name}: ${struck.status} ${struck.text.slice(0, 120)}`)
  const { grown, most } = await arena.memory()
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
  must.require(megabytes(grown) <= bars.heapMegabytes, `the heap grew by ${megabytes(grown)} MB`)
  must.require(megabytes(most) <= bars.memoryMegabytes, `the process had ${megabytes(most)} MB`)
  await arena.calm()
  const harmed = await arena.harmed()
  must.broken.push(...harmed)
  must.require(tried > 0 && arena.worked() > 0, `${arena.worked()} runs of the other account meanwhile`)
  const { details, lines, zeros } = await judge(arena.world, { rude: true, others: [arena.asMallory] })
  const [first] = worst
  const answers = [...statuses].sort().map(([status, count]) => `${count} × ${status}`)
  return {
    tried: `${tried} of ${attacks.length} ${what}${skipped === 0 ? "" : ` (${skipped} more of a kind that broke a bar left out)`}: ${answers.join(", ")}; ${arena.worked()} runs of another account meanwhile`,
    figure:
      `worst ${first === undefined ? "-" : `${lagOf(first.struck)} (bar ${lagBar} ms) by ${first.attack.name}`}; over the bar ${hard.length}, seen once and not again ${unseen}; ` +
      `others' slowest request ${millis(Math.max(0, ...lags.map(({ struck }) => struck.slowest)))} (bar 1 s); 5xx ${failed.length} (bar 0); others' runs harmed ${harmed.length} (bar 0); ` +
      `heap +${megabytes(grown)} MB (bar ${bars.heapMegabytes}), process at most ${megabytes(most)} MB (bar ${bars.memoryMegabytes})`,
    zeros,
    lines,
    kills,
    streams: 1,
    broken: [...must.broken, ...details]
  }
}

const lagOf = ({ blocked, dead, lag, text }: Struck): string =>
  dead
    ? text
    : `${millis(lag.cpu)} lag${blocked ? `, without an answer, and killed after ${millis(lag.open)}` : ""}`
