/** Settings of V8 for a process that starts often, lives long and shares a small machine. */
import type { EventEmitter } from "node:events"
import { setFlagsFromString } from "node:v8"

/**
 * Percent by which the old generation may grow beyond its live size at the last full collection. With 30 a charge and a call of a partner
 * take a seventh more processor time, for 15 MB less under load (decision 19).
 */
const growth = 80

/** What decides when V8 optimises a function, in bytes of bytecode. */
interface Optimising {
  /** What a function runs between two looks at whether to optimise it. */
  readonly budget: number
  /** Up to this size a function is optimised at the first look, before it is known to be hot. */
  readonly small: number
}

/** At a start most functions run for a moment and never again: to optimise them takes a tenth of its processor time. */
const starting: Optimising = { budget: 500_000, small: 81 }

/**
 * The budget is V8's own: with the other one what every request runs is optimised seconds of processor time later, or never. V8's own
 * 81 for small functions has hundreds of them optimised alone, which are optimised once more as parts of those that call them: a tenth
 * of the processor time of the first journeys of a process.
 */
const serving: Optimising = { budget: 67_584, small: 0 }

const set = ({ budget, small }: Optimising) => {
  setFlagsFromString(`--interrupt-budget=${budget}`)
  setFlagsFromString(`--max-bytecode-size-for-early-opt=${small}`)
}

/**
 * By default V8 lets the old generation grow to several times its live size before it collects garbage; after many readers
 * or some hundred runs most of the memory would be garbage. And it makes the objects of code whose first objects lived long in the old
 * generation at once; here those are of the start, and what follows lives as long as a request. Call this before work begins.
 */
export function setEngine(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`)
  setFlagsFromString("--no-allocation-site-pretenuring")
  set(starting)
}

/** Bundle and launcher have a copy each of this module; what they share is the process. */
const shared: EventEmitter = process
const startIsOver = Symbol.for("plugfest/startIsOver")

/** Call this when the start is over. */
export function serveWithEngine(): void {
  set(serving)
  shared.emit(startIsOver)
}

/** Calls it once, after the start. */
export function afterStart(act: () => void): void {
  shared.once(startIsOver, act)
}

/** Calls it with the flags of a start. */
export function asAtStart(act: () => void): void {
  set(starting)
  act()
  set(serving)
}
