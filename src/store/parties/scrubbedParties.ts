/**
 * Redaction at the entrance of the store: everything written about a party is searched for every token that the party has
 * or ever had, so that no caller can forget it. A partner may repeat its token anywhere: in an object, a path, an error,
 * a URL, a name.
 */
import { Effect } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { type Cleaner, cleanerOf } from "../../redaction/scrubValue.ts"
import type { Party, PartyObject, PartyStore } from "./PartyStore.ts"

/**
 * The store with redaction: in every write a placeholder replaces each token. To call a stored URL, the secret is put
 * back (secretUrls.ts).
 */
export const scrubbedParties = (store: PartyStore["Type"]): PartyStore["Type"] => {
  const cleaner = (id: PartyId) => Effect.map(store.secrets(id), cleanerOf)
  return {
    ...store,
    insert: (party, tokens) => store.insert(cleanParty(cleanerOf(tokens), party), tokens),
    update: (id, change, tokens = []) =>
      Effect.flatMap(store.secrets(id), (secrets) => {
        const clean = cleanerOf([...secrets, ...tokens.flatMap(({ token }) => token ?? [])])
        return store.update(
          id,
          (party) => {
            const changed = change(party)
            return changed === party ? party : cleanParty(clean, changed)
          },
          tokens
        )
      }),
    putObject: (id, object) =>
      Effect.flatMap(cleaner(id), (clean) => store.putObject(id, cleanObject(clean, object))),
    replaceObject: (id, object, revision) =>
      Effect.flatMap(cleaner(id), (clean) => store.replaceObject(id, cleanObject(clean, object), revision)),
    // The key was redacted when it was written.
    object: (id, module, side, key) =>
      Effect.flatMap(cleaner(id), (clean) => store.object(id, module, side, clean.text(key))),
    removeObject: (id, module, side, key) =>
      Effect.flatMap(cleaner(id), (clean) => store.removeObject(id, module, side, clean.text(key))),
    record: (id, exchange, outcome) =>
      Effect.flatMap(cleaner(id), (clean) => store.record(id, clean.value(exchange), outcome))
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
