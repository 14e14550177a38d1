/** Exports a run that the caller owns as a file, and compares two runs. */

import { Context, Effect, Layer, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import {
  type Forbidden,
  NotFound,
  type PlanRequired,
  type Unavailable,
  Unsupported
} from "../../../schema/Errors.ts"
import { isEnding, isEventOf, isExchangeEvent, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { signedLedgerType } from "../../../schema/ledger/LedgerDocument.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import type { ExportFormat, PersonalData } from "../../../schema/reports/ExportFormat.ts"
import type { RunComparison } from "../../../schema/reports/RunComparison.ts"
import { yieldWhenDue } from "../../findings/yieldToEventLoop.ts"
import { Ledger, type RunFacts, type RunRow } from "../../ledger/Ledger.ts"
import { ledgerDocumentOf } from "../../ledger/run/ledgerDocument.ts"
import { reportOf } from "../../ledger/run/runReport.ts"
import { standingAssertions } from "../../ledger/run/runView.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { comparisonOf } from "../../reports/comparison.ts"
import { masking } from "../../reports/personal/maskDocument.ts"
import type { ReportExchange, ReportGroup, RunDocument } from "../../reports/RunDocument.ts"
import { ledgerFile, type Rendered, render } from "../../reports/render.ts"
import { publicJwk, signedEnvelope } from "../../reports/signature.ts"
import { SigningKeys } from "../../store/secrets/SigningKeys.ts"
import { traced } from "../../telemetry/traced.ts"
import { Plans } from "../accounts/Plans.ts"
import { requireScope } from "../accounts/Scopes.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { OwnedRuns } from "./OwnedRuns.ts"
import { makeOwnerTurns } from "./ownerTurns.ts"
import { kindOf } from "./runKinds.ts"

/** The format of an export, and whether it shows personal data. */
interface ExportOrder {
  readonly format: ExportFormat
  /** Default: masked. */
  readonly personalData?: PersonalData
}

/** Whether the file shows personal data of drivers. */
export const showsPersonalData = ({ format, personalData }: ExportOrder): boolean =>
  personalData === "shown" || format === "ledger" || format === "signed"

/** Exports and comparisons. */
export class Reports extends Context.Tag("services/Reports")<
  Reports,
  {
    /**
     * By report id or run id. The report of an open run says that it is not complete. `signed` needs a capability of the
     * plan. Personal data of drivers is masked; to show it the key needs the scope `personal:read`, as it does for the
     * ledger formats, whose hashes cover the unmasked lines.
     */
    readonly export: (
      caller: Caller,
      id: string,
      order: ExportOrder
    ) => Effect.Effect<Rendered, Forbidden | NotFound | PlanRequired | Unavailable>
    /** Compares the checks of two ended runs of one kind; Unsupported for other runs. */
    readonly compare: (
      caller: Caller,
      later: string,
      earlier: string
    ) => Effect.Effect<RunComparison, NotFound | Unsupported | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Reports,
    Effect.gen(function* () {
      const owned = yield* OwnedRuns
      const ledger = yield* Ledger
      const plans = yield* Plans
      const [signing] = (yield* SigningKeys).keys
      const signer = { id: publicJwk(signing).kid, privateKey: signing }

      // Read from the database even if this process works on the run, because the export is about the stored lines.
      const stored = Effect.fnUntraced(function* ({ ownerId, runId }: RunFacts) {
        const missing = new NotFound({ message: "There is no such run among those of this key's owner" })
        const row = yield* ledger
          .run(ownerId, runId)
          .pipe(
            orUnavailable,
            Effect.flatMap(Option.match({ onNone: () => missing, onSome: Effect.succeed }))
          )
        const lines = yield* owned.lines(runId)
        // Too few lines: the table was changed by hand, or the run was purged meanwhile.
        const short = lines.length < row.snapshot.view.lastSequence
        if (short && Option.isNone(yield* ledger.run(ownerId, runId).pipe(orUnavailable)))
          return yield* missing
        return ledgerDocumentOf(row, lines, yield* nowIso)
      })

      const exported = traced("Reports.export")(function* (caller: Caller, id: string, order: ExportOrder) {
        const { format } = order
        if (showsPersonalData(order)) yield* requireScope(caller, "personal:read")
        if (format === "signed") yield* plans.require(caller, "signed_export")
        const row = yield* owned.find(caller, id)
        if (format === "ledger" || format === "signed") {
          const document = JSON.stringify(yield* stored(row.facts))
          const text =
            format === "ledger"
              ? document
              : JSON.stringify(signedEnvelope(signedLedgerType, document, signer))
          return ledgerFile(reportOf(row), format, text)
        }
        const events = yield* owned.events(row.facts.runId)
        const document = { ...kindOf(row.facts).describe(row.facts), ...documentOf(row, events) }
        return render(order.personalData === "shown" ? document : yield* masked(document), format)
      })

      const compare = traced("Reports.compare")(function* (caller: Caller, later: string, earlier: string) {
        const after = yield* owned.find(caller, later)
        const before = yield* owned.find(caller, earlier)
        yield* comparable(before, after)
        const checks = ({ facts }: RunRow) =>
          Effect.map(owned.events(facts.runId), (events) =>
            standingAssertions(events).map(({ assertion }) => assertion)
          )
        const lists = comparisonOf(yield* checks(before), yield* checks(after))
        return { before: reportOf(before), after: reportOf(after), ...lists }
      })

      // All lines of a run are in memory meanwhile, and its text is made in one piece.
      const inTurn = makeOwnerTurns()
      return Reports.of({
        export: (caller, id, order) => inTurn(caller.ownerId, exported(caller, id, order)),
        compare: (caller, later, earlier) => inTurn(caller.ownerId, compare(caller, later, earlier))
      })
    })
  )
}

function comparable(before: RunRow, after: RunRow): Effect.Effect<void, Unsupported> {
  const no = (message: string) => new Unsupported({ message })
  const open = [before, after].find((row) => !isTerminal(row.snapshot.view.status))
  if (open !== undefined) return no(`The run of ${open.facts.reportId} is not over: compare it when it is`)
  if (before.facts.kind !== after.facts.kind) {
    return no(
      `${after.facts.reportId} is a ${after.facts.kind} run and ${before.facts.reportId} a ${before.facts.kind} run: ` +
        "they have no check in common"
    )
  }
  const { isComparable, name } = kindOf(after.facts)
  return isComparable || before.facts.subjectId === after.facts.subjectId
    ? Effect.void
    : no(`${before.facts.subjectId} and ${after.facts.subjectId} are different ${name}s: compare runs of one`)
}

/** Replaces personal data; yields to other fibers between its steps, of which a run of many exchanges has thousands. */
const masked = Effect.fnUntraced(function* (document: RunDocument) {
  const steps = masking(document)
  const turn = yield* yieldWhenDue
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield* turn
  }
})

/** The events of a run as the document that the renderers take. */
function documentOf(
  row: RunRow,
  events: ReadonlyArray<LedgerEvent>
): Omit<RunDocument, "name" | "theirRole"> {
  const last = events.at(-1)
  const { leftBehind = [], reason = null } =
    (last !== undefined && isEnding(last) ? last.data : undefined) ?? {}
  const groups = groupsOf(row, events)
  const { whyItMatters } = kindOf(row.facts)
  const reasons = groups
    .flatMap(({ checks }) => checks)
    .flatMap(({ id, outcome }) => {
      const sentence = outcome === "failed" || outcome === "warned" ? whyItMatters(id) : undefined
      return sentence === undefined ? [] : [[id, sentence] as const]
    })
  return {
    report: reportOf(row),
    reason,
    leftBehind,
    groups,
    ...(reasons.length === 0 ? {} : { whyItMatters: Object.fromEntries(reasons) }),
    exchanges: exchangesOf(events),
    ledger: { lines: last?.sequence ?? 0, headHash: row.headHash }
  }
}

/** The assertions in the groups of the run's kind. */
function groupsOf({ facts }: RunRow, events: ReadonlyArray<LedgerEvent>): ReadonlyArray<ReportGroup> {
  const { groupName, groupOf } = kindOf(facts)
  const began = new Map<string, string>()
  for (const { occurredAt, stageId } of events.filter(isEventOf("stage.started"))) {
    const id = groupOf(stageId)
    if (!began.has(id)) began.set(id, occurredAt)
  }
  const groups = new Map<string, Array<ReportGroup["checks"][number]>>()
  for (const { assertion, group } of standingAssertions(events)) {
    const id = groupOf(group, assertion.module)
    groups.set(id, [...(groups.get(id) ?? []), assertion])
  }
  return [...groups].map(([id, checks]) => {
    const name = groupName(facts, id)
    return { id, ...(name === undefined ? {} : { name }), startedAt: began.get(id) ?? null, checks }
  })
}

/** Every exchange once, in its last state; an intent without a completion counts as an exchange. */
function exchangesOf(events: ReadonlyArray<LedgerEvent>): ReadonlyArray<ReportExchange> {
  const found = new Map<string, ReportExchange>()
  for (const { exchange, stageId = null } of events.filter(isExchangeEvent)) {
    found.set(exchange.id, { stageId, exchange })
  }
  return [...found.values()]
}
