/** The canonical text of an event, its hash, and the ids that make an append idempotent. */
import { hash } from "node:crypto"
import type { RunId } from "../../../schema/Ids.ts"
import { exchangeIn, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Line } from "../Ledger.ts"

/** The hash before the first line: the run's id, so that moving a line to another run breaks the chain. */
export const genesisOf = (runId: RunId): string => runId

/** The hash of a line: SHA-256 over the previous hash and its text, 64 hex digits. */
export const hashOf = (previousHash: string, line: string): string => hash("sha256", previousHash + line)

/** The id of the event with this key: the same at every attempt. */
export const eventIdOf = (runId: RunId, key: string): string =>
  hash("sha256", `${runId}\n${key}`, "buffer").subarray(0, 16).toString("base64url")

/** The event as one line of JSON. Sequence and type always come first. */
export const textOf = (event: LedgerEvent): string =>
  JSON.stringify({
    sequence: event.sequence,
    type: event.type,
    occurredAt: event.occurredAt,
    stageId: event.stageId,
    exchange: exchangeIn(event),
    assertions: event.assertions,
    data: "data" in event ? event.data : undefined,
    machine: event.machine
  })

/** The line that follows the one with `previousHash`. */
export const lineOf = (event: LedgerEvent, eventId: string, previousHash: string): Line => {
  const line = textOf(event)
  return { event, eventId, line, hash: hashOf(previousHash, line) }
}

/** Is this the terminal line of a run? Decided by its first bytes, without parsing. */
export const isTerminalLine = (line: string): boolean =>
  /^\{"sequence":\d+,"type":"run\.(?:completed|cancelled|failed)"/.test(line)
