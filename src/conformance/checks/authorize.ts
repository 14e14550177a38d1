/** Real-time authorization: what an EMSP answers about tokens. */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectIn, textIn } from "../../findings/json.ts"
import { violations } from "../../findings/violations.ts"
import { dataOf, envelope, isObject, named, statusLine, succeeded } from "../answers.ts"
import { type Check, type Finding, noneOf, undecided } from "../Check.ts"
import type { Answered, Evidence } from "../Evidence.ts"
import { askedToken, unpublishedPlace } from "../probes/authorize.ts"
import { at, notSuccess } from "./findings.ts"
import { baseOf, onEach, tokens } from "./readObjects.ts"

const reference = "mod_tokens, Sender Interface, POST Method; AuthorizationInfo object"
const detailed = versionsWhere(({ authorizationDetails }) => authorizationDetails)
/** OCPI's answer to an EMSP that must know where. */
const whereCode = 2002
const unknownPlaceCode = 2003
const parameterCode = 2001
/** Longest time in which a driver goes on waiting, and most of the calls that may take longer. */
const slowMillis = 3000
const percentile = 0.95

const base = {
  ...baseOf(tokens),
  reference,
  sends: "POST authorize of a listed token, with the reference of a place"
} as const
const list = ["tokens.list", "tokens.crawl"]
const needs =
  (...probes: ReadonlyArray<string>) =>
  () => [...list, ...probes.map((probe) => `tokens.${probe}`)]

const codeOf = (seen: Answered) => Number(envelope(seen)?.["status_code"])
const allowedOf = (seen: Answered) => textIn(objectIn(dataOf(seen))["allowed"])

/** Judges the answers of one probe. */
const onAnswers =
  (probe: string, judge: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding>) =>
  (evidence: Evidence) =>
    noneOf(evidence.answered(`tokens.${probe}`).flatMap((seen) => judge(seen, evidence)))

const otherwise = (seen: Answered, expected: string, strength?: Finding["strength"]): Finding => ({
  message: `${named(seen)} answered ${statusLine(seen)}`,
  expected,
  actual: statusLine(seen),
  exchangeId: seen.exchange.id,
  ...(strength === undefined ? {} : { strength })
})

/** No successful AuthorizationInfo with a known verdict. Its token and location have rules of their own. */
const noVerdict = (seen: Answered, { profile }: Evidence): ReadonlyArray<Finding> => {
  const status = notSuccess(seen)
  if (status.length > 0) return status
  const schema = profile.objects.AuthorizationInfo
  const flaws = schema === undefined ? [] : violations(schema, dataOf(seen), ["data"])
  return flaws
    .filter(({ pointer }) => !/^\/data\/(token|location|authorization_reference)(\/|$)/.test(pointer ?? ""))
    .map((flaw) => ({ ...flaw, exchangeId: seen.exchange.id }))
}

const refuses = (seen: Answered) =>
  seen.response.httpStatus === 404 ||
  (seen.response.httpStatus < 500 && codeOf(seen) >= 2000 && codeOf(seen) < 3000)

export const authorizeChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TOK-010",
    title: "Can be asked where its tokens say so",
    passes: "authorize answers where a token has another whitelist than ALWAYS",
    hint: "Implement authorize, or give all tokens the whitelist ALWAYS.",
    needs: needs("authorize-bare"),
    judge: (evidence) => {
      const wanted = onEach(tokens, "has another whitelist than ALWAYS", ({ json }) =>
        json["whitelist"] === "ALWAYS" ? undefined : []
      )(evidence)
      return wanted.is === "undecided"
        ? wanted
        : onAnswers("authorize-bare", (seen) =>
            [404, 405, 501].includes(seen.response.httpStatus) && !isObject(seen.json)
              ? [otherwise(seen, "an answer of the interface")]
              : seen.response.httpStatus === 405 || seen.response.httpStatus === 501
                ? [otherwise(seen, "an answer of the interface")]
                : []
          )(evidence)
    }
  },
  {
    ...base,
    id: "TOK-012",
    title: "Says whether a token may charge",
    passes: "HTTP 200, status_code 1000, an AuthorizationInfo whose allowed is a value of OCPI",
    hint: "The verdict is data of a success, also when it is BLOCKED or EXPIRED.",
    needs: needs("authorize"),
    judge: (evidence) => {
      const [seen] = evidence.answered("tokens.authorize")
      return seen !== undefined && codeOf(seen) === unknownPlaceCode
        ? undecided("unobservable", "the partner judges published locations only, and we have published none")
        : onAnswers("authorize", noVerdict)(evidence)
    }
  },
  {
    ...base,
    id: "TOK-013",
    versions: detailed,
    title: "Says which token it has judged",
    passes: "token is there, complete, and the one that was asked about",
    hint: "Put the whole Token object into the answer.",
    needs: needs("authorize"),
    judge: (evidence) => {
      const answers = evidence.answered("tokens.authorize").filter(succeeded)
      if (answers.length === 0) return undecided("not_tested", "the token was not judged")
      const schema = evidence.profile.objects.Token
      const listed = askedToken(evidence)?.json ?? {}
      return noneOf(
        answers.flatMap((seen) => {
          const { token } = objectIn(dataOf(seen))
          if (!isObject(token))
            return [
              at(seen, "/data/token", "the answer has no token", { expected: "a Token", actual: token })
            ]
          const flaws = schema === undefined ? [] : violations(schema, token, ["data", "token"])
          const other = ["uid", "type", evidence.profile.contract].find(
            (field) => token[field] !== listed[field]
          )
          return [
            ...flaws.map((flaw) => ({ ...flaw, exchangeId: seen.exchange.id })),
            ...(other === undefined
              ? []
              : [
                  at(seen, `/data/token/${other}`, "the token is not the one that is listed", {
                    expected: String(listed[other]),
                    actual: token[other]
                  })
                ])
          ]
        })
      )
    }
  },
  {
    ...base,
    id: "TOK-014",
    title: "Allows no other place than was asked for",
    sends: "POST authorize with and without the reference of a place",
    passes: "location only if one was sent, the same one, and no other EVSEs",
    hint: "Repeat the location that was sent, with those of its EVSEs that the driver may use.",
    needs: needs("authorize", "authorize-bare"),
    judge: (evidence) =>
      noneOf([
        ...evidence.answered("tokens.authorize").flatMap((seen) => otherPlace(seen, evidence)),
        ...evidence.answered("tokens.authorize-bare").flatMap((seen) => {
          const { location } = objectIn(dataOf(seen))
          return succeeded(seen) && isObject(location)
            ? [
                at(seen, "/data/location", "a location is answered, and none was asked for", {
                  expected: "no location",
                  actual: location
                })
              ]
            : []
        })
      ])
  },
  {
    ...base,
    id: "TOK-015",
    versions: detailed,
    title: "Answers 404 about a token that there is not",
    sends: "POST authorize of a token that nobody has",
    passes: "HTTP 404",
    hint: "HTTP 404 with status_code 2004 in the envelope.",
    lenient: () => true,
    needs: () => ["tokens.authorize-unknown"],
    judge: onAnswers("authorize-unknown", (seen) =>
      seen.response.httpStatus === 404 ? [] : [otherwise(seen, "HTTP 404")]
    )
  },
  {
    ...base,
    id: "TOK-016",
    versions: detailed,
    title: "Says that it does not know the token",
    sends: "POST authorize of a token that nobody has",
    passes: "status_code 2004, no data",
    hint: "The code tells a token that is not known from a path that is not.",
    lenient: () => true,
    needs: () => ["tokens.authorize-unknown"],
    judge: onAnswers("authorize-unknown", (seen, { profile }) => {
      const expected = `status_code ${profile.unknownTokenStatus}, no data`
      const code = codeOf(seen)
      const data = dataOf(seen)
      if (code === profile.unknownTokenStatus && (data === undefined || data === null)) return []
      const close = code >= 2000 && code < 3000 && !isObject(data)
      return [otherwise(seen, expected, close ? "should" : undefined)]
    })
  },
  {
    ...base,
    id: "TOK-017",
    versions: versionsWhere(({ authorizationDetails }) => !authorizationDetails),
    title: "Does not allow a token that there is not",
    sends: "POST authorize of a token that nobody has",
    passes: "HTTP 404, a status_code 2xxx, or another verdict than ALLOWED",
    hint: "Only what is known may charge.",
    needs: () => ["tokens.authorize-unknown"],
    judge: onAnswers("authorize-unknown", (seen) => {
      const verdict = allowedOf(seen)
      return refuses(seen) || (succeeded(seen) && verdict !== undefined && verdict !== "ALLOWED")
        ? []
        : [otherwise(seen, "HTTP 404, a status_code 2xxx, or a refusal")]
    })
  },
  {
    ...base,
    id: "TOK-018",
    title: "Judges tokens that it lists as invalid",
    sends: "POST authorize of a listed token with valid false",
    passes: "HTTP 200, status_code 1000, an AuthorizationInfo; not ALLOWED",
    hint: "Whether to ask is told by the whitelist, not by valid: answer BLOCKED or EXPIRED.",
    needs: needs("authorize-invalid"),
    judge: onAnswers("authorize-invalid", (seen, evidence) => [
      ...noVerdict(seen, evidence),
      ...(allowedOf(seen) === "ALLOWED"
        ? [
            at(seen, "/data/allowed", "a token that is listed as invalid may charge", {
              expected: "BLOCKED, EXPIRED or another refusal",
              actual: "ALLOWED",
              strength: "should" as const
            })
          ]
        : [])
    ])
  },
  {
    ...base,
    id: "TOK-019",
    title: "Can be asked without a place",
    sends: "POST authorize without a body",
    passes: "an AuthorizationInfo, or status_code 2002",
    hint: "2002 asks the CPO to say where; nothing else does.",
    needs: needs("authorize-bare"),
    judge: onAnswers("authorize-bare", (seen, evidence) =>
      codeOf(seen) === whereCode || noVerdict(seen, evidence).length === 0
        ? []
        : [
            otherwise(
              seen,
              "an AuthorizationInfo, or status_code 2002",
              evidence.profile.authorizationDetails ? undefined : "should"
            )
          ]
    )
  },
  {
    ...base,
    id: "TOK-020",
    title: "Judges tokens at places that it has not heard of",
    strength: "should",
    passes: "an AuthorizationInfo with ALLOWED, and no HTTP 5xx",
    hint: "New locations reach drivers before they reach lists: let them charge.",
    needs: needs("authorize"),
    judge: onAnswers("authorize", (seen) =>
      // Which form the answer has is told by another check.
      seen.response.httpStatus >= 500 || codeOf(seen) === unknownPlaceCode || codeOf(seen) >= 3000
        ? [otherwise(seen, "an AuthorizationInfo")]
        : []
    )
  },
  {
    ...base,
    id: "TOK-021",
    title: "Takes a token without a type for an RFID token",
    sends: "POST authorize of an RFID token without a type, and with type=RFID",
    passes: "the same verdict",
    hint: "RFID is what is meant where the query says nothing.",
    needs: needs("authorize-typed"),
    judge: (evidence) => {
      const [plain, typed] = ["without type", "type=RFID"].map((about) =>
        evidence.answered("tokens.authorize-typed").find((seen) => seen.about === about)
      )
      if (plain === undefined || typed === undefined)
        return undecided("not_tested", "one of the two was not answered")
      return noneOf(
        allowedOf(plain) === allowedOf(typed) && plain.response.httpStatus === typed.response.httpStatus
          ? []
          : [
              {
                ...otherwise(plain, `the verdict of type=RFID: ${allowedOf(typed) ?? statusLine(typed)}`),
                actual: allowedOf(plain) ?? statusLine(plain)
              }
            ]
      )
    }
  },
  {
    ...base,
    id: "TOK-022",
    title: "Knows tokens by their type too",
    strength: "should",
    sends: "POST authorize of an RFID uid with type=OTHER and with type=BANANA",
    passes: "an unknown token; 2001 or an unknown token",
    hint: "uid and type together name a token.",
    needs: needs("authorize-other"),
    judge: onAnswers("authorize-other", (seen) =>
      refuses(seen) ? [] : [otherwise(seen, "an unknown token")]
    )
  },
  {
    ...base,
    id: "TOK-023",
    title: "Refuses a place that it cannot read",
    reference: "status_codes; mod_tokens, LocationReferences class",
    sends: "POST authorize with truncated JSON, and without location_id",
    passes: "HTTP 400; status_code 2001",
    hint: "What cannot be parsed is HTTP 400, what lacks a field is 2001.",
    needs: needs("authorize-broken"),
    judge: onAnswers("authorize-broken", (seen) => {
      if (seen.about === "truncated")
        return seen.response.httpStatus === 400 ? [] : [otherwise(seen, "HTTP 400")]
      const code = codeOf(seen)
      if (code === parameterCode) return []
      const close = seen.response.httpStatus === 400 || (code >= 2000 && code < 3000)
      return [otherwise(seen, `status_code ${parameterCode}`, close ? "should" : undefined)]
    })
  },
  {
    ...base,
    id: "TOK-024",
    title: "Takes nothing at the address of a token",
    strength: "should",
    sends: "POST to a token, without /authorize",
    passes: "no success",
    hint: "Tokens are the EMSP's own: nobody posts to them.",
    needs: needs("no-authorize"),
    judge: onAnswers("no-authorize", (seen) => (succeeded(seen) ? [otherwise(seen, "HTTP 404 or 405")] : []))
  },
  {
    ...base,
    id: "TOK-025",
    versions: detailed,
    title: "Gives each authorization a reference of its own",
    strength: "should",
    sends: "POST authorize of the same token twice",
    passes: "authorization_reference, if there is one, has at most 36 characters and differs",
    hint: "It is what a CDR is matched by: make a new one for each call.",
    needs: needs("authorize", "authorize-again"),
    judge: (evidence) => {
      const given = [
        ...evidence.answered("tokens.authorize"),
        ...evidence.answered("tokens.authorize-again")
      ].flatMap((seen) => {
        const text = textIn(objectIn(dataOf(seen))["authorization_reference"])
        return text === undefined ? [] : [{ seen, text }]
      })
      if (given.length === 0) return undecided("unobservable", "no answer has an authorization_reference")
      const [first, second] = given
      const finding = (seen: Answered, message: string, expected: string, actual: string) =>
        at(seen, "/data/authorization_reference", message, { expected, actual })
      return noneOf([
        ...given
          .filter(({ text }) => text.length > 36)
          .map(({ seen, text }) => finding(seen, "the reference is too long", "at most 36 characters", text)),
        ...(first !== undefined && second !== undefined && first.text === second.text
          ? [finding(second.seen, "two authorizations have one reference", "another reference", second.text)]
          : [])
      ])
    }
  },
  {
    ...base,
    id: "TOK-026",
    title: "Answers while the driver waits",
    strength: "should",
    sends: "POST authorize ten times",
    passes: `95 % of the answers within ${slowMillis / 1000} s`,
    hint: "Look the token up in memory or by an index; do nothing else before the answer.",
    needs: needs("authorize-many"),
    judge: (evidence) => {
      const durations = evidence
        .answered("tokens.authorize-many")
        .map(({ exchange }) => exchange.durationMs)
        .toSorted((a, b) => a - b)
      const slow = durations[Math.ceil(durations.length * percentile) - 1] ?? 0
      return noneOf(
        slow < slowMillis
          ? []
          : [
              {
                message: `authorize takes up to ${Math.round(slow)} ms`,
                expected: `below ${slowMillis} ms`,
                actual: `${Math.round(slow)} ms`
              }
            ],
        `${Math.round(slow)} ms at most`
      )
    }
  }
]

function otherPlace(seen: Answered, { profile }: Evidence): ReadonlyArray<Finding> {
  const { location } = objectIn(dataOf(seen))
  if (!succeeded(seen) || !isObject(location)) return []
  const uids = Array.isArray(location["evse_uids"]) ? location["evse_uids"] : []
  const strange = uids.find((uid) => !unpublishedPlace.evse_uids.includes(String(uid)))
  const finding = (field: string, message: string, expected: string) =>
    at(seen, `/data/location/${field}`, message, { expected, actual: location[field] })
  return [
    ...(location["location_id"] === unpublishedPlace.location_id
      ? []
      : [
          finding(
            "location_id",
            "the location is not the one that was asked for",
            unpublishedPlace.location_id
          )
        ]),
    ...(strange === undefined
      ? []
      : [
          finding(
            "evse_uids",
            "there are EVSEs that were not asked for",
            unpublishedPlace.evse_uids.join(", ")
          )
        ]),
    ...(profile.authorizationDetails && location["connector_ids"] !== undefined
      ? [finding("connector_ids", "this version authorizes EVSEs, not connectors", "no connector_ids")]
      : [])
  ]
}
