/** Rules of transport for whoever is written to: judged on tokens at a CPO, on tariffs at an EMSP. */
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { envelope, named, statusLine, succeeded } from "../../model/answers.ts"
import {
  type Check,
  either,
  type Finding,
  inconclusive,
  type Judgement,
  noneOf,
  pass
} from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { notRejected, taken } from "../shared/writing.ts"
import { writtenObject } from "./objectWritesProbes.ts"

const base = { module: "transport", versions: versionNumbers, roles: either, mode: "MUT" } as const
const withOwners = versionsWhere(({ ownerFields }) => ownerFields)

const codeOf = (seen: Answered) => Number(envelope(seen)?.["status_code"])
const isClients = (seen: Answered) => codeOf(seen) >= 2000 && codeOf(seen) < 3000

const wrong = (seen: Answered, expected: string, strength?: Finding["strength"]): Finding => ({
  message: `${named(seen)} answered ${statusLine(seen)}`,
  expected,
  actual: statusLine(seen),
  exchangeId: seen.exchange.id,
  ...(strength === undefined ? {} : { strength })
})

/** Judges the answer to one step. */
const onStep =
  (step: string, judge: (seen: Answered) => ReadonlyArray<Finding>) =>
  (evidence: Evidence): Judgement => {
    const seen = stepOf(evidence, step)
    return seen === undefined ? inconclusive("not_tested", "it was not sent") : noneOf(judge(seen))
  }

const isTaken = (step: string) => (evidence: Evidence) => taken(evidence, step)

const noObjects = ["empty", "array", "text"].map((step) => `objects.no-object#${step}`)

export const objectWritesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-018",
    versions: versionsWhere(({ messageIds }) => messageIds),
    title: "Answers HTTP 2xx to wrong content at an existing resource",
    strength: "must",
    lenient: () => true,
    reference: "status_codes",
    sends: "PUT of an object that is there already, with a field that has no legal value",
    passes: "HTTP 2xx",
    hint: "HTTP errors are for transport; what is wrong with the content is said by the OCPI status code.",
    needs: () => ["objects.semantic#put", "objects.semantic#spoilt"],
    judge: onStep("objects.semantic#spoilt", (seen) =>
      seen.response.httpStatus >= 200 && seen.response.httpStatus < 300 ? [] : [wrong(seen, "HTTP 2xx")]
    )
  },
  {
    ...base,
    id: "TRANS-019",
    title: "Says by a 2xxx code that the content is wrong",
    strength: "must",
    reference: "status_codes, 2xxx: Client errors",
    sends: "PUT of an object that is there already, with a field that has no legal value",
    passes: "status_code 2000 to 2999; never 1000, 3xxx or HTTP 5xx",
    hint: "Check what comes before it is stored, and answer 2001 where it does not fit.",
    needs: () => ["objects.semantic#put", "objects.semantic#spoilt"],
    judge: onStep("objects.semantic#spoilt", (seen) => {
      if (isClients(seen)) return []
      const { httpStatus } = seen.response
      // Refused by HTTP alone: the object is safe.
      return [wrong(seen, "status_code 2001", httpStatus >= 400 && httpStatus < 500 ? "should" : undefined)]
    })
  },
  {
    ...base,
    id: "TRANS-021",
    title: "Refuses a body that is no object",
    strength: "should",
    reference: "status_codes, Client errors",
    sends: "PUT with an empty body, with a JSON array, and with a JSON text",
    passes: "HTTP 400 or status_code 2001, no 5xx",
    hint: "Look at the kind of the body before its fields are read.",
    needs: () => noObjects,
    judge: (evidence) =>
      noneOf(
        noObjects
          .flatMap(evidence.answered)
          .flatMap((seen) => notRejected(seen, "HTTP 400 or status_code 2001"))
      )
  },
  {
    ...base,
    id: "TRANS-035",
    versions: versionsWhere(({ openEnums }) => openEnums),
    title: "Takes objects with fields that it does not know",
    strength: "must",
    reference: "transport_and_format, Extending the OCPI protocol",
    sends: "PUT of an object with a field of another name, and with one in an object of it",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Ignore fields that you do not know.",
    needs: () => ["objects.extra#put"],
    judge: isTaken("objects.extra#put")
  },
  {
    ...base,
    id: "TRANS-036",
    versions: versionsWhere(({ openEnums }) => !openEnums),
    title: "Takes objects with fields that it does not know, or does not",
    strength: "may",
    reference: "transport_and_format",
    sends: "PUT of an object with a field of another name, and with one in an object of it",
    passes: "recorded: taken or refused",
    needs: () => ["objects.extra#put"],
    judge: (evidence) => {
      const seen = stepOf(evidence, "objects.extra#put")
      if (seen === undefined) return inconclusive("not_tested", "it was not sent")
      return succeeded(seen) ? pass("taken") : noneOf([wrong(seen, "taken")])
    }
  },
  {
    ...base,
    id: "TRANS-037",
    versions: versionsWhere(({ openEnums }) => openEnums),
    // A tariff has no field with an open enumeration that could be tried.
    roles: ["CPO"],
    title: "Takes words that its version does not list",
    strength: "should",
    reference: "types, OpenEnum type",
    sends: "PUT of a token with a type that no version has",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "An open enumeration has more words than the text: keep them, and treat them as the others.",
    needs: () => ["objects.unknown-word#put"],
    judge: isTaken("objects.unknown-word#put")
  },
  {
    ...base,
    id: "TRANS-038",
    title: "Reads null and an empty list as absent",
    strength: "must",
    reference: "terminology, Cardinality",
    sends: "PUT of an object with null in optional fields and [] in optional lists, then GET",
    passes: "status_code 1000, and the fields are absent, null or empty",
    hint: "An optional field may be left out, be null, or be an empty list: all mean the same.",
    needs: () => ["objects.nulls#put"],
    judge: isTaken("objects.nulls#put")
  },
  {
    ...base,
    id: "TRANS-041",
    title: "Takes ids with reserved characters",
    strength: "should",
    reference: "transport_and_format; RFC 3986",
    sends: "PUT and GET of an object whose id has :, * and +, percent-encoded in the URL",
    passes: "stored and read back",
    hint: "Decode the segments of the path after it is split.",
    needs: () => ["objects.reserved#put", "objects.reserved#read back"],
    judge: (evidence) => {
      const put = isTaken("objects.reserved#put")(evidence)
      return put.is === "pass"
        ? judgeReadBack(evidence, "objects.reserved#read back", writtenObject(evidence, "a:b*c+d").json, {
            main: true
          })
        : put
    }
  },
  {
    ...base,
    id: "TRANS-042",
    title: "Takes a Content-Type with a charset",
    strength: "should",
    reference: "transport_and_format, JSON / HTTP implementation guide",
    sends: "PUT with Content-Type: application/json; charset=utf-8",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Compare the media type only; parameters may follow.",
    needs: () => ["objects.charset#put"],
    judge: isTaken("objects.charset#put")
  },
  {
    ...base,
    id: "TRANS-049",
    title: "Refuses an object under the id of another",
    strength: "should",
    reference: "transport_and_format, Client Owned Object Push",
    sends: "PUT whose URL has another id than its body, then GET of both",
    passes: "status_code 2001, and nothing is stored under either id",
    hint: "Compare the ids of URL and body before anything is stored.",
    needs: () => ["objects.other-id#put", "objects.other-id#read url", "objects.other-id#read body"],
    judge: (evidence) => {
      const put = stepOf(evidence, "objects.other-id#put")
      const read = ["read url", "read body"].flatMap((step) => evidence.answered(`objects.other-id#${step}`))
      return noneOf([
        ...(put === undefined ? [] : notRejected(put, "status_code 2001")),
        ...read.filter(succeeded).map((seen) => wrong(seen, "HTTP 404: nothing stored"))
      ])
    }
  },
  {
    ...base,
    id: "TRANS-050",
    versions: withOwners,
    title: "Refuses an object of another owner than its URL says",
    strength: "should",
    reference: "the modules' Receiver Interface, PUT Method",
    sends: "PUT whose body has another party_id than its URL",
    passes: "status_code 2001",
    hint: "Compare owner and id of URL and body before anything is stored.",
    needs: () => ["objects.other-owner#put"],
    judge: onStep("objects.other-owner#put", (seen) => notRejected(seen, "status_code 2001"))
  },
  {
    ...base,
    id: "TRANS-051",
    title: "Refuses objects of a party that is not ours",
    strength: "should",
    reference: "transport_and_format, Client Owned Object Push",
    sends: "PUT under a country code and party id that our credentials do not name",
    passes: "HTTP 404 or status_code 2xxx",
    hint: "Take from a platform only what belongs to the parties of its credentials.",
    needs: () => ["objects.foreign#put"],
    judge: onStep("objects.foreign#put", (seen) => notRejected(seen, "HTTP 404 or status_code 2xxx"))
  },
  {
    ...base,
    id: "TRANS-052",
    versions: versionsWhere(({ patchNeedsLastUpdated }) => patchNeedsLastUpdated),
    // Tariffs cannot be patched; what an EMSP is told by PATCH is judged in its own modules.
    roles: ["CPO"],
    title: "Refuses a PATCH that does not say when",
    strength: "should",
    reference: "status_codes, 2001; mod_tokens, PATCH Method",
    sends: "PATCH of a token without last_updated",
    passes: "status_code 2001",
    hint: "last_updated is required in every PATCH.",
    needs: () => ["objects.no-stamp#put", "objects.no-stamp#patch"],
    judge: onStep("objects.no-stamp#patch", (seen) => notRejected(seen, "status_code 2001"))
  },
  ...(
    [
      ["TRANS-054", "first", "A new object is answered with HTTP 201", "the first PUT", 201],
      ["TRANS-055", "again", "A replaced object is answered with HTTP 200", "the second PUT", 200]
    ] as const
  ).map(
    ([id, step, title, what, status]): Check => ({
      ...base,
      id,
      title,
      strength: "should",
      reference: "status_codes, HTTP codes",
      sends: `${what} of an object`,
      passes: `HTTP ${status}`,
      hint: "201 when the object is new, 200 when it was there.",
      needs: () => [`objects.twice#${step}`],
      judge: onStep(`objects.twice#${step}`, (seen) => {
        if (!succeeded(seen)) return [wrong(seen, `HTTP ${status}, status_code 1000`)]
        return seen.response.httpStatus === status ? [] : [wrong(seen, `HTTP ${status}`)]
      })
    })
  )
]
