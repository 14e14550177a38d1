/** What an EMSP does with the locations that we write to it (mod_locations, Receiver Interface), each script with its own. */
import { succeeded } from "../../../../findings/answers.ts"
import { type JsonObject, objectsIn } from "../../../../findings/json.ts"
import { pass } from "../../../model/Check.ts"
import { caseScript } from "../../shared/receivers/idCase.ts"
import { unlikePatch } from "../../shared/receivers/likePatches.ts"
import { readBackAtAll } from "../../shared/receivers/lostFields.ts"
import { receiver } from "../../shared/receivers/receiver.ts"
import {
  absent,
  given,
  invalid,
  judgeInvalid,
  judging,
  needed,
  onceTaken,
  same,
  taken
} from "../../shared/receivers/receiverProofs.ts"
import {
  accepts,
  creates,
  keeps,
  merges,
  refusesInvalid,
  refusesUnknown,
  replaces,
  returns
} from "../../shared/receivers/receiverRules.ts"
import { rule, script } from "../../shared/receivers/receiverScript.ts"
import { type Make, without } from "../../shared/receivers/receiverSteps.ts"
import { lateChange, nestedChange, otherEvseStays, outOfUse, partsAdded } from "./changedLocations.ts"
import {
  get,
  patch,
  patched,
  patchedEvse,
  patchedStatus,
  plainLocation,
  put,
  stampedAt
} from "./locationSteps.ts"
import {
  connector,
  evse,
  location,
  longest,
  optionalEvseFields,
  optionalFields,
  tariffsNamed,
  testEvse,
  withParking
} from "./testLocation.ts"
import { timesOfParents } from "./timesOfParents.ts"

const status = (word: string, seconds: number) => stampedAt(seconds, () => ({ status: word }))
const named = (word: string, seconds: number) =>
  stampedAt(seconds, ({ mark }) => ({ name: `${word} ${mark}` }))
const charging = status("CHARGING", 1)
const older = named("Older", -3600)
const renamed = named("Renamed", 1)
const priced = stampedAt(1, (evidence) => tariffsNamed(evidence, 2, 3))
const lean: Make = (evidence) => without(...optionalFields)(location("put", stampedAt(2))(evidence))

const leanEvse = evse("put", 1, stampedAt(3), optionalEvseFields)
const replacedEvse = put("replace evse", leanEvse)

const putNested = put("put", location("nested"))
const patchedNested = patch(
  "patch evses",
  location("nested"),
  stampedAt(1, (evidence) => ({ evses: [{ ...testEvse(evidence, "nested", 1, 1), status: "OUTOFORDER" }] }))
)
const addedEvse = put("put evse", evse("parts", 3, stampedAt(1)))
const addedConnector = put("put connector", connector("parts", "2", stampedAt(2)))
const patchedLate = patch("patch older", location("name"), older)
const patchedUnknown = patch("patch location", location("unknown"), renamed, { about: "unknown location" })
const readUnknown = get("read location", location("unknown"))
const readBare = get("read evse", evse("bare", 3))

/** PUT of a location that is not valid, under an id of its own, and GET of it. */
const spoilt = (id: string, what: string, change: (whole: JsonObject) => JsonObject) => ({
  put: put(id, location(id), { change, wrongOnPurpose: { body: what } }),
  read: get(`read ${id}`, location(id))
})
const wrong = [
  spoilt("nowhere", "without coordinates", without("coordinates")),
  spoilt("free", "with status FREE", (whole) => ({
    ...whole,
    evses: objectsIn(whole["evses"]).map((one) => ({ ...one, status: "FREE" }))
  })),
  spoilt("numeric", "with latitude as a number", (whole) => ({
    ...whole,
    coordinates: { latitude: 52.090142, longitude: "5.109665" }
  }))
]

/** The probes and checks of locations that an EMSP receives. */
export const locationWrites = receiver(
  {
    module: "locations",
    noun: "location",
    roles: ["EMSP"],
    reference: "mod_locations, Receiver Interface",
    plain: "LOC-101",
    returned: "LOC-102"
  },
  [
    script("write", [
      creates("LOC-101", put("put", location("put")), {
        sends: "PUT of a new location with two EVSEs, not to be published"
      }),
      returns("LOC-102", get("read back", location("put"))),
      // That a PUT of an EVSE is accepted is LOC-103.
      replaces("LOC-109", {
        proofs: [
          taken(put("replace", lean)),
          same(get("read replaced", lean), { gone: optionalFields }),
          needed(replacedEvse),
          onceTaken(replacedEvse, same(get("read replaced evse", leanEvse), { gone: optionalEvseFields }))
        ]
      })
    ]),
    script("parts", [
      put("put", location("parts")),
      rule("LOC-103", {
        proofs: [
          taken(addedEvse),
          taken(addedConnector),
          partsAdded(get("read", location("parts")), "parts", { evse: addedEvse, connector: addedConnector })
        ],
        title: "PUT adds EVSEs and connectors to a location",
        sends: "PUT of a third EVSE, PUT of a second connector, GET of the location",
        passes:
          "both are in the location as they were sent, beside the EVSEs and the connector that were there",
        hint: "Add the EVSE or connector that the URL of a PUT names when it is not there yet, and leave the others alone."
      })
    ]),
    script("status", [
      put("put", location("status")),
      merges("LOC-104", {
        proofs: [
          taken(patch("patch", evse("status", 1), charging)),
          same(get("read patched", evse("status", 1, charging))),
          otherEvseStays(get("read location", location("status")), "status")
        ],
        title: "PATCH of an EVSE's status changes nothing else of the EVSE, and no other EVSE",
        sends: "PATCH of an EVSE's status, GET of the EVSE and of its location",
        passes: "the status is changed, every other field and the other EVSE as before"
      }),
      rule("LOC-113", {
        requires: () => [
          patchedEvse,
          unlikePatch(patchedStatus, {
            ...patchedStatus,
            patch: "locations.status#remove",
            read: "locations.status#read removed"
          }),
          readBackAtAll(plainLocation)
        ],
        proofs: [
          taken(patch("remove", evse("status", 1), status("REMOVED", 2))),
          outOfUse(get("read removed", evse("status", 1))),
          otherEvseStays(get("read location without", location("status")), "status")
        ],
        title: "PATCH of status REMOVED takes an EVSE out of use, and nothing else",
        sends: "PATCH of an EVSE's status to REMOVED, GET of the EVSE and of its location",
        passes: "status_code 1000; the EVSE is REMOVED, or not found any more; the other EVSE is as before",
        hint: "Take status REMOVED as the removal of the EVSE: keep the EVSE with that status, or do not return it any more."
      })
    ]),
    script("name", [
      put("put", location("name")),
      merges("LOC-105", {
        requires: () => [unlikePatch(patchedStatus, patched("name", location("name")))],
        proofs: [
          taken(patch("patch", location("name"), renamed)),
          same(get("read patched", location("name", renamed)))
        ],
        title: "PATCH of a location's name changes nothing else of the location",
        sends: "PATCH of a location's name, GET of the location",
        passes: "name and last_updated are changed; EVSEs and other fields as before"
      }),
      rule("LOC-115", {
        proofs: [needed(patchedLate), lateChange(patchedLate, get("read older", location("name", older)))],
        title: "PATCH with an older last_updated: applied, ignored or refused",
        strength: "may",
        reference: "transport_and_format, PATCH",
        sends: "PATCH of a location's name with a last_updated before the one that is kept, then GET",
        passes: "records whether the change was applied, ignored or refused"
      }),
      // TRANS-052 judges it.
      patch("patch undated", location("name"), ({ mark }) => ({ name: `Undated ${mark}` }), {
        isIn: ({ patchNeedsLastUpdated }) => patchNeedsLastUpdated,
        wrongOnPurpose: { body: "last_updated is missing" }
      })
    ]),
    script("nested", [
      rule("LOC-117", {
        requires: () => [
          unlikePatch(patchedStatus, {
            patch: "locations.nested#patch evses",
            read: "locations.nested#read",
            before: location("nested"),
            plain: plainLocation
          })
        ],
        proofs: [
          given(taken(putNested), "the location was not accepted, so there is nothing to change"),
          needed(patchedNested),
          nestedChange(patchedNested, get("read", location("nested")), {
            name: "nested",
            status: "OUTOFORDER"
          })
        ],
        title: "PATCH of a location with one of its EVSEs: merged, replaced or refused",
        strength: "should",
        reference: "mod_locations, PATCH Method; transport_and_format, PATCH",
        sends:
          "PATCH of a location of two EVSEs whose evses has the first one, whole and with another status, then GET",
        passes: "records whether evses was merged, replaced or the request refused; no server error",
        hint: "Change the EVSEs that the request names and keep the others, and tell your partners that you do so."
      })
    ]),
    script("tariffs", [
      put("put", location("tariffs")),
      merges("LOC-106", {
        requires: () => [unlikePatch(patchedStatus, patched("tariffs", connector("tariffs", "1")))],
        proofs: [
          taken(patch("patch", connector("tariffs", "1"), priced)),
          same(get("read patched", connector("tariffs", "1", priced)))
        ],
        title: "PATCH of a connector's tariffs replaces them, and changes nothing else of the connector",
        sends: "PATCH of a connector's tariffs, GET of the connector",
        passes: "the tariffs are those that were sent, every other field as before",
        hint: "Replace the whole list that is kept by the one in the PATCH."
      })
    ]),
    ...timesOfParents,
    script("unknown", [
      patchedUnknown,
      readUnknown,
      put("put", location("known")),
      refusesUnknown("LOC-110", {
        steps: [
          [patchedUnknown, readUnknown],
          [
            patch("patch evse", evse("known", 9), charging, { about: "unknown EVSE" }),
            get("read evse", evse("known", 9))
          ]
        ],
        title: "PATCH of an unknown location or EVSE is refused",
        sends: "PATCH of an unknown location and of an unknown EVSE, GET of each"
      })
    ]),
    caseScript(
      "LOC-118",
      { get, put },
      {
        noun: "location",
        idField: "id",
        object: location("MiXed"),
        otherwise: "the location was not accepted",
        strength: "should",
        requires: () => [readBackAtAll(plainLocation)]
      }
    ),
    script("wrong", [
      ...wrong.flatMap((one) => [one.put, one.read]),
      refusesInvalid("LOC-111", {
        proofs: [...wrong.map((one) => invalid(one.put)), ...wrong.map(({ read }) => absent(read))],
        sends:
          "PUT of a location without coordinates, with status FREE, with latitude as a number; GET of each",
        passes: "status_code 2001 each time, and nothing was stored"
      })
    ]),
    script("bare", [
      put("put", location("bare")),
      rule("LOC-112", {
        proofs: [
          judging(
            put("put evse", evse("bare", 3), {
              change: without("connectors"),
              wrongOnPurpose: { body: "without connectors" }
            }),
            (seen, evidence) => {
              const isLeftOut = succeeded(seen) && evidence.answerTo(readBare)?.response.httpStatus === 404
              return isLeftOut ? pass() : judgeInvalid(seen, evidence)
            }
          ),
          absent(readBare)
        ],
        title: "PUT of an EVSE without connectors is refused",
        strength: "should",
        reference: "mod_locations, EVSE object; status_codes",
        sends: "PUT of a new EVSE without connectors, GET of it",
        passes: "status_code 2001, or the EVSE is silently left out",
        hint: "Refuse an EVSE without connectors, or leave it out of what you keep."
      })
    ]),
    script("long", [
      keeps("LOC-116", {
        proofs: [taken(put("put", longest)), same(get("read back", longest))],
        title: "Texts of full length or beyond ASCII and exact coordinates are kept",
        strength: "should",
        sends:
          "PUT of a location with texts of the greatest length, letters beyond ASCII (not in 2.1.1) and coordinates of the most decimals, then GET",
        hint: "Store texts in the full length of the specification and as UTF-8, and coordinates as text."
      })
    ]),
    script("parking", [
      accepts("LOC-114", put("put", withParking, { isIn: ({ parkingPlaces }) => parkingPlaces }), {
        sends: "PUT of a location with parking_places, help_phone and capabilities of a connector",
        hint: "Accept every field of the Location, EVSE and Connector objects of the version, also those that you do not use."
      })
    ])
  ]
)
