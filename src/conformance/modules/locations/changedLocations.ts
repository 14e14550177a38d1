/** What a location that was told to an EMSP is like after it was changed, as it is read back. */
import { objectsIn, sameId } from "../../../findings/json.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import { dataOf, isObject, type Json, named, statusLine, succeeded } from "../../model/answers.ts"
import { type Finding, inconclusive, type Judgement, noneOf, pass } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { at } from "../shared/findings.ts"
import { differences } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { taken } from "../shared/writing.ts"
import { moments, wrote } from "./locationWritesProbes.ts"
import { stamp, uidOf } from "./testLocation.ts"

/** The answer to a step with its data; else why there is none. */
const readAt = (
  evidence: Evidence,
  step: string
): { readonly seen: Answered; readonly data: Json } | Judgement => {
  const seen = stepOf(evidence, step)
  if (seen === undefined || !succeeded(seen))
    return inconclusive(
      "not_tested",
      `the object cannot be read back${seen === undefined ? "" : `: ${statusLine(seen)}`}`
    )
  const data = dataOf(seen)
  return isObject(data)
    ? { seen, data }
    : noneOf([at(seen, "/data", "data is no object", { expected: "the object", actual: data })])
}

/** What should have been refused is there all the same. */
export function stored(seen: Answered): Finding {
  return {
    message: `${named(seen)} finds what should have been refused`,
    expected: "HTTP 404: nothing was stored",
    actual: statusLine(seen),
    exchangeId: seen.exchange.id
  }
}

/** A third EVSE and a second connector are in the location as they were put. */
export function partsAdded(evidence: Evidence): Judgement {
  const read = readAt(evidence, "locations.parts#read")
  if ("is" in read) return read
  const evses = objectsIn(read.data["evses"])
  const third = evses.find(({ uid }) => sameId(uid, uidOf(evidence, "parts", 3)))
  const first = evses.find(({ uid }) => sameId(uid, uidOf(evidence, "parts", 1)))
  const second = objectsIn(first?.["connectors"]).find(({ id }) => id === "2")
  const compared = [
    ["the EVSE that was put", wrote.evse(evidence), third],
    ["the connector that was put", wrote.connector(evidence), second]
  ] as const
  return noneOf(
    compared.flatMap(([what, sent, got]) =>
      got === undefined
        ? [
            at(read.seen, "/data/evses", `${what} is not in the location`, {
              expected: what,
              actual: "absent"
            })
          ]
        : differences(sent, got, evidence.profile).map(({ actual, expected, pointer }) =>
            at(read.seen, "/data/evses", `${what} is not what was sent: ${pointer}`, {
              expected: JSON.stringify(expected),
              actual
            })
          )
    )
  )
}

/** The steps that `movedOn` looks at. */
export function timesNeeded(script: string): ReadonlyArray<string> {
  return ["patch", "read patched", "put part", "read put"].map((id) => `locations.${script}#${id}`)
}

/** After each change the parents are as new as the part at least. */
export function movedOn(
  evidence: Evidence,
  script: string,
  parentsIn: (read: {
    readonly data: Json
  }) => ReadonlyArray<{ readonly pointer: string; readonly json: Json }>
): Judgement {
  const rounds = [
    { change: `locations.${script}#patch`, read: `locations.${script}#read patched`, seconds: moments.patch },
    { change: `locations.${script}#put part`, read: `locations.${script}#read put`, seconds: moments.put }
  ]
  const findings: Array<Finding> = []
  for (const { change, read, seconds } of rounds) {
    const changed = taken(evidence, change)
    if (changed.is !== "pass") return changed
    const got = readAt(evidence, read)
    if ("is" in got) return got
    const moment = stamp(evidence, seconds)
    for (const { json, pointer } of parentsIn(got)) {
      const now = dateTimeMillis(json["last_updated"])
      // Later is possible: the receiver may have had a change of its own.
      if (now === undefined || now < Date.parse(moment))
        findings.push(
          at(got.seen, `/data${pointer}/last_updated`, "it did not move on with its part", {
            expected: moment,
            actual: json["last_updated"]
          })
        )
    }
  }
  return noneOf(findings)
}

/** An EVSE that was taken out of use is REMOVED, or not found. */
export function stillThere(evidence: Evidence): Judgement {
  const seen = stepOf(evidence, "locations.status#read removed")
  if (seen === undefined) return inconclusive("not_tested", "nothing was read back")
  if (seen.response.httpStatus === 404) return pass("not found any more")
  const read = readAt(evidence, "locations.status#read removed")
  if ("is" in read) return read
  return noneOf(
    read.data["status"] === "REMOVED"
      ? []
      : [
          at(seen, "/data/status", "the EVSE is still in use", {
            expected: "REMOVED, or HTTP 404",
            actual: read.data["status"]
          })
        ]
  )
}

/** Records what became of a change that is older than what is kept. */
export function lateChange(evidence: Evidence): Judgement {
  const patched = stepOf(evidence, "locations.name#patch older")
  const read = readAt(evidence, "locations.name#read older")
  if (patched === undefined || "is" in read) return inconclusive("not_tested", "nothing can be read back")
  const applied = read.data["name"] === `Older ${evidence.mark}`
  const what = !succeeded(patched) ? "was refused" : applied ? "was applied" : "was ignored"
  return noneOf([
    {
      message: `a change with an older last_updated ${what}; the text does not say what is due`,
      expected: "applied, ignored or refused",
      actual: what,
      exchangeId: patched.exchange.id
    }
  ])
}
