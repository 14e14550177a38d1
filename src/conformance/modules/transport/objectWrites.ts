/**
 * Checks of what a partner does with any object that we write to it (transport_and_format): a token for a CPO, a tariff or
 * a location for an EMSP, one object per script.
 */

import type { Role } from "../../../../schema/ocpi/Role.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isClientError, succeeded } from "../../../findings/answers.ts"
import { type AnswerRule, invalidParameters, refused } from "../../../findings/expectations.ts"
import { unexpected } from "../../../findings/finding.ts"
import { either, noneOf, type Precondition } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { receiver } from "../shared/receivers/receiver.ts"
import { judging, needed, optional, rejected, same, saysAbsent } from "../shared/receivers/receiverProofs.ts"
import { rule, script } from "../shared/receivers/receiverScript.ts"
import { objectSteps, type ScriptStep } from "../shared/receivers/receiverSteps.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { foreignObjects } from "./foreignObjects.ts"
import { kinds, ourObjects, testObject } from "./testObjects.ts"
import { undatedScript } from "./undatedPatches.ts"
import { unusualObjects } from "./unusualObjects.ts"

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

/** The first PUTs of new objects in the scripts of an EMSP's modules. */
const firstPuts = ["locations.write#put", "sessions.write#put", "tariffs.write#put"]

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
        unless,
        ofRefusals: true
      })),
    returned: ({ role }) => kinds[role].map(({ returned }) => returned)
  },
  [
    script("twice", [
      rule("TRANS-054", {
        proofs: [answeredHttp(put("first", testObject("twice")), 201)],
        elsewhere: {
          steps: ({ role }) => (role === "EMSP" ? firstPuts : []),
          judge: (seen) => (seen.response.httpStatus === 200 ? [unexpected(seen, "HTTP 201")] : [])
        },
        ...httpCodes,
        title: "A new object is answered with HTTP 201",
        sends: "the first PUT of an object of each kind",
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
    ...unusualObjects,
    ...foreignObjects,
    undatedScript
  ]
)
