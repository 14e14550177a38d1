/**
 * Which EVSEs of the partner the open runs of an account work with, so that no two of them take the same one. The claims are kept with
 * our side of the first connection to the partner and count while their run is open: a run that ended without giving one back holds
 * nothing.
 */
import { Clock, Effect, Option } from "effect"
import { connectionOf, type PartyId, partyOf, type RunId } from "../../schema/Ids.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { RunLog } from "../ledger/run/RunLog.ts"
import { isoOf } from "../party/wire/instants.ts"
import type { EvseClaim, Party } from "../store/parties/Party.ts"
import type { PartyStore } from "../store/parties/PartyStore.ts"

/** A run that waits for a decision is open: after so many milliseconds its claims count no more. */
const longestClaimMillis = 4 * 3_600_000

/** The claims of one run. No method fails; `choose` must be pure, and may be asked several times. */
export interface EvseClaims {
  /** The claims of other open runs of the account with this partner, as they are now. */
  readonly ofOthers: Effect.Effect<ReadonlyArray<EvseClaim>>
  /** The claims of this run. */
  readonly own: Effect.Effect<ReadonlyArray<EvseClaim>>
  /**
   * Replaces the claims of this run by what `choose` makes of those of others, in one step; returns both. Where a process that has
   * taken the run over since has claimed something, its claims stay.
   */
  readonly claim: (
    choose: (others: ReadonlyArray<EvseClaim>) => ReadonlyArray<ChosenEvse>
  ) => Effect.Effect<{ readonly others: ReadonlyArray<EvseClaim>; readonly own: ReadonlyArray<EvseClaim> }>
  /** Marks the claims of this run for these purposes as over, so that other runs may take the EVSEs; `own` still lists them. */
  readonly release: (purposes: ReadonlyArray<string>) => Effect.Effect<void>
  /** Removes what the run has claimed: it is over. */
  readonly drop: Effect.Effect<void>
}

/** An EVSE that a run is to have. */
export type ChosenEvse = Pick<EvseClaim, "locationId" | "evseUid" | "purpose">

/** The claims of that run, made by the process that holds it at this epoch. */
export const makeEvseClaims = (
  ledger: Ledger["Type"],
  store: PartyStore["Type"],
  { epoch, facts: { connectionId, ownerId, runId } }: Pick<RunLog, "epoch" | "facts">
): EvseClaims => {
  /** The party on whose row the claims are; which one it is never changes, so a party that was read before will do. */
  const holder = Effect.gen(function* () {
    const own = partyOf(connectionId)
    const first = Option.getOrUndefined(yield* store.find(own, 0))?.claimsAt
    return first !== undefined && Option.isSome(yield* store.find(first)) ? first : own
  })
  const isOwn = (one: EvseClaim) => one.runId === runId
  const isLater = (one: EvseClaim) => isOwn(one) && (one.epoch ?? 0) > epoch
  const blocks = (one: EvseClaim) => !isOwn(one) && one.isOver !== true

  /** Those of these runs that are open; of the others, all of which have claimed something by now, each is over. */
  const openOf = (claims: ReadonlyArray<EvseClaim>, at: PartyId) =>
    Effect.map(
      Effect.forEach(new Set(claims.map((one) => one.connectionId ?? connectionOf(at))), (id) =>
        Effect.orDie(ledger.openOn(ownerId, id))
      ),
      (runs) => new Set(runs.flat().map((run) => run.runId))
    )

  return {
    ofOthers: Effect.gen(function* () {
      const now = isoOf(yield* Clock.currentTimeMillis)
      const at = yield* holder
      const found = claimsOf(yield* store.find(at))
      const claims = found.filter((one) => blocks(one) && one.until > now)
      if (claims.length === 0) return []
      const open = yield* openOf(claims, at)
      return claims.filter((one) => open.has(one.runId))
    }),
    own: Effect.map(
      Effect.flatMap(holder, (id) => store.find(id)),
      (party) => claimsOf(party).filter(isOwn)
    ),
    claim: Effect.fnUntraced(function* (choose) {
      const millis = yield* Clock.currentTimeMillis
      const [now, until] = [isoOf(millis), isoOf(millis + longestClaimMillis)]
      const at = yield* holder
      const isOpen = new Map<RunId, boolean>()
      for (;;) {
        let unknown: ReadonlyArray<EvseClaim> = []
        let others: ReadonlyArray<EvseClaim> = []
        let own: ReadonlyArray<EvseClaim> = []
        yield* store.update(at, (party) => {
          const claims = party.claims ?? []
          const standing = claims.filter(
            (one) => !isOwn(one) && one.until > now && isOpen.get(one.runId) !== false
          )
          unknown = standing.filter((one) => !isOpen.has(one.runId))
          if (unknown.length > 0) return party
          others = standing.filter(blocks)
          own = claims.filter(isOwn)
          if (own.some(isLater)) return party
          own = choose(others).map((chosen) => ({ ...chosen, runId, connectionId, epoch, until }))
          return { ...party, claims: [...standing, ...own] }
        })
        if (unknown.length === 0) return { others, own }
        const open = yield* openOf(unknown, at)
        for (const one of unknown) isOpen.set(one.runId, open.has(one.runId))
      }
    }),
    release: Effect.fnUntraced(function* (purposes) {
      yield* store.update(yield* holder, (party) => {
        const { claims = [] } = party
        const isGivenBack = (one: EvseClaim) =>
          isOwn(one) && !isLater(one) && one.isOver !== true && purposes.includes(one.purpose)
        return claims.some(isGivenBack)
          ? {
              ...party,
              claims: claims.map((one) => (isGivenBack(one) ? { ...one, isOver: true as const } : one))
            }
          : party
      })
    }),
    drop: Effect.gen(function* () {
      yield* store.update(yield* holder, (party) => {
        const { claims = [], ...others } = party
        const left = claims.filter((one) => !isOwn(one))
        return left.length === claims.length
          ? party
          : left.length === 0
            ? others
            : { ...others, claims: left }
      })
    })
  }
}

const claimsOf = (party: Option.Option<Party>): ReadonlyArray<EvseClaim> =>
  Option.match(party, { onNone: () => [], onSome: ({ claims = [] }) => claims })
