/** How much of the heap may be garbage. */
import { setFlagsFromString } from "node:v8"

/** Percent by which the old generation may grow beyond what lived at the last full collection. */
const growth = 30

/**
 * V8 by itself lets the old generation grow to several times what lives before it looks for garbage: after a crowd of
 * readers, or some hundred runs, most of what the process holds is garbage. To be called before work begins.
 */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`)
