/** Limits how much garbage the heap may hold. */
import { setFlagsFromString } from "node:v8"

/** Percent by which the old generation may grow beyond its live size at the last full collection. */
const growth = 30

/**
 * By default V8 lets the old generation grow to several times its live size before it collects garbage; after many readers
 * or some hundred runs most of the memory would be garbage. Call this before work begins.
 */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`)
