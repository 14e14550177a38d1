/** An EMSP that is sent CDRs (mod_cdrs, Receiver Interface): kept as sent, found at their address, never changed. */
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { header, succeeded } from "../../model/answers.ts"
import { type Check, type Finding, inconclusive, type Judgement, noneOf, pass } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { notInvalid, notRejected, taken } from "../shared/writing.ts"
import { cdrUrl, sentCdr, wrongCdrSteps } from "./cdrWritesProbes.ts"

const base = {
  module: "cdrs",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  strength: "must",
  reference: "mod_cdrs, Receiver Interface, POST Method"
} as const
const withDetails = versionsWhere(({ cdrDetails }) => cdrDetails)
const step = (id: string) => `cdrs.write#${id}`
const sent = (...ids: ReadonlyArray<string>) => ids.map(step)

/** Longest URL, in characters. */
const longestUrl = 255

const rejected = (evidence: Evidence, ids: ReadonlyArray<string>, expected: string) =>
  ids.flatMap((id) => evidence.answered(step(id))).flatMap((seen) => notRejected(seen, expected))

/** What an answer and the CDR as it is read after it have to say; only the answer where nothing can be read. */
const unchanged = (evidence: Evidence, answers: ReadonlyArray<Finding>, read: string): Judgement => {
  const back =
    stepOf(evidence, step(read)) === undefined
      ? pass()
      : judgeReadBack(evidence, step(read), { total_cost: sentCdr.first(evidence)["total_cost"] })
  return noneOf([...answers, ...(back.is === "fail" ? back.findings : [])])
}

export const cdrWriteChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CDR-101",
    title: "Takes a CDR",
    sends: "POST of a CDR of three cents for one of the partner's tokens",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Compare the CDR with the tables of the version: it has the required fields and no others that are wrong.",
    needs: () => sent("post"),
    judge: (evidence) => taken(evidence, step("post"))
  },
  {
    ...base,
    id: "CDR-102",
    title: "Says where the CDR can be read",
    sends: "POST of a CDR",
    passes: `a Location header with an absolute URL of at most ${longestUrl} characters`,
    hint: "Answer the URL of the CDR in the Location header: the CPO has no other way to read it.",
    needs: () => sent("post"),
    judge: (evidence) => {
      const seen = stepOf(evidence, step("post"))
      return seen === undefined || !succeeded(seen)
        ? inconclusive("not_tested", "the CDR was not taken")
        : noneOf(wrongLocation(seen))
    }
  },
  {
    ...base,
    id: "CDR-103",
    title: "Gives a CDR back as it was sent",
    reference: "mod_cdrs, Receiver Interface, GET Method",
    sends: "GET of the URL of the Location header",
    passes: "every field as it was sent",
    hint: "Keep every field that was sent, and give it back on GET as it came.",
    needs: () => sent("read back"),
    judge: (evidence) => judgeReadBack(evidence, step("read back"), sentCdr.first(evidence), { main: true })
  },
  {
    ...base,
    id: "CDR-104",
    title: "Refuses CDRs that are not valid",
    reference: "status_codes, Client errors",
    sends: "POST of a CDR without total_cost, without charging_periods, with a dimension KWH",
    passes: "status_code 2001 each time",
    hint: "Check required fields, types and enumerations before anything is stored.",
    needs: () => wrongCdrSteps,
    judge: (evidence) => noneOf(wrongCdrSteps.flatMap(evidence.answered).flatMap(notInvalid))
  },
  {
    ...base,
    id: "CDR-105",
    title: "Keeps one CDR when it comes twice",
    strength: "should",
    sends: "POST of the same CDR once more",
    passes: "the same Location as before, or status_code 2xxx",
    hint: "Look the id up first: a CPO repeats a POST whose answer it did not get.",
    needs: () => sent("post", "post again"),
    judge: (evidence) => {
      const [first, again] = ["post", "post again"].map((id) => stepOf(evidence, step(id)))
      if (first === undefined || again === undefined || !succeeded(first))
        return inconclusive("not_tested", "the CDR was not taken the first time")
      if (!succeeded(again)) return noneOf(notRejected(again))
      return noneOf(otherPlace(first, again))
    }
  },
  {
    ...base,
    id: "CDR-106",
    title: "Refuses another CDR with a known id",
    strength: "should",
    reference: "mod_cdrs, CDR Object; Credit CDRs",
    sends: "POST of a CDR with the same id and another total_cost, then GET",
    passes: "status_code 2xxx; the first CDR is unchanged",
    hint: "A CDR never changes: corrections come as a Credit CDR and a new one.",
    needs: () => sent("post", "post dearer"),
    judge: (evidence) => {
      const first = stepOf(evidence, step("post"))
      return first === undefined || !succeeded(first)
        ? inconclusive("not_tested", "the first CDR was not taken")
        : unchanged(evidence, rejected(evidence, ["post dearer"], "status_code 2xxx"), "read after dearer")
    }
  },
  {
    ...base,
    id: "CDR-107",
    versions: withDetails,
    title: "Takes a Credit CDR",
    reference: "mod_cdrs, Credit CDRs",
    sends: "POST of a Credit CDR for the first one, its id with -C",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Ids of Credit CDRs have up to 39 characters, and their total_cost is negative.",
    needs: () => sent("credit"),
    judge: (evidence) => taken(evidence, step("credit"))
  },
  {
    ...base,
    id: "CDR-108",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    title: "Takes the CDR of a reservation that was not used",
    reference: "mod_cdrs, CdrLocation class, CdrDimensionType enum",
    sends: "POST of a CDR with #NA for EVSE and connector, and RESERVATION_TIME only",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "#NA stands for an id that was never known: do not look it up.",
    needs: () => sent("reservation"),
    judge: (evidence) => taken(evidence, step("reservation"))
  },
  {
    ...base,
    id: "CDR-109",
    title: "Lets nobody change or delete a CDR",
    reference: "mod_cdrs, Receiver Interface",
    sends: "PUT, PATCH and DELETE of the URL of the CDR, then GET",
    passes: "no success, and the CDR is unchanged",
    hint: "Offer GET at that URL only; answer HTTP 405 to the rest.",
    needs: () => sent("put", "patch", "delete"),
    judge: (evidence) =>
      cdrUrl(evidence) === undefined
        ? inconclusive("not_tested", "the partner does not say where the CDR is")
        : unchanged(evidence, rejected(evidence, ["put", "patch", "delete"], "HTTP 405 or 404"), "read kept")
  },
  {
    ...base,
    id: "CDR-110",
    title: "Takes a CDR of a place that it was not told of",
    strength: "should",
    reference: "mod_cdrs, CDR Object",
    sends: "POST of a CDR at a location that was never pushed",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "A CDR brings all that is needed of its place with it.",
    needs: () => sent("elsewhere"),
    judge: (evidence) => taken(evidence, step("elsewhere"))
  },
  {
    ...base,
    id: "CDR-111",
    title: "Refuses a CDR of somebody else's driver",
    strength: "should",
    reference: "status_codes, Client errors",
    sends: "POST of a CDR that names a token of another EMSP",
    passes: "status_code 2xxx",
    hint: "Say that the token is not yours: status_code 2004 where the version has it, else 2001.",
    needs: () => sent("foreign"),
    judge: (evidence) => noneOf(rejected(evidence, ["foreign"], "status_code 2xxx"))
  },
  {
    ...base,
    id: "CDR-112",
    versions: withDetails,
    title: "Takes a CDR with nothing but the required fields",
    strength: "should",
    reference: "mod_cdrs, CDR Object",
    sends: "POST of a CDR without session_id and the other optional fields",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Optional fields may be absent: session_id too.",
    needs: () => sent("minimal"),
    judge: (evidence) => taken(evidence, step("minimal"))
  }
]

function wrongLocation(seen: Answered): ReadonlyArray<Finding> {
  const location = header(seen, "location")
  const finding = (message: string, actual: string): Finding => ({
    message,
    expected: `an absolute URL of at most ${longestUrl} characters`,
    actual,
    exchangeId: seen.exchange.id
  })
  if (location === undefined) return [finding("the answer has no Location header", "absent")]
  if (location.length > longestUrl)
    return [finding("the URL in the Location header is too long", `${location.length} characters`)]
  return URL.canParse(location)
    ? []
    : [{ ...finding("the Location header is not an absolute URL", location), strength: "should" }]
}

function otherPlace(first: Answered, again: Answered): ReadonlyArray<Finding> {
  const [before, now] = [header(first, "location"), header(again, "location")]
  return before === now || now === undefined
    ? []
    : [
        {
          message: "the same CDR was stored a second time at another address",
          expected: String(before),
          actual: now,
          exchangeId: again.exchange.id
        }
      ]
}
