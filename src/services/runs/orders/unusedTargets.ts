/**
 * The sandbox partners that earlier orders with the target `sandbox` have made, and the connections to them. The newest stay when
 * their run is over; of the others those leave that nobody has used for anything else. Reports and ledgers of their runs stay.
 */
import { Clock, Effect, Option } from "effect"
import type { Caller } from "../../../../schema/Account.ts"
import { partyOf } from "../../../../schema/Ids.ts"
import { isTerminal } from "../../../../schema/RunReport.ts"
import { Ledger } from "../../../ledger/Ledger.ts"
import { Sandbox } from "../../../sandbox/Sandbox.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { type ConnectionRow, ConnectionStore } from "../../../store/rows/ConnectionStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { RateLimits } from "../../accounts/RateLimits.ts"
import { Connections } from "../../connections/Connections.ts"
import { allPages } from "../../operators/allPages.ts"
import { Sandboxes } from "../../sandboxes/Sandboxes.ts"

/** So many stay in an account, unless they leave no room for another one. */
const kept = 10
/** An order that has made a partner and no run after so many milliseconds makes none any more. */
const orderMillis = 3_600_000

type Use = "open" | "unused" | "used otherwise"

/** Makes the function that makes room for one more partner of a run. It never fails: what cannot be removed stays. */
export const makeUnusedTargets = Effect.gen(function* () {
  const connections = yield* Connections
  const ledger = yield* Ledger
  const { limits } = yield* RateLimits
  const parties = yield* PartyStore
  const rows = yield* ConnectionStore
  const sandbox = yield* Sandbox
  const sandboxes = yield* Sandboxes

  /** What has become of the connection to a partner that an order has made; its one run is the one that was ordered. */
  const useOf = Effect.fnUntraced(function* ({ createdAt, id, ownerId }: ConnectionRow) {
    const runs = yield* Effect.orDie(ledger.list({ ownerId, connectionId: id, limit: 2 }))
    if (runs.some(({ snapshot }) => !isTerminal(snapshot.view.status))) return "open" satisfies Use
    const [last] = yield* parties.exchangesBefore(partyOf(id), { limit: 1, direction: "outbound" })
    const end = runs[0]?.snapshot.view.finishedAt ?? createdAt
    if (runs.length > 1 || (runs.length === 1 && last !== undefined && last.exchange.startedAt > end))
      return "used otherwise" satisfies Use
    const isOver = runs.length === 1 || (yield* isOld(last?.exchange.startedAt ?? createdAt))
    return (isOver ? "unused" : "open") satisfies Use
  })

  const isOld = (at: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => now - Date.parse(at) > orderMillis)

  return traced("unusedTargets")(function* (caller: Caller) {
    const partners = yield* parties.sandboxes(caller.ownerId)
    const made = partners.filter((one) => one.sandbox?.isTarget === true).toReversed()
    if (made.length === 0) return
    const all = yield* allPages(
      (page) => rows.list({ ownerId: caller.ownerId, ...page }),
      ({ id }) => id
    )
    const more = (have: number) => have + 1 - limits.connections
    let tooMany = made.length + 1 - kept
    let withoutRoom = Math.max(more(all.length), more(partners.length))
    for (const partner of made) {
      if (tooMany <= 0 && withoutRoom <= 0) break
      const url = sandbox.versionsUrl(partner.id)
      const [row, another] = all.filter(({ partnerBaseUrl }) => partnerBaseUrl === url)
      const isChanged = another !== undefined || (partner.sandbox?.faults ?? []).length > 0
      const use = isChanged
        ? "used otherwise"
        : row !== undefined
          ? yield* useOf(row)
          : (yield* isOld(partner.createdAt))
            ? "unused"
            : "open"
      if (use === "used otherwise") {
        yield* parties.update(partner.id, asOrdinary)
        tooMany -= 1
      }
      if (use !== "unused") continue
      const removed =
        row === undefined ? Effect.succeedNone : Effect.option(connections.remove(caller, row.id))
      if (Option.isNone(yield* removed) && row !== undefined) continue
      yield* Effect.ignore(sandboxes.remove(caller, partner.id))
      tooMany -= 1
      withoutRoom -= 1
    }
  })
})

/** The partner as one that its owner has made: it stays until that owner removes it. */
const asOrdinary = (party: Party): Party => {
  if (party.sandbox === null) return party
  const { isTarget: _, ...sandbox } = party.sandbox
  return { ...party, sandbox }
}
