import type { RunReport } from "../../client/plugfest.ts"

/** Since when a conformance run waits, or else is in its state. */
export const suiteSince = ({
  createdAt,
  stateSince = createdAt,
  waitingFor
}: Pick<RunReport, "createdAt" | "stateSince" | "waitingFor">): string => waitingFor?.since ?? stateSince
