/** Lines as the machines hear them, from as little as a test wants to say. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { LedgerEventType, UnnumberedEvent } from "../../../schema/LedgerEvent.ts"

export interface Line {
  readonly type: LedgerEventType
  readonly stageId?: string
  readonly exchange?: Exchange
  readonly assertions?: ReadonlyArray<Assertion>
  readonly data?: object
}

export const exchange = (id: string, method: string): Exchange => ({
  id,
  direction: "outbound",
  module: "commands",
  operation: "x",
  request: { method, url: "https://partner.example/", headers: {}, body: null, truncated: false },
  response: null,
  outcome: "unknown",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 0,
  requestId: "r",
  correlationId: "c"
})

/** What some type or other must have. */
const data = {
  stages: [],
  party: "partner",
  instruction: "",
  deadline: "2026-01-01T00:01:00.000Z",
  answers: [],
  answer: "yes",
  reason: "lost",
  version: 1,
  options: []
}

/** The line with all that its type must have. */
export const heard = (line: Line): UnnumberedEvent =>
  ({
    stageId: "start",
    exchange: exchange("e", "POST"),
    ...line,
    data: { ...data, ...line.data }
  }) as UnnumberedEvent
