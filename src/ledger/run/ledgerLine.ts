/** The canonical text of an event, its hash, and the ids that make an append idempotent. */
import { hash } from "node:crypto"
import type { RunId } from "../../../schema/Ids.ts"
import { exchangeIn, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Line } from "../Ledger.ts"

/** What the first line's hash is chained to: a line cannot be moved to another run unseen. */
export const genesisOf = (runId: RunId): string => runId

/** The hash of a line: SHA-256 over the hash before it and its text, 64 hex digits. */
export const hashOf = (previousHash: string, line: string): string => hash("sha256", previousHash + line)

/** The id of the event that `key` names in the run: the same at every try. */
export const eventIdOf = (runId: RunId, key: string): string =>
  hash("sha256", `${runId}\n${key}`, "buffer").subarray(0, 16).toString("base64url")

/** The event as the one line of JSON that everybody gets. Sequence and type come first, always. */
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

/** A line ready to be appended after the one with `previousHash`. */
export const lineOf = (event: LedgerEvent, eventId: string, previousHash: string): Line => {
  const line = textOf(event)
  return { event, eventId, line, hash: hashOf(previousHash, line) }
}

/** Is this the line after which a run says nothing more? By its first bytes, without parsing. */
export const isTerminalLine = (line: string): boolean =>
  /^\{"sequence":\d+,"type":"run\.(?:completed|cancelled|failed)"/.test(line)
