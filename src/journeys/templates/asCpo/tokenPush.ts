import { Schema } from "effect"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { pathSegments, wasTaken } from "../../../findings/calledPath.ts"
import { type JsonObject, objectIn, sameId } from "../../../findings/json.ts"
import { objectDifferences } from "../../../findings/objectDifferences.ts"
import { inWords } from "../../../findings/words.ts"
import { locationWishes } from "../../../party/simulation/driver/scriptedLocations.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import {
  answerOf,
  inboundOf,
  intentOf,
  jsonOf,
  listedObjects,
  listGoesOn,
  type RunHistory
} from "../../model/RunHistory.ts"
import { answeredWith } from "../../model/rulings.ts"
import { hiddenPlace } from "../../stages/asCpo/ourPlace.ts"
import { pushLocation, retirePlace } from "../../stages/asCpo/ourPlaceStages.ts"
import { waitFields } from "../../stages/charge/inputs.ts"

const pushes = (history: RunHistory) =>
  inboundOf(history).filter(({ module, request }) => module === "tokens" && request.method === "PUT")

/** The first pushed token that we accepted; undefined: none came. */
function pushed(history: RunHistory): JsonObject | undefined {
  const push = pushes(history).find(wasTaken)
  return push === undefined ? undefined : objectIn(jsonOf(push.request))
}

/**
 * What the list may say of the pushed token: what it was by the last push before the list was read, or by one that came
 * later, for the partner changes its list first and tells us afterwards.
 */
function tokenStates(history: RunHistory): ReadonlyArray<JsonObject> {
  const first = pushed(history)
  const readAt = Date.parse(intentOf(history, "read-changed")?.startedAt ?? history.createdAt)
  const changes = inboundOf(history).filter(
    (call) =>
      call.module === "tokens" &&
      (call.request.method === "PUT" || call.request.method === "PATCH") &&
      wasTaken(call) &&
      sameId(pathSegments(call.request.url).at(-1), first?.["uid"]) &&
      typeAsked(call.request.url) === (first?.["type"] ?? "RFID")
  )
  const states: Array<JsonObject> = []
  for (const { request } of changes) {
    const told = objectIn(jsonOf(request))
    states.push(request.method === "PUT" ? told : { ...states.at(-1), ...told })
  }
  const early = changes.filter(({ startedAt }) => Date.parse(startedAt) <= readAt).length
  return states.slice(Math.max(0, early - 1))
}

/** The type of the token that a push is about; by default RFID (mod_tokens, Receiver Interface). */
const typeAsked = (url: string): string => new URL(url, "http://here").searchParams.get("type") ?? "RFID"

/** The pushed token as the list has it that was read afterwards; undefined: it is on none of the pages that were read. */
function listed(history: RunHistory): JsonObject | undefined {
  const token = pushed(history)
  return listedObjects(history, "read-changed").find(
    ({ type, uid }) => sameId(uid, token?.["uid"]) && type === token?.["type"]
  )
}

/** last_updated, in epoch milliseconds; 0 if there is none. */
const stampOf = (token: JsonObject): number => dateTimeMillis(token["last_updated"]) ?? 0

/** The token's last_updated, in epoch milliseconds. */
const changedAt = (history: RunHistory): number =>
  dateTimeMillis(pushed(history)?.["last_updated"]) ?? Date.parse(history.createdAt)

const tokenPushed: JourneyStage = {
  id: "token-pushed",
  name: "The partner pushes a token",
  actor: "partner",
  module: "tokens",
  description: "The partner issues a card, or changes one, and PUTs it to us.",
  timeoutSeconds: 300,
  act: {
    act: "await",
    instruction: () =>
      "Issue a new card to a driver, or change one, so that your system PUTs the token to us.",
    look: (history) => ({
      found: pushed(history) !== undefined,
      nearMisses: pushes(history)
        .filter((push) => !wasTaken(push))
        .map(
          ({ response }) =>
            `The partner sent a token, and we refused it: ${inWords(objectIn(jsonOf(response))["status_message"] ?? "no reason")}`
        )
    }),
    expects: ({ profile, them = { countryCode: "XX", partyId: "XXX" } }, now) => ({
      method: "PUT",
      module: "tokens",
      path: [them.countryCode, them.partyId, "EXAMPLE"],
      body: {
        ...(profile.ownerFields ? { country_code: them.countryCode, party_id: them.partyId } : {}),
        uid: "EXAMPLE",
        type: "RFID",
        [profile.contract]: `${them.countryCode}-${them.partyId}-C12345678`,
        issuer: them.partyId,
        valid: true,
        whitelist: "ALLOWED",
        last_updated: dateTimeOf(Date.parse(now))
      }
    })
  },
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: [
    {
      id: "token-pushed.received",
      begunByPerson: true,
      title: "The partner pushes a valid token",
      strength: "must",
      reference: "mod_tokens, Receiver Interface, PUT Method",
      judge: (history) =>
        pushed(history) === undefined
          ? {
              message: "The partner pushed no valid token",
              expected: "PUT of a token",
              actual: "none that is valid"
            }
          : undefined
    }
  ]
}

const readChanged: JourneyStage = {
  id: "read-changed",
  name: "Read what has changed",
  actor: "us",
  module: "tokens",
  description:
    "Read the tokens that have changed since a second before the pushed one: it must be among them.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET tokens",
    call: (history) => ({
      module: "tokens",
      interfaceRole: "SENDER",
      operation: "list",
      method: "GET",
      query: { date_from: dateTimeOf(changedAt(history) - 1000), limit: "50" }
    }),
    readsOn: (history) => listed(history) === undefined
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "read-changed.answered",
      title: "The partner answers GET tokens",
      strength: "must",
      reference: "mod_tokens, Sender Interface, GET Method",
      judge: answeredWith("read-changed", [200])
    },
    {
      id: "read-changed.same",
      title: "The token in the list equals the pushed one",
      strength: "must",
      reference: "mod_tokens, Sender Interface, GET Method",
      checkId: "JRN-013",
      judge: (history) => {
        const token = pushed(history)
        const answer = answerOf(history, "read-changed")
        if (token === undefined || answer?.response?.httpStatus !== 200)
          return { notTested: "No token was pushed, or the list could not be read" }
        const found = listed(history)
        if (found === undefined && listGoesOn(history, "read-changed"))
          return { unobservable: "The pushed token is not on the pages of the list that were read" }
        if (found === undefined)
          return {
            message: "The list does not contain the pushed token, although it has changed since date_from",
            pointer: "/data",
            expected: `token ${inWords(token["uid"])}`,
            actual: "it is not there"
          }
        const states = tokenStates(history)
        const differences = (states.length === 0 ? [token] : states).map(
          (state) => objectDifferences(state, found, history.profile)[0]
        )
        const [first] = differences
        if (first === undefined || differences.includes(undefined)) return undefined
        // The partner may have changed the token once more, and its push is still on its way.
        return stampOf(found) > Math.max(...[token, ...states].map(stampOf))
          ? {
              unobservable:
                "The token in the list has changed since it was pushed: leave it as it is until the run is over, then run again",
              attribution: "operator"
            }
          : {
              message: "The token in the list differs from the pushed one",
              pointer: first.pointer,
              expected: JSON.stringify(first.expected) ?? "absent",
              actual: JSON.stringify(first.actual) ?? "absent"
            }
      }
    }
  ]
}

/** The partner issues a card and pushes it to us. We are the CPO. */
export const tokenPush: JourneyTemplate = {
  ...retirePlace,
  id: "token-push",
  packs: ["resilience"],
  name: "The partner pushes a token",
  description: "The partner issues a card and pushes it to us; its list must contain the same token.",
  outcome: "The partner pushed a valid token, and its list contains the same one.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  needs: [["tokens", "SENDER"]],
  requiredPlan: "integrate",
  expectedDurationSeconds: 60,
  inputs: Schema.Struct(waitFields),
  stages: [pushLocation({ ...hiddenPlace, name: locationWishes.card }), tokenPushed, readChanged]
}
