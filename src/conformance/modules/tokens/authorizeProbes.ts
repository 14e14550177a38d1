/** Probes of real-time authorization: an EMSP is asked about tokens that it lists, and about some that there are not. */
import { keyText, textIn } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, withheld } from "../../model/Probe.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { hasLetters, inOtherCase } from "../shared/otherCase.ts"

/** A place that we never published. */
export const unpublishedPlace = { location_id: "TST-NEVER-PUBLISHED", evse_uids: ["TST-EVSE-1"] }

const unknownUid = "TST-NO-SUCH-TOKEN"
const manyCalls = 10

/** The first listed token with a uid that fits. */
const listedToken = (evidence: Evidence, fits: (token: Placed["json"]) => boolean): Placed | undefined =>
  objectsOf(evidence, "tokens").find(({ json }) => textIn(json["uid"]) !== undefined && fits(json))

/** A valid listed token; preferably an RFID token whose whitelist is not ALWAYS. */
export const askedToken = (evidence: Evidence): Placed | undefined =>
  listedToken(
    evidence,
    ({ type, valid, whitelist }) => valid === true && type === "RFID" && whitelist !== "ALWAYS"
  ) ?? listedToken(evidence, ({ valid }) => valid === true)

const authorize = (
  token: { readonly uid: string; readonly type?: string | undefined },
  more: Partial<ProbeRequest> = {}
): ProbeRequest => ({
  module: "tokens",
  interfaceRole: "SENDER",
  operation: "POST authorize",
  method: "POST",
  path: [token.uid, "authorize"],
  ...(token.type === undefined ? {} : { query: { type: token.type } }),
  // The same URL with another body is another question.
  again: true,
  ...more
})

const ofToken = ({ json }: Placed) => ({ uid: keyText(json["uid"]), type: textIn(json["type"]) })

/** The question whether a listed token may charge, without a place. */
export const authorizing = (token: Placed): ProbeRequest => authorize(ofToken(token))

const aboutToken = (
  id: string,
  pick: (evidence: Evidence) => Placed | undefined,
  asks: (token: { readonly uid: string; readonly type: string | undefined }) => ReadonlyArray<ProbeRequest>,
  none = "no listed token is valid"
): Probe => ({
  id,
  after: ["tokens.list", "tokens.crawl"],
  asks: (evidence) => {
    const token = pick(evidence)
    return token === undefined ? withheld("unobservable", none) : asks(ofToken(token))
  }
})

const card = (evidence: Evidence) =>
  listedToken(evidence, ({ type, valid }) => valid === true && type === "RFID")

/**
 * POST authorize of listed and unknown tokens: with and without LocationReferences, repeated, with other types, and
 * with broken bodies.
 */
export const authorizeProbes: ReadonlyArray<Probe> = [
  aboutToken("tokens.authorize", askedToken, (token) => [authorize(token, { body: unpublishedPlace })]),
  aboutToken("tokens.authorize-bare", askedToken, (token) => [authorize(token)]),
  aboutToken("tokens.authorize-again", askedToken, (token) => [
    authorize(token, { body: unpublishedPlace, about: "again" })
  ]),
  aboutToken("tokens.authorize-many", askedToken, (token) =>
    Array.from({ length: manyCalls }, (_, number) =>
      authorize(token, { body: unpublishedPlace, about: `call ${number + 1}` })
    )
  ),
  {
    id: "tokens.authorize-unknown",
    asks: () => [authorize({ uid: unknownUid, type: "RFID" }, { body: unpublishedPlace })]
  },
  aboutToken(
    "tokens.authorize-invalid",
    (evidence) => listedToken(evidence, ({ valid }) => valid === false),
    (token) => [authorize(token, { body: unpublishedPlace })],
    "no listed token is invalid"
  ),
  aboutToken(
    "tokens.authorize-typed",
    card,
    ({ uid }) => [
      authorize({ uid }, { body: unpublishedPlace, about: "without type" }),
      authorize({ uid, type: "RFID" }, { body: unpublishedPlace, about: "type=RFID" })
    ],
    "no listed RFID token is valid"
  ),
  aboutToken(
    "tokens.authorize-other",
    card,
    ({ uid }) =>
      ["OTHER", "BANANA"].map((type) =>
        authorize({ uid, type }, { body: unpublishedPlace, about: `type=${type}` })
      ),
    "no listed RFID token is valid"
  ),
  aboutToken(
    "tokens.authorize-flipped",
    (evidence) => listedToken(evidence, ({ uid, valid }) => valid === true && hasLetters(keyText(uid))),
    ({ type, uid }) => [
      authorize({ uid, type }, { body: unpublishedPlace, about: "uid as listed" }),
      authorize({ uid: inOtherCase(uid), type }, { body: unpublishedPlace, about: "uid in the other case" })
    ],
    "no listed token that is valid has letters in its uid"
  ),
  aboutToken("tokens.authorize-broken", askedToken, (token) => [
    authorize(token, {
      rawBody: '{"location_id":',
      about: "truncated",
      wrongOnPurpose: { body: "JSON that is cut short" }
    }),
    authorize(token, {
      body: { evse_uids: ["TST-EVSE-1"] },
      about: "without location_id",
      wrongOnPurpose: { body: "location_id is missing" }
    })
  ]),
  aboutToken("tokens.no-authorize", askedToken, ({ uid }) => [
    authorize(
      { uid },
      {
        path: [uid],
        operation: "POST to a token",
        body: unpublishedPlace,
        wrongOnPurpose: { target: "POST without /authorize" }
      }
    )
  ])
]
