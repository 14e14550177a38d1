/**
 * Which EVSEs of the partner the open runs of a connection work with, so that no two of them take the same one. The claims are kept
 * with our side of the connection and count while their run is open: a run that ended without giving one back holds nothing.
 */
import { Clock, Effect, Option } from "effect"
import { partyOf } from "../../schema/Ids.ts"
import type { Ledger, RunFacts } from "../ledger/Ledger.ts"
import { isoOf } from "../party/wire/instants.ts"
import type { EvseClaim, Party } from "../store/parties/Party.ts"
import type { PartyStore } from "../store/parties/PartyStore.ts"

/** A run that waits for a decision is open: after so many milliseconds its claims count no more. */
const longestClaimMillis = 4 * 3_600_000

/** The claims of one run. No method fails; `choose` must be pure, and may be asked several times. */
export interface EvseClaims {
  /** The claims of other open runs of the connection, as they are now. */
  readonly ofOthers: Effect.Effect<ReadonlyArray<EvseClaim>>
  /** The claims of this run. */
  readonly own: Effect.Effect<ReadonlyArray<EvseClaim>>
  /** Replaces the claims of this run by what `choose` makes of those of others, in one step; returns both. */
  readonly claim: (
    choose: (others: ReadonlyArray<EvseClaim>) => ReadonlyArray<ChosenEvse>
  ) => Effect.Effect<{ readonly others: ReadonlyArray<EvseClaim>; readonly own: ReadonlyArray<EvseClaim> }>
  /** Marks the claims of this run for these purposes as over, so that other runs may take the EVSEs; `own` still lists them. */
  readonly release: (purposes: ReadonlyArray<string>) => Effect.Effect<void>
}

/** An EVSE that a run is to have. */
export type ChosenEvse = Pick<EvseClaim, "locationId" | "evseUid" | "purpose">

/** The claims of that run. */
export const makeEvseClaims = (
  ledger: Ledger["Type"],
  store: PartyStore["Type"],
  { connectionId, ownerId, runId }: Pick<RunFacts, "connectionId" | "ownerId" | "runId">
): EvseClaims => {
  const partyId = partyOf(connectionId)
  const isOwn = (one: EvseClaim) => one.runId === runId

  /** Does a claim of the party count? A run that claims something after the party was read is open, too. */
  const counting = Effect.gen(function* () {
    const claims = claimsOf(yield* store.find(partyId))
    const now = isoOf(yield* Clock.currentTimeMillis)
    if (claims.every(isOwn)) return (one: EvseClaim) => one.until > now
    const open = new Set((yield* Effect.orDie(ledger.openOn(ownerId, connectionId))).map((run) => run.runId))
    const over = new Set(claims.map((one) => one.runId).filter((id) => id !== runId && !open.has(id)))
    return (one: EvseClaim) => one.until > now && !over.has(one.runId)
  })

  const othersOf = (claims: ReadonlyArray<EvseClaim>, counts: (one: EvseClaim) => boolean) =>
    claims.filter((one) => !isOwn(one) && one.isOver !== true && counts(one))

  return {
    ofOthers: Effect.gen(function* () {
      const counts = yield* counting
      return othersOf(claimsOf(yield* store.find(partyId)), counts)
    }),
    own: Effect.map(store.find(partyId), (party) => claimsOf(party).filter(isOwn)),
    claim: Effect.fnUntraced(function* (choose) {
      const counts = yield* counting
      const until = isoOf((yield* Clock.currentTimeMillis) + longestClaimMillis)
      let others: ReadonlyArray<EvseClaim> = []
      let own: ReadonlyArray<EvseClaim> = []
      yield* store.update(partyId, (party) => {
        const standing = (party.claims ?? []).filter((one) => !isOwn(one) && counts(one))
        others = othersOf(standing, counts)
        own = choose(others).map((chosen) => ({ ...chosen, runId, until }))
        return { ...party, claims: [...standing, ...own] }
      })
      return { others, own }
    }),
    release: (purposes) =>
      Effect.asVoid(
        store.update(partyId, (party) => ({
          ...party,
          claims: (party.claims ?? []).map((one) =>
            isOwn(one) && purposes.includes(one.purpose) ? { ...one, isOver: true as const } : one
          )
        }))
      )
  }
}

const claimsOf = (party: Option.Option<Party>): ReadonlyArray<EvseClaim> =>
  Option.match(party, { onNone: () => [], onSome: ({ claims = [] }) => claims })
