/** Drivers who show a token at the CPO's charge point (mod_tokens): how we are asked, and what our answer leads to. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { pathSegments } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, when } from "../../../findings/finding.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import { shown } from "../../../findings/words.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import type { Check } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { observed } from "../../model/observed.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { readingOf } from "../shared/objects/ListedKind.ts"
import { wholeList } from "../shared/objects/listedObjects.ts"

const base = {
  module: "tokens",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "OBS",
  sends: "no request: the check looks at the partner's calls of authorize"
} as const

const provoke = "the partner has asked for no token: show a card at a charge point while the run goes on"

/** Segments of the path that the partner called, decoded. */
export const pathOf = ({ exchange }: Observation) => pathSegments(exchange.request.url)
/** Does it ask whether a token may charge? */
export const isAuthorize = (seen: Observation) =>
  seen.exchange.module === "tokens" &&
  seen.exchange.request.method === "POST" &&
  pathOf(seen).at(-1) === "authorize"

/**
 * Is it the token of a command of this run? The command is its authorization, so that a session with it may begin whatever we
 * answer when we are asked all the same (mod_commands, StartSession Object). Cards that drivers show have uids of their own.
 */
const isOfCommand = (uid: unknown, { mark }: Evidence): boolean => {
  const text = textIn(uid)?.toUpperCase() ?? ""
  return text.startsWith(`${mark}-`) && !text.startsWith(`${mark}-CARD-`)
}

/** Could we tell a session of the token from others, if there was one? */
const isRecognizable = (evidence: Evidence, call: Observation): boolean =>
  evidence.profile.tokenReference !== "auth_id" ||
  contractOf(evidence, pathOf(call).at(-2)) !== undefined ||
  sessionsAfter(evidence, call).length > 0

/** Did we say that the token may charge? */
const isAllowed = ({ exchange }: Observation) =>
  textIn(objectIn(objectIn(parseJson(exchange.response?.body ?? ""))["data"])["allowed"]) === "ALLOWED"

/**
 * The contract of the token with that uid, as the partner has read it in our list: sessions of some versions name the
 * contract only. Undefined where the partner has not read it, or where other tokens have the same contract.
 */
const contractOf = ({ profile, seen }: Evidence, uid: unknown): unknown => {
  const listed = seen("inbound")
    .filter(({ exchange }) => exchange.module === "tokens" && exchange.operation === "list")
    .flatMap(({ exchange }) => objectsIn(objectIn(parseJson(exchange.response?.body ?? ""))["data"]))
  const contract = listed.findLast((token) => sameId(token["uid"], uid))?.[profile.contract]
  const sharing = listed.filter((token) => sameId(token[profile.contract], contract))
  return sharing.every((token) => sameId(token["uid"], uid)) ? contract : undefined
}

/** Does the session name the token? A session that names its contract may also have the uid in that field. */
const namesToken = (session: JsonObject, uid: unknown, evidence: Evidence): boolean =>
  evidence.profile.tokenReference === "auth_id"
    ? [uid, contractOf(evidence, uid)].some((name) => sameId(session["auth_id"], name))
    : sameId(objectIn(session["cdr_token"])["uid"], uid)

/** Sessions of that token that began after the call, and before we allowed it. */
const sessionsAfter = (evidence: Evidence, denied: Observation): ReadonlyArray<Observation> => {
  const calls = evidence.seen("inbound")
  const uid = pathOf(denied).at(-2)
  const index = calls.indexOf(denied)
  const next = calls.findIndex(
    (seen, at) => at > index && isAuthorize(seen) && sameId(pathOf(seen).at(-2), uid) && isAllowed(seen)
  )
  return calls.slice(index + 1, next === -1 ? undefined : next).filter(({ exchange, json }) => {
    const session = objectIn(json)
    return (
      exchange.module === "sessions" &&
      exchange.request.method === "PUT" &&
      sessionStatus(session) !== "COMPLETED" &&
      namesToken(session, uid, evidence)
    )
  })
}

/**
 * Judge how a CPO calls authorize for tokens shown at its charge points, and what it does with the answer (mod_tokens,
 * LocationReferences class and AllowedType enum).
 */
export const localStartsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TOK-122",
    strength: "should",
    title: "Call of authorize: LocationReferences of a listed location are given",
    reference: "mod_tokens, LocationReferences class",
    passes:
      "each call of authorize has LocationReferences, and location_id and evse_uids are in the partner's locations",
    hint: "Send location_id and evse_uids: some EMSPs allow tokens at some locations only.",
    needs: () => ["inbound", ...readingOf("locations")],
    judge: (evidence) =>
      observed({
        source: "inbound",
        provoke,
        matches: isAuthorize,
        findings: (calls) => {
          const locations = wholeList(evidence, "locations")
          return calls.flatMap((seen): ReadonlyArray<Finding> => {
            const place = objectIn(seen.json)
            if (textIn(place["location_id"]) === undefined)
              return [
                at(seen, "/location_id", "the call of authorize has no location_id", {
                  expected: "the id of a location",
                  actual: place["location_id"]
                })
              ]
            const location = locations?.find(({ json }) => sameId(json["id"], place["location_id"]))?.json
            if (locations === undefined) return []
            const known = objectsIn(location?.["evses"]).map(({ uid }) => uid)
            const named = Array.isArray(place["evse_uids"]) ? place["evse_uids"] : []
            const strange = named.find((uid) => !known.some((one) => sameId(one, uid)))
            return when(location === undefined || strange !== undefined, () =>
              at(
                seen,
                location === undefined ? "/location_id" : "/evse_uids",
                "the list of locations has no such location or EVSE",
                {
                  expected: "a listed location and its EVSEs",
                  actual: strange ?? place["location_id"]
                }
              )
            )
          })
        }
      })(evidence)
  },
  {
    ...base,
    id: "TOK-124",
    strength: "must",
    title: "Call of authorize: no session after an answer other than ALLOWED",
    reference: "mod_tokens, AllowedType enum",
    passes: "no session of a token after BLOCKED, EXPIRED, NO_CREDIT, NOT_ALLOWED, or an unknown token",
    hint: "Start a session only when allowed is ALLOWED.",
    needs: () => ["inbound"],
    judge: onAllCalls("inbound", ["tokens"], (evidence) =>
      observed({
        source: "inbound",
        provoke: "no token that the partner asked for was denied: show one that we do not know",
        // An HTTP 5xx of ours is no answer, so it denies nothing.
        matches: (seen) =>
          isAuthorize(seen) &&
          !isAllowed(seen) &&
          (seen.exchange.response?.httpStatus ?? 500) < 500 &&
          !isOfCommand(pathOf(seen).at(-2), evidence) &&
          isRecognizable(evidence, seen),
        nearMiss: (seen) =>
          isAuthorize(seen) && !isAllowed(seen) && !isRecognizable(evidence, seen)
            ? `token ${shown(pathOf(seen).at(-2))} was denied, but sessions name its contract, which we do not know`
            : undefined,
        findings: (calls) =>
          calls.flatMap((call) =>
            sessionsAfter(evidence, call).map((seen) =>
              finding(seen, `a session began after token ${shown(pathOf(call).at(-2))} was denied`, {
                expected: "no session",
                actual: `${seen.exchange.request.method} session`
              })
            )
          )
      })(evidence)
    )
  }
]
