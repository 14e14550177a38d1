/**
 * Redaction at the entrance of the store: everything written about a party is searched for every token that the party has
 * or ever had, so that no caller can forget it. A partner may repeat its token anywhere: in an object, a path, an error,
 * a URL, a name.
 */
import { Effect, type Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import { isScrubbedOf } from "../../ocpi/Scrubber.ts"
import { type Cleaner, cleanerOf } from "../../redaction/scrubValue.ts"
import type { Party } from "./Party.ts"
import type { KeptObject, PartyObject, PartyStore, PartyVersions } from "./PartyStore.ts"
import type { NamedToken } from "./TokenSlot.ts"

/** What a text was searched for. */
export interface Searched {
  readonly secrets: ReadonlyArray<NamedToken>
  /** The version of the party's tokens that these are; null: the party is gone. */
  readonly tokenVersion: number | null
}

/** What a write answers, which did nothing: the party has tokens now that the text was not searched for. */
export const outdated = Symbol("outdated")

type Stored = PartyStore["Type"]
/** Where a party has an object; the key without secrets. */
export type ObjectPlace = Pick<PartyObject, "module" | "side" | "key">

/** How an exchange is kept. */
export interface RecordConditions {
  /** As a refused call, of which only so many are kept. */
  readonly refused: "refused" | undefined
  /** Only if the party still is as it was then. */
  readonly asOf: PartyVersions | undefined
}

/** A store that does not search by itself; it does what it is told only if the party still has the tokens of `searched`. */
interface UnscrubbedParties
  extends Omit<
    Stored,
    "object" | "putObject" | "putObjectAsOf" | "record" | "removeObject" | "replaceObject" | "update"
  > {
  /** The tokens of the party that this process knows, perhaps not the latest; undefined: none yet. */
  readonly known: (id: PartyId) => Searched | undefined
  /** Those that it has now. */
  readonly latest: (id: PartyId) => Effect.Effect<Searched>
  /** `revision`: only while the party has this one; null: any. */
  readonly putObject: (
    id: PartyId,
    object: PartyObject,
    searched: Searched,
    revision: number | null
  ) => Effect.Effect<{ readonly created: boolean } | typeof outdated>
  readonly replaceObject: (
    id: PartyId,
    object: PartyObject,
    revision: string | null,
    searched: Searched
  ) => Effect.Effect<boolean | typeof outdated>
  readonly object: (
    id: PartyId,
    place: ObjectPlace,
    searched: Searched
  ) => Effect.Effect<Option.Option<KeptObject> | typeof outdated>
  readonly removeObject: (
    id: PartyId,
    place: ObjectPlace,
    searched: Searched
  ) => Effect.Effect<boolean | typeof outdated>
  /** False: not stored, because the party, or what it must be searched for, is not as expected. */
  readonly record: (
    id: PartyId,
    exchange: Exchange,
    searched: Searched,
    conditions: RecordConditions
  ) => Effect.Effect<boolean>
  /** `change` also gets the tokens that the party has, beside those that it is to get. */
  readonly update: (
    id: PartyId,
    change: (party: Party, secrets: ReadonlyArray<NamedToken>) => Party,
    tokens: NonNullable<Parameters<Stored["update"]>[2]>
  ) => ReturnType<Stored["update"]>
}

/**
 * The store with redaction: in every write a placeholder replaces each token. To call a stored URL, the secret is put
 * back (secretUrls.ts).
 */
export const scrubbedParties = ({ known, latest, ...store }: UnscrubbedParties): Stored => {
  /** Searches for the tokens that are known here; again for the latest, if the write says that there are others. */
  const searching = <A>(
    id: PartyId,
    write: (searched: Searched, clean: Cleaner) => Effect.Effect<A | typeof outdated>
  ): Effect.Effect<A> => {
    const once = (searched: Searched): Effect.Effect<A> =>
      Effect.flatMap(write(searched, cleanerOf(searched.secrets)), (done) =>
        done === outdated ? Effect.flatMap(latest(id), once) : Effect.succeed(done as A)
      )
    return Effect.suspend(() => {
      const here = known(id)
      return here === undefined ? Effect.flatMap(latest(id), once) : once(here)
    })
  }
  return {
    ...store,
    insert: (party, tokens) => store.insert(cleanParty(cleanerOf(tokens), party), tokens),
    update: (id, change, tokens = []) => {
      const coming = tokens.flatMap(({ token }) => token ?? [])
      return store.update(
        id,
        (party, secrets) => {
          const changed = change(party)
          if (changed === party) return party
          return cleanParty(cleanerOf(coming.length === 0 ? secrets : [...secrets, ...coming]), changed)
        },
        tokens
      )
    },
    putObject: (id, object) =>
      searching(id, (searched, clean) => store.putObject(id, cleanObject(clean, object), searched, null)),
    putObjectAsOf: (id, object, { revision, tokenVersion }) =>
      searching(id, (searched, clean) =>
        // What this process knows may be newer than what the caller relied on.
        searched.tokenVersion !== tokenVersion
          ? Effect.succeed(undefined)
          : Effect.map(store.putObject(id, cleanObject(clean, object), searched, revision), (done) =>
              done === outdated ? undefined : done
            )
      ),
    replaceObject: (id, object, revision) =>
      searching(id, (searched, clean) =>
        store.replaceObject(id, cleanObject(clean, object), revision, searched)
      ),
    // The key was redacted when it was written.
    object: (id, module, side, key) =>
      searching(id, (searched, { text }) => store.object(id, { module, side, key: text(key) }, searched)),
    removeObject: (id, module, side, key) =>
      searching(id, (searched, { text }) =>
        store.removeObject(id, { module, side, key: text(key) }, searched)
      ),
    record: (id, exchange, refused, asOf) =>
      searching(id, (searched, clean) => {
        // What this process knows may be newer than what the caller relied on.
        if (asOf !== undefined && searched.tokenVersion !== asOf.tokenVersion) return Effect.succeed(false)
        const cleaned = isScrubbedOf(exchange, searched.secrets) ? exchange : clean.value(exchange)
        const recorded = store.record(id, cleaned, searched, { refused, asOf })
        return asOf === undefined ? Effect.map(recorded, (done) => done || outdated) : recorded
      })
  }
}

/** Redacts only fields with a partner's text: the rest is ours, where a word might coincide with a short token. */
function cleanParty(clean: Cleaner, party: Party): Party {
  const { counterpart, dialect, lastError } = party
  return {
    ...party,
    counterpart: clean.value(counterpart),
    dialect: { ...dialect, deviations: clean.value(dialect.deviations) },
    ...(typeof lastError === "string" ? { lastError: clean.text(lastError) } : {})
  }
}

function cleanObject(clean: Cleaner, object: PartyObject): PartyObject {
  const { json, key, lastUpdated } = object
  return { ...object, key: clean.text(key), json: clean.value(json), lastUpdated: clean.text(lastUpdated) }
}
