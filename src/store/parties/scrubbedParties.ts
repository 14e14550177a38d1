/**
 * The store's door: whatever is written about a party is looked through for every token that the party has or ever had,
 * so that no writer can forget it. A partner may give back its token anywhere: in an object, a path, an error, a URL, a name.
 */
import { Effect } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { type Cleaner, cleanerOf } from "../../redaction/scrubValue.ts"
import type { Party, PartyObject, PartyStore } from "./PartyStore.ts"

/**
 * The store with that door. What holds no secret is written as it came; in what does, a placeholder stands for it. URLs
 * are called with the secret put back (secretUrls.ts).
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
    // Under the same key as it was written.
    object: (id, module, side, key) =>
      Effect.flatMap(cleaner(id), (clean) => store.object(id, module, side, clean.text(key))),
    removeObject: (id, module, side, key) =>
      Effect.flatMap(cleaner(id), (clean) => store.removeObject(id, module, side, clean.text(key))),
    record: (id, exchange, outcome) =>
      Effect.flatMap(cleaner(id), (clean) => store.record(id, clean.value(exchange), outcome))
  }
}

/** What a partner can have said; the rest is ours, and a word of it must not be taken for a token. */
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
