/** Holders of an EMSP's cards at the charge points of a CPO: whom it asks, what it lets them do (mod_tokens, Real-time authorization). */
import type { Chance } from "../chance.ts"
import type { Identity } from "../objects/Holdings.ts"
import { isJson, type Json } from "../objects/validity.ts"
import type { Heard } from "../wire.ts"
import type { ChargePoints, Place } from "./ChargePoints.ts"

/** What card holders ask of the platform whose charge points they use. */
export interface Terminal {
  readonly points: ChargePoints
  readonly chance: Chance
  readonly sleep: (millis: number) => Promise<void>
  /** POST authorize for a token, in the name of that party, with LocationReferences; undefined: the EMSP has no such endpoint. */
  readonly authorize: (token: Json, owner: Identity, references: Json) => Promise<Heard | undefined>
  readonly meterSeconds: number
}

/** What a card may do. */
interface Verdict {
  readonly allowed: boolean
  /** An AuthMethod. */
  readonly method: string
  readonly reference?: string
}

const seconds = 1000

/** The people who come to the charge points of a stranger, each with the card of which it is told. */
export class CardHolders {
  readonly #terminal: Terminal
  readonly #shown = new Set<string>()
  #last: Promise<void> = Promise.resolve()

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** A token of the EMSP was stored: its holder comes with it, once. */
  told(token: unknown): void {
    if (!isJson(token) || token["type"] !== "RFID" || this.#shown.has(String(token["uid"]))) return
    this.#shown.add(String(token["uid"]))
    this.#last = this.#last.then(() => this.#show(token))
  }

  async #show(token: Json): Promise<void> {
    const { chance, meterSeconds, points, sleep } = this.#terminal
    await sleep(3 * seconds)
    const free = points.places.flatMap((place) =>
      (place.location["evses"] as ReadonlyArray<Json>)
        .filter(({ status }) => status === "AVAILABLE")
        .map((evse) => ({ place, evse }))
    )
    if (free.length === 0) return
    const { evse, place } = chance.of(free)
    // Whom its whitelist field lets charge unasked may be asked about as well (mod_tokens, WhitelistType enum).
    const isKnown =
      token["whitelist"] === "ALWAYS" || (token["whitelist"] === "ALLOWED" && chance.next() < 0.5)
    const { allowed, method, reference }: Verdict = isKnown
      ? { allowed: token["valid"] === true, method: "WHITELIST" }
      : await this.#ask(token, place, evse)
    if (!allowed) return
    const charge = points.chargeAt(place, evse, token, method, reference)
    if (charge === undefined) return
    points.setStatus(place, evse, "CHARGING")
    void points.begin(charge, undefined)
    await sleep((3 * meterSeconds + 10) * seconds)
    await points.end(charge)
  }

  /** What the EMSP says; of one that does not answer, what the card itself says (mod_tokens, WhitelistType enum). */
  async #ask(token: Json, { location, owner }: Place, evse: Json): Promise<Verdict> {
    const references = { location_id: location["id"], evse_uids: [evse["uid"]] }
    const heard = await this.#terminal.authorize(token, owner, references)
    if (heard === undefined || heard.http === 0 || heard.http >= 500)
      return { allowed: token["valid"] === true && token["whitelist"] !== "NEVER", method: "WHITELIST" }
    const info = isJson(heard.json) ? heard.json["data"] : undefined
    if (heard.http >= 300 || !isJson(info)) return { allowed: false, method: "AUTH_REQUEST" }
    const { allowed, authorization_reference: reference } = info
    return {
      allowed: allowed === "ALLOWED",
      method: "AUTH_REQUEST",
      ...(typeof reference === "string" ? { reference } : {})
    }
  }
}
