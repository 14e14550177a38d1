/** The form of every answer: content type, JSON, envelope, codes and stamps. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { dateTimeMaxLength, dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { codeOf, envelope, header, isSuccessCode, named, statusCode } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless, when } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { clockSkewMillis } from "../../model/clocks.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { isHub } from "../shared/hubs.ts"
import { everyAnswer, ofAnswers, ofErrors, transportChapter } from "./everyAnswer.ts"

/** OCPI answers: HTTP 2xx, where an envelope is required; on errors it is optional. */
const isOcpi = ({ response }: Answered) => response.httpStatus >= 200 && response.httpStatus < 300

/** The rule for those of the answers that it is about. One that is too large for us says nothing of its JSON. */
const judged = (
  about: (seen: Answered, evidence: Evidence) => boolean,
  rule: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding>,
  none: string
) =>
  ofAnswers(
    (seen, evidence) => seen.unread === undefined && about(seen, evidence),
    rule,
    inconclusive("not_tested", none)
  )

const isBlank = ({ response }: Answered) => response.body === null || response.body === ""

const saysError = (seen: Answered) => {
  const code = statusCode(seen)
  return code >= 2000 && code < 4000
}

/** What TRANS-016 leaves to the other checks; an empty body is a finding of TRANS-012. */
const saysSuccess = (seen: Answered) => isOcpi(seen) && !saysError(seen) && !isBlank(seen)

/** HTTP errors about the content of a request: other ones often come from what stands in front of the partner. */
const contentErrors: ReadonlyArray<number> = [400, 409, 415, 422]

/** An HTTP error of the partner with details of its own in place of the response format. */
const isDetail = (seen: Answered): boolean =>
  contentErrors.includes(seen.response.httpStatus) && isObject(seen.json) && codeOf(seen) === undefined

const detailFlaw = (seen: Answered): Finding =>
  finding(seen, `${named(seen)}, HTTP ${seen.response.httpStatus}: the body is not in the response format`, {
    expected: "status_code and timestamp in the body, beside the details",
    actual: shown(seen.json),
    strength: "should"
  })

/** The text of 2.1.1 neither shows nor forbids fractions of a second. */
const ofFractions: Ambiguity = {
  readings: [
    "a DateTime has the form of ISO 8601, which has fractions of a second",
    "a DateTime has whole seconds, as in each example; a later version is the first to speak of fractions"
  ],
  section: "types, DateTime type"
}

const isTooLong = (stamp: unknown): stamp is string =>
  typeof stamp === "string" && dateTimeMillis(stamp) !== undefined && stamp.length > dateTimeMaxLength

const stampFlaws = (seen: Answered): ReadonlyArray<Finding> => {
  const stamp = envelope(seen)?.["timestamp"]
  if (isTooLong(stamp))
    return [
      at(seen, "/timestamp", `${named(seen)}: timestamp is ${stamp.length} characters long`, {
        expected: `a DateTime of at most ${dateTimeMaxLength} characters`,
        actual: stamp,
        hint: "Write timestamp with three decimals of a second at most: 2026-01-31T23:59:59.999Z."
      })
    ]
  return unless(typeof stamp === "string" && dateTimeMillis(stamp) !== undefined, () =>
    at(
      seen,
      "/timestamp",
      `${named(seen)}: timestamp is ${stamp === undefined ? "missing" : "no DateTime"}`,
      {
        expected: "a DateTime in UTC without numeric offset",
        actual: stamp
      }
    )
  )
}

/** A timestamp that has fractions of a second, in a version whose text shows none. */
const fractionFlaws = (seen: Answered, { profile }: Evidence): ReadonlyArray<Finding> => {
  const stamp = envelope(seen)?.["timestamp"]
  const isUnshown =
    typeof stamp === "string" &&
    dateTimeMillis(stamp) !== undefined &&
    !isTooLong(stamp) &&
    !profile.dateTime.test(stamp)
  return when(isUnshown, () => ({
    ...at(seen, "/timestamp", `${named(seen)}: timestamp has fractions of a second`, {
      expected: "a DateTime of whole seconds",
      actual: stamp
    }),
    strength: "should",
    ambiguous: ofFractions,
    hint: "Write times in whole seconds, in objects too: a partner that reads them as the text shows them may refuse others."
  }))
}

const codeFlaws = (seen: Answered): ReadonlyArray<Finding> => {
  const code = codeOf(seen)
  if (isBlank(seen))
    return [
      finding(seen, `${named(seen)}: HTTP ${seen.response.httpStatus} with an empty body`, {
        expected: "a JSON object with status_code and timestamp",
        actual: "an empty body",
        hint: "Send the response format with every answer of HTTP 2xx, also where there is no data: status_code and timestamp."
      })
    ]
  return unless(typeof code === "number" && Number.isInteger(code) && code >= 1000 && code <= 9999, () =>
    at(seen, "/status_code", `${named(seen)}: status_code is not an integer of four digits`, {
      expected: "a JSON integer of four digits",
      actual: code
    })
  )
}

/** status_message is no text; null is the same as absent. */
const messageFlaws = (seen: Answered): ReadonlyArray<Finding> => {
  const message = envelope(seen)?.["status_message"]
  return unless(message === undefined || message === null || typeof message === "string", () =>
    at(seen, "/status_message", `${named(seen)}: status_message is not a text`, {
      expected: "a text, or no status_message",
      actual: message
    })
  )
}

/** Codes that the text documents. */
const documented = [1000, 2000, 2001, 2002, 2003, 2004, 3000, 3001, 3002, 3003, 4000, 4001, 4002, 4003]

/** Judge content type, JSON and envelope of every response (transport_and_format, Response format). */
export const envelopeChecks: ReadonlyArray<Check> = [
  {
    ...everyAnswer,
    id: "TRANS-011",
    title: "Responses: a JSON object, with Content-Type application/json",
    reference: `${transportChapter}, JSON / HTTP implementation guide`,
    passes: "Content-Type is application/json and the body is a JSON object",
    hint: "Send a JSON object with Content-Type application/json in every answer, errors included.",
    ...judged(
      (seen) => !isBlank(seen),
      (seen) => {
        const type = header(seen, "content-type")
        // On an HTTP error the envelope is optional, and the body often comes from a proxy.
        const strength = isOcpi(seen) ? {} : { strength: "should" as const }
        return [
          ...unless(/^application\/json\s*(;|$)/i.test(type ?? ""), () =>
            finding(seen, `${named(seen)}: Content-Type is not application/json`, {
              expected: "application/json",
              actual: type ?? "absent",
              ...strength
            })
          ),
          ...unless(isObject(seen.json), () =>
            finding(seen, `${named(seen)}: the body is no JSON object`, {
              expected: "a JSON object",
              actual: shown(seen.response.body?.slice(0, 80)),
              ...strength
            })
          )
        ]
      },
      "no answer had a body"
    )
  },
  {
    ...everyAnswer,
    id: "TRANS-012",
    title: "Responses: status_code is an integer of four digits, and status_message a text",
    reference: `${transportChapter}, Response format`,
    passes: "status_code is a JSON integer of four digits; status_message, if given, is a text",
    hint: "Write status_code as a JSON number of four digits, such as 1000: no text, and not the HTTP status.",
    ...judged(
      isOcpi,
      (seen) => [...codeFlaws(seen), ...messageFlaws(seen)],
      "no answer had an HTTP status 2xx"
    )
  },
  {
    ...everyAnswer,
    id: "TRANS-013",
    // One formatter writes all times.
    consequenceOf: ["TRANS-045"],
    title: "Responses: timestamp is a DateTime of the version",
    reference: `${transportChapter}, Response format; types, DateTime type`,
    passes: "timestamp is present and a DateTime of the version",
    hint: "Write timestamp in UTC, ending in Z: 2026-01-31T23:59:59Z.",
    ...judged(
      saysSuccess,
      (seen, evidence) => [...stampFlaws(seen), ...fractionFlaws(seen, evidence)],
      "no answer said success"
    )
  },
  {
    ...everyAnswer,
    id: "TRANS-014",
    title: "Responses: timestamp is within 5 minutes of our clock",
    strength: "should",
    reference: `${transportChapter}, Response format`,
    passes: "timestamp is within 5 minutes of our clock",
    hint: "Synchronise the clock of the server (NTP), and write UTC.",
    ...judged(
      (seen) => dateTimeMillis(envelope(seen)?.["timestamp"]) !== undefined,
      (seen) => {
        const stamp = envelope(seen)?.["timestamp"]
        const ours = Date.parse(seen.exchange.startedAt) + seen.exchange.durationMs
        const skew = (dateTimeMillis(stamp) ?? ours) - ours
        return unless(Math.abs(skew) <= clockSkewMillis, () =>
          at(seen, "/timestamp", `${named(seen)}: the clock is ${Math.round(skew / 1000)} s off`, {
            expected: "within 300 s of our clock",
            actual: stamp
          })
        )
      },
      "no answer had a readable timestamp"
    )
  },
  {
    ...everyAnswer,
    id: "TRANS-016",
    title: "Error responses: status_code and timestamp are given",
    reference: `${transportChapter}, Response format`,
    passes:
      "answers with a 2xxx or 3xxx code have an integer status_code and a timestamp, and so have HTTP errors about the content",
    hint: "Put status_code and timestamp into every answer, also into those of your error handler.",
    ...ofErrors(
      (seen, { profile }) =>
        seen.unread === undefined && (saysError(seen) || (profile.errorEnvelope && isDetail(seen))),
      {
        own: (seen) => when(isDetail(seen), () => detailFlaw(seen)),
        shared: [
          {
            check: "TRANS-012",
            of: isOcpi,
            about: (seen) => !isOcpi(seen) && !isDetail(seen),
            flaws: codeFlaws
          },
          { check: "TRANS-013", of: saysSuccess, about: (seen) => !isDetail(seen), flaws: stampFlaws }
        ]
      },
      inconclusive(
        "not_tested",
        "no answer had a 2xxx or 3xxx code, and no HTTP error about the content had a body of its own"
      )
    )
  },
  {
    ...everyAnswer,
    id: "TRANS-017",
    versions: versionsWhere((profile) => profile.messageIds),
    title: "Responses: status_code is one that OCPI documents",
    reference: "status_codes",
    passes: "no code of the custom ranges (x9xx), and 4xxx from hubs only",
    hint: "Use the status codes that OCPI defines. A custom status code (1900 to 1999, 2900 to 2999, 3900 to 3999 or 4900 to 4999) is for partners that have agreed on its meaning.",
    ...judged(
      (seen) => typeof codeOf(seen) === "number",
      (seen, evidence) => {
        const code = statusCode(seen)
        const custom = Math.floor(code / 100) % 10 === 9
        // The whole range 1xxx is success; only 19xx is not for the standard modules.
        if (isSuccessCode(code) && !custom) return []
        if (documented.includes(code) && (code < 4000 || isHub(evidence))) return []
        const hub = code >= 4000 && code < 5000
        return [
          at(
            seen,
            "/status_code",
            `${named(seen)}: status_code ${code} is ${custom ? "custom" : hub ? "for hubs" : "not documented"}`,
            {
              expected: "a documented status code",
              actual: code,
              ...(custom || hub ? {} : { strength: "should" as const })
            }
          )
        ]
      },
      "no answer had a status code"
    )
  }
]
