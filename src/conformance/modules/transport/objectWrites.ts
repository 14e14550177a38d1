/**
 * Checks of what a partner does with any object that we write to it (transport_and_format): a token for a CPO, a tariff or
 * a location for an EMSP, one object per script.
 */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, isClientError, succeeded } from "../../../findings/answers.ts"
import { type AnswerRule, invalidParameters, refused } from "../../../findings/expectations.ts"
import { at, unexpected, when } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { either, noneOf, type Precondition, pass } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { notReadBack } from "../shared/readBack.ts"
import { receiver, rule, script } from "../shared/receivers/receiver.ts"
import {
  judging,
  needed,
  optional,
  rejected,
  same,
  saysAbsent,
  taken
} from "../shared/receivers/receiverProofs.ts"
import { accepts } from "../shared/receivers/receiverRules.ts"
import { type Make, objectSteps, type ScriptStep, stamp } from "../shared/receivers/receiverSteps.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { foreignObjects } from "./foreignObjects.ts"
import { fieldsOf, kinds, ourObjects, testObject, withUnknownFields } from "./testObjects.ts"
import { undatedScript } from "./undatedPatches.ts"

const { get, put } = objectSteps(ourObjects)

/** The answer to a PUT has this HTTP status. */
const answeredHttp = (step: ScriptStep, status: number) =>
  judging(step, (seen) => {
    if (!succeeded(seen)) return noneOf([unexpected(seen, `HTTP ${status}, status_code 1000`)])
    return noneOf(seen.response.httpStatus === status ? [] : [unexpected(seen, `HTTP ${status}`)])
  })
const httpCodes = {
  strength: "should",
  reference: "status_codes",
  hint: "Answer HTTP 201 when the object is new, and HTTP 200 when it was there."
} as const

const known = put("put", testObject("semantic"))
const spoilt = put("spoilt", testObject("semantic"), {
  body: testObject("semantic", {
    token: { whitelist: "MAYBE" },
    tariff: { currency: 978 },
    location: { city: 978 }
  }),
  wrongOnPurpose: { body: "a field with an invalid value" }
})
const unchanged = same(get("read spoilt", testObject("semantic")))
const wrongContent = "PUT of an existing object, with an invalid value in a field"

const extended = put("put", testObject("extra"), {
  body: withUnknownFields,
  wrongOnPurpose: { body: "with fields that no version has" }
})
const unknownFields = "PUT of an object with a field of another name, and with one in an object of it"

/** Played first, so that the check can be judged; what it finds is its own affair. */
const played = (answers: string) => ({ answers, what: "an invalid object that is new", rule: () => [] })
/** Our own invalid object, under an id that is there. */
const spoiltObject = "objects.semantic#spoilt"
/** The partner refuses our own invalid object: what it does with another one is another fault. */
const isRefused = (evidence: Evidence) => !evidence.answered(spoiltObject).some(succeeded)
/** The findings of an answer that refuses by HTTP alone. */
const byHttpAlone: AnswerRule = (seen) =>
  seen.response.httpStatus >= 400 && seen.response.httpStatus < 500 ? invalidParameters(seen) : []
const takenWhenNew = (role: Role): ReadonlyArray<Precondition> =>
  kinds[role].flatMap(({ invalid: { answers, check }, unless: isOther }, index) => [
    { ...played(answers), ...(index > 0 ? { ifGathered: true } : {}) },
    { check, unless: (evidence: Evidence) => isOther(evidence) || isRefused(evidence) }
  ])

const raw = (id: string, rawBody: string) =>
  rejected(
    put(id, testObject(`${id}-body`), {
      more: () => ({ rawBody }),
      wrongOnPurpose: { body: `a body that is ${id === "empty" ? "empty" : `a JSON ${id}`}` }
    }),
    "HTTP 400 or status_code 2001"
  )

const emptied = {
  token: { visual_number: null, language: null },
  tariff: { tariff_alt_text: [], tariff_alt_url: null },
  location: { name: null, directions: [] }
}
/** The fields that were sent empty have no value when the object is read back. */
const leftEmpty = judging(get("read back", testObject("nulls", emptied)), (seen, evidence) => {
  const data = dataOf(seen)
  if (!succeeded(seen) || !isObject(data)) return notReadBack(seen)
  const filled = Object.keys(fieldsOf(evidence, emptied)).filter((name) => !isEmpty(data[name]))
  return noneOf(
    filled.map((name) =>
      at(seen, `/data/${name}`, `${name} was sent without a value, and is read back with one`, {
        expected: "absent, null or empty",
        actual: data[name]
      })
    )
  )
})

/** The test object, last updated so many seconds after the beginning of the run, with its time stamp written in another form. */
const stampedAs =
  (seconds: number, write: (text: string) => string): Make =>
  (evidence) => ({
    ...testObject("dates")(evidence),
    last_updated: write(stamp(evidence, seconds))
  })
const withFraction = stampedAs(1, (text) => text.replace("Z", ".123Z"))
const withoutZone = stampedAs(60, (text) => text.replace("Z", ""))

/** A receiver may keep whole seconds only. */
const keptSeconds = 1

/** The object that is read back was last updated at the instant that was sent. */
const keepsInstant = judging(get("read back", withoutZone), (seen, evidence) => {
  const data = dataOf(seen)
  if (!succeeded(seen) || !isObject(data)) return notReadBack(seen)
  const sent = stamp(evidence, 60)
  const kept = dateTimeMillis(data["last_updated"])
  return noneOf(
    when(kept !== undefined && Math.abs(kept - Date.parse(sent)) > keptSeconds * 1000, () =>
      at(seen, "/data/last_updated", "last_updated was sent without Z, and is read back as another instant", {
        expected: sent,
        actual: data["last_updated"],
        hint: "Read a DateTime without Z as UTC, not as local time."
      })
    )
  )
})

/** The probes and checks that are the same for every received object. */
export const objectWrites = receiver(
  {
    module: "transport",
    noun: "object",
    roles: either,
    reference: "transport_and_format",
    probePrefix: "objects",
    plain: ({ role }) =>
      kinds[role].map(({ noun, taken: check, unless }) => ({
        answers: "objects.twice#first",
        what: `a plain PUT of a ${noun}`,
        check,
        unless
      })),
    returned: ({ role }) => kinds[role].map(({ returned }) => returned)
  },
  [
    script("twice", [
      rule("TRANS-054", {
        proofs: [answeredHttp(put("first", testObject("twice")), 201)],
        ...httpCodes,
        title: "A new object is answered with HTTP 201",
        sends: "the first PUT of an object",
        passes: "HTTP 201"
      }),
      rule("TRANS-055", {
        // What was not stored is new each time: the check of what is read back reports that.
        requires: ({ role }) =>
          kinds[role].map(({ returned: { check, read }, unless: isOther }) => ({
            check,
            orWarned: true,
            unless: (evidence) => isOther(evidence) || !saysAbsent(stepOf(evidence, read))
          })),
        proofs: [answeredHttp(put("again", testObject("twice")), 200)],
        ...httpCodes,
        title: "A replaced object is answered with HTTP 200",
        sends: "the second PUT of an object",
        passes: "HTTP 200"
      })
    ]),
    script("semantic", [
      rule("TRANS-018", {
        proofs: [
          needed(known),
          judging(spoilt, (seen) => {
            const { httpStatus } = seen.response
            return noneOf(httpStatus >= 200 && httpStatus < 300 ? [] : [unexpected(seen, "HTTP 2xx")])
          })
        ],
        versions: versionsWhere(({ messageIds }) => messageIds),
        title: "Invalid content at an existing resource is answered with HTTP 2xx",
        lenient: () => true,
        reference: "status_codes",
        sends: wrongContent,
        passes: "HTTP 2xx",
        hint: "Answer HTTP 200 and say what is wrong with the content by the OCPI status code: HTTP errors are for transport."
      }),
      rule("TRANS-019", {
        proofs: [
          needed(known),
          judging(spoilt, (seen) =>
            noneOf(
              // Any code of 2xxx will do. Refused by HTTP alone: the object is safe.
              isClientError(seen) ? refused("status_code 2xxx")(seen) : invalidParameters(seen)
            )
          ),
          optional(unchanged)
        ],
        title: "Invalid content is refused with a status_code 2xxx",
        reference: "status_codes, 2xxx: Client errors",
        sends: `${wrongContent}, then GET`,
        passes: "status_code 2000 to 2999; never 1000, 3xxx or HTTP 5xx; the object is as it was before",
        // A partner that takes this object, and an invalid one of the same kind that is not there yet, has one fault: the check of
        // that kind reports it. One that refuses this object in a wrong way has another fault, which no other check reports.
        requires: ({ role }) => [
          ...takenWhenNew(role),
          // A refusal by HTTP alone is what TRANS-018 reports.
          { check: "TRANS-018", about: spoiltObject, rule: byHttpAlone }
        ],
        hint: "Check the content before you store it, and answer status_code 2001 when it is not valid."
      })
    ]),
    script("no-object", [
      rule("TRANS-021", {
        proofs: [raw("empty", ""), raw("array", "[]"), raw("text", '"text"')],
        title: "A body that is no JSON object is refused",
        strength: "should",
        reference: "status_codes, 2xxx: Client errors",
        sends: "PUT with an empty body, with a JSON array, and with a JSON text",
        passes: "HTTP 400 or status_code 2001, no 5xx",
        hint: "Refuse a body that is empty or no JSON object before you read its fields."
      })
    ]),
    script("extra", [
      accepts("TRANS-035", extended, {
        versions: versionsWhere(({ openEnums }) => openEnums),
        title: "An object with unknown fields is accepted",
        reference: "transport_and_format, Non-specified JSON fields",
        sends: unknownFields,
        hint: "Accept objects with fields that you do not know, and ignore these fields."
      }),
      rule("TRANS-036", {
        proofs: [
          judging(extended, (seen) => (succeeded(seen) ? pass("taken") : noneOf([unexpected(seen, "taken")])))
        ],
        versions: versionsWhere(({ openEnums }) => !openEnums),
        title: "An object with unknown fields: stored with or without them, or refused",
        strength: "may",
        sends: unknownFields,
        passes: "recorded: taken or refused"
      })
    ]),
    script("unknown-word", [
      accepts(
        "TRANS-037",
        put("put", testObject("word", { token: { type: "TST_TYPE" } }), {
          isIn: ({ openEnums }) => openEnums
        }),
        {
          // A tariff has no field with an open enumeration to try.
          roles: ["CPO"],
          title: "A value that an open enumeration does not list is accepted",
          strength: "should",
          reference: "types, OpenEnum type",
          sends: "PUT of a token with a type that no version has",
          hint: "Accept values of an OpenEnum that the version does not list, and keep them."
        }
      )
    ]),
    script("nulls", [
      rule("TRANS-038", {
        proofs: [
          taken(put("put", testObject("nulls"), { body: testObject("nulls", emptied) })),
          optional(leftEmpty)
        ],
        title: "null and an empty list in optional fields are accepted, and mean that the field is absent",
        reference: "terminology, Cardinality",
        sends: "PUT of an object with null in optional fields and [] in optional lists, then GET",
        passes: "status_code 1000; where the object can be read back, the fields are absent, null or empty",
        hint: "Accept an optional field that is left out, null or an empty list: all mean the same."
      })
    ]),
    script("reserved", [
      rule("TRANS-041", {
        proofs: [
          taken(put("put", testObject("a:b*c+d"))),
          same(get("read back", testObject("a:b*c+d")), { main: true })
        ],
        title: "An id with reserved characters is accepted",
        strength: "should",
        reference: "transport_and_format; RFC 3986",
        sends: "PUT and GET of an object whose id has :, * and +, percent-encoded in the URL",
        passes: "stored and read back",
        hint: "Split the path into segments first, then decode each segment."
      })
    ]),
    script("charset", [
      accepts(
        "TRANS-042",
        put("put", testObject("charset"), {
          more: () => ({ headers: { "Content-Type": "application/json; charset=utf-8" } })
        }),
        {
          title: "A Content-Type with a charset is accepted",
          strength: "should",
          reference: "transport_and_format, JSON / HTTP implementation guide",
          sends: "PUT with Content-Type: application/json; charset=utf-8",
          hint: "Compare the media type only; parameters may follow."
        }
      )
    ]),
    script("dates", [
      rule("TRANS-061", {
        proofs: [
          taken(put("fraction", withFraction)),
          taken(put("no zone", withoutZone)),
          optional(keepsInstant)
        ],
        versions: versionsWhere(({ messageIds }) => messageIds),
        title: "A DateTime with a fraction of a second, and one without Z, are accepted",
        reference: "types, DateTime type",
        sends: "PUT of an object whose last_updated has a fraction of a second, then one without Z, then GET",
        passes: "status_code 1000; where the object can be read back, last_updated is the same instant",
        hint: "Accept a DateTime with and without a fraction of a second, and with and without Z; both are UTC."
      })
    ]),
    ...foreignObjects,
    undatedScript
  ]
)
