/** Settings of V8 for a process that starts often, lives long and shares a small machine. */
import { setFlagsFromString } from "node:v8"

/** Percent by which the old generation may grow beyond its live size at the last full collection. */
const growth = 30

/** Bytes of bytecode that a function runs between two looks of V8 at whether to optimise it. */
const budget = {
  /** At a start most functions run for a moment and never again: to optimise them takes a tenth of its processor time. */
  starting: 500_000,
  /** V8's own. With the other one what every request runs is optimised seconds of processor time later, or never. */
  serving: 67_584
}

/**
 * By default V8 lets the old generation grow to several times its live size before it collects garbage; after many readers
 * or some hundred runs most of the memory would be garbage. Call this before work begins.
 */
export function setEngine(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`)
  setFlagsFromString(`--interrupt-budget=${budget.starting}`)
}

/** Call this when the start is over. */
export function serveWithEngine(): void {
  setFlagsFromString(`--interrupt-budget=${budget.serving}`)
}
