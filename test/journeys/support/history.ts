/** The history of a run that a test writes down: a run of 2.2.1 with these lines, of which each says as much as is looked at. */
import { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"

/** The partner's party, for tests in which it has one. */
export const partner = { countryCode: "NL", partyId: "EMS" }

/** Lines are numbered, and come a minute after each other, unless they say otherwise. */
export const historyOf = (
  lines: ReadonlyArray<object>,
  more: Partial<Omit<RunHistory, "events">> = {}
): RunHistory => ({
  runId: RunId.make("run_01890a5dac96774bbcceb302099a8057"),
  createdAt: "2026-01-01T12:00:00.000Z",
  inputs: {},
  profile: profileOf("2.2.1"),
  us: { countryCode: "DE", partyId: "PFT", name: "plugfest" },
  them: undefined,
  ...more,
  events: lines.map((line, index) => ({
    sequence: index + 1,
    occurredAt: new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString(),
    assertions: [],
    ...line
  })) as unknown as ReadonlyArray<LedgerEvent>
})
