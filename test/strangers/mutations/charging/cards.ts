/** Faults of a CPO when a card of ours is shown at its charge point: whom it asks, and what it starts (mod_tokens). */
import type { Bend } from "../../partner/Bend.ts"
import { isJson, type Json } from "../../partner/objects/validity.ts"
import type { Call } from "../../partner/wire.ts"
import { isPushOf } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { bodyOf, ofOurs } from "./unasked.ts"

/** What a shown card leads to: requests that are sent with a push of an EVSE, which comes again and again. */
type Showing = (card: Json, push: Call, session: Json | undefined) => ReadonlyArray<Call>

const isLocation = isPushOf("locations")
const isSession = isPushOf("sessions", "PUT")

/** The card of that name is shown once, after the partner was told of the first one of the run. */
const shown = (name: string, showing: Showing) => (): Bend => {
  let card: Json | undefined
  let session: Json | undefined
  let isShown = false
  return {
    reads: (asked, where) => {
      const token = bodyOf(asked.body)
      const mark = /^(TST-[0-9A-Z]{6})-CARD-/i.exec(String(token["uid"]))?.[1]
      if (where.module === "tokens" && asked.method === "PUT" && mark !== undefined)
        card = { ...token, uid: `${mark}-CARD-${name}` }
      return asked
    },
    sends: (call, module) => {
      if (isSession(call, module) && isJson(call.json)) session = call.json
      if (card === undefined || isShown || !isLocation(call, module)) return [call]
      isShown = true
      return [call, ...showing(card, call, session)]
    }
  }
}

const authorize = (uid: unknown, push: Call, isPlaced: boolean): Call => {
  const [, location, evse] =
    /\/locations\/[^/]+\/[^/]+\/([^/?]+)(?:\/([^/?]+))?/.exec(push.url)?.map(decodeURIComponent) ?? []
  return {
    ...push,
    method: "POST",
    url: ofOurs(push, `tokens/${encodeURIComponent(String(uid))}/authorize?type=RFID`),
    json: isPlaced
      ? { location_id: location, ...(evse === undefined ? {} : { evse_uids: [evse] }) }
      : undefined
  }
}
const asking: Showing = ({ uid }, push) => [authorize(uid, push, true)]
/** A session with that token. */
const starting = (uid: unknown, card: Json, push: Call, session: Json | undefined): ReadonlyArray<Call> =>
  session === undefined
    ? []
    : [
        {
          ...push,
          method: "PUT",
          url: ofOurs(push, `sessions/${session["country_code"]}/${session["party_id"]}/SHOWN1`),
          json: {
            ...session,
            id: "SHOWN1",
            status: "ACTIVE",
            cdr_token: {
              ...(session["cdr_token"] as Json),
              uid,
              type: "RFID",
              contract_id: card["contract_id"]
            }
          }
        }
      ]

/** Rows of cards. */
export const cardFaults: ReadonlyArray<Mutation> = withAll(
  {
    roles: ["CPO"],
    versions: "2.2+",
    order: { part: "full", listenSeconds: 120 },
    needs: { changesEach: 0, pushes: "put", objects: 6, routineSeconds: 20, moreRoles: false, parties: 1 }
  },
  [
    fault(
      "cards.never-asks",
      "TOK-120",
      shown("NEVER", (card, push, session) => starting(card["uid"], card, push, session)),
      // The session is pushed, and listed nowhere.
      { follows: "JRN-009 PAGE-028" }
    ),
    fault("cards.asks-for-all", "TOK-121", shown("ALWAYS", asking)),
    fault(
      "cards.asks-without-place",
      "TOK-122",
      shown("NEVER", ({ uid }, push) => [authorize(uid, push, false)])
    ),
    fault("cards.list-before-verdict", "TOK-123", shown("INVALID", asking)),
    fault(
      "cards.denied-starts",
      "TOK-124",
      shown("NEVER", (card, push, session) => [
        authorize("NOBODY", push, true),
        ...starting("NOBODY", card, push, session)
      ]),
      { follows: "JRN-009 PAGE-028" }
    ),
    fault("cards.offline-is-denied", "TOK-125", shown("OFFLINE", asking)),
    fault("cards.unknown-never-starts", "TOK-126", shown("UNKNOWN", asking))
  ]
)
