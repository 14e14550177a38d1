/** How long a run listens for calls that the partner makes by itself. */
import type { Evidence } from "../../model/Evidence.ts"

/** Least time that the partner has to call us by itself, in seconds; more where the order has it. */
export const leastSeconds = 60
/** How long the partner is given to call us, in seconds: `listenSeconds` of the order, at least a minute. */
export const listenedSeconds = ({ listenSeconds = 0 }: Evidence): number =>
  Math.max(leastSeconds, listenSeconds)
