/** An EMSP that is told locations (mod_locations, Receiver Interface): stored as sent, changed as asked, refused when wrong. */
import { versionNumbers, versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectsIn, sameId } from "../../findings/json.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import { dataOf, isObject, type Json, named, statusLine, succeeded } from "../answers.ts"
import { type Check, type Finding, type Judgement, kept, noneOf, undecided } from "../Check.ts"
import type { Answered, Evidence } from "../Evidence.ts"
import { moments, wrongLocationSteps, wrote } from "../probes/locationWrites.ts"
import { optionalFields, stamp, uidOf } from "../probes/testLocation.ts"
import { stepOf } from "../probes/waiting.ts"
import { differences, judgeReadBack } from "../readBack.ts"
import { at } from "./findings.ts"
import { laterLocations } from "./readLocations.ts"
import { notInvalid, notRejected, taken } from "./writing.ts"

const base = {
  module: "locations",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  strength: "must",
  reference: "mod_locations, Receiver Interface"
} as const
const mergeHint = "Merge the fields of a PATCH into what is kept; leave the others alone."

/** Judged when the steps before were taken; else what came instead. */
const after =
  (steps: ReadonlyArray<string>, judge: (evidence: Evidence) => Judgement) =>
  (evidence: Evidence): Judgement =>
    steps.map((step) => taken(evidence, step)).find(({ is }) => is !== "kept") ?? judge(evidence)

/** The answer to a step with its data; else why there is none. */
const readAt = (
  evidence: Evidence,
  step: string
): { readonly seen: Answered; readonly data: Json } | Judgement => {
  const seen = stepOf(evidence, step)
  if (seen === undefined || !succeeded(seen))
    return undecided(
      "not_tested",
      `the object cannot be read back${seen === undefined ? "" : `: ${statusLine(seen)}`}`
    )
  const data = dataOf(seen)
  return isObject(data)
    ? { seen, data }
    : noneOf([at(seen, "/data", "data is no object", { expected: "the object", actual: data })])
}

export const locationWriteChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-101",
    title: "Takes a new location",
    sends: "PUT of a new location with two EVSEs, not to be published",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Create the location when it is not there yet: PUT is for new and known ones.",
    needs: () => ["locations.write#put"],
    judge: (evidence) => taken(evidence, "locations.write#put")
  },
  {
    ...base,
    id: "LOC-102",
    title: "Gives a location back as it was sent",
    sends: "GET of the location that was just put",
    passes: "every field as it was sent",
    hint: "Keep every field that was sent, and give it back on GET as it came.",
    needs: () => ["locations.write#read back"],
    judge: (evidence) =>
      judgeReadBack(evidence, "locations.write#read back", wrote.put(evidence), { main: true })
  },
  {
    ...base,
    id: "LOC-103",
    title: "Adds EVSEs and connectors to a location",
    sends: "PUT of a third EVSE, PUT of a second connector, GET of the location",
    passes: "both are in the location as they were sent",
    hint: "PUT below a location adds the part when it is not there yet.",
    needs: () => ["locations.parts#put evse", "locations.parts#put connector", "locations.parts#read"],
    judge: after(["locations.parts#put evse", "locations.parts#put connector"], partsAdded)
  },
  {
    ...base,
    id: "LOC-104",
    title: "Changes the status of an EVSE, and nothing else of it",
    sends: "PATCH of an EVSE's status, GET of the EVSE",
    passes: "the status is changed, every other field as before",
    hint: mergeHint,
    needs: () => ["locations.status#patch", "locations.status#read patched"],
    judge: after(["locations.status#patch"], (evidence) =>
      judgeReadBack(evidence, "locations.status#read patched", wrote.charging(evidence))
    )
  },
  {
    ...base,
    id: "LOC-105",
    title: "Changes the name of a location, and nothing else of it",
    sends: "PATCH of a location's name, GET of the location",
    passes: "name and last_updated are changed; EVSEs and other fields as before",
    hint: mergeHint,
    needs: () => ["locations.name#patch", "locations.name#read patched"],
    judge: after(["locations.name#patch"], (evidence) =>
      judgeReadBack(evidence, "locations.name#read patched", wrote.renamed(evidence))
    )
  },
  {
    ...base,
    id: "LOC-106",
    title: "Replaces the tariffs of a connector, and nothing else of it",
    sends: "PATCH of a connector's tariffs, GET of the connector",
    passes: "the tariffs are those that were sent, every other field as before",
    hint: "A list in a PATCH replaces the list that is kept.",
    needs: () => ["locations.tariffs#patch", "locations.tariffs#read patched"],
    judge: after(["locations.tariffs#patch"], (evidence) =>
      judgeReadBack(evidence, "locations.tariffs#read patched", wrote.priced(evidence))
    )
  },
  {
    ...base,
    id: "LOC-107",
    versions: laterLocations,
    title: "Moves the location's last_updated on with its EVSE",
    sends: "PATCH and PUT of an EVSE with a newer last_updated, GET of the location after each",
    passes: "the location's last_updated is that of the EVSE",
    hint: "A change of a part is a change of everything above it.",
    needs: () => timesNeeded("evse-times"),
    judge: (evidence) => movedOn(evidence, "evse-times", ({ data }) => [{ pointer: "", json: data }])
  },
  {
    ...base,
    id: "LOC-108",
    versions: laterLocations,
    title: "Moves last_updated of EVSE and location on with the connector",
    sends: "PATCH and PUT of a connector with a newer last_updated, GET of the location after each",
    passes: "last_updated of the EVSE and of the location is that of the connector",
    hint: "A change of a part is a change of everything above it.",
    needs: () => timesNeeded("plug-times"),
    judge: (evidence) =>
      movedOn(evidence, "plug-times", ({ data }) => [
        { pointer: "", json: data },
        ...objectsIn(data["evses"]).flatMap((json, index) =>
          sameId(json["uid"], uidOf(evidence, "plug-times", 1)) ? [{ pointer: `/evses/${index}`, json }] : []
        )
      ])
  },
  {
    ...base,
    id: "LOC-109",
    title: "Replaces the whole location by PUT",
    reference: "transport_and_format, PUT",
    sends: "PUT of the same location without its optional fields, then GET",
    passes: "the optional fields are gone",
    hint: "A PUT is the whole object: what it has not is not there any more.",
    needs: () => ["locations.write#replace", "locations.write#read replaced"],
    judge: after(["locations.write#replace"], (evidence) =>
      judgeReadBack(evidence, "locations.write#read replaced", wrote.replaced(evidence), {
        gone: optionalFields
      })
    )
  },
  {
    ...base,
    id: "LOC-110",
    title: "Refuses to change what it does not have",
    strength: "should",
    reference: "transport_and_format, PATCH",
    sends: "PATCH of an unknown location and of an unknown EVSE, GET of each",
    passes: "HTTP 404 or status_code 2xxx, and nothing was created",
    hint: "Answer 404 to a PATCH of what is not there; never create from a part.",
    needs: () =>
      ["patch location", "read location", "patch evse", "read evse"].map((id) => `locations.unknown#${id}`),
    judge: (evidence) =>
      noneOf(
        ["patch location", "read location", "patch evse", "read evse"]
          .flatMap((id) => evidence.answered(`locations.unknown#${id}`))
          .flatMap((seen) => notRejected(seen))
      )
  },
  {
    ...base,
    id: "LOC-111",
    title: "Refuses locations that are not valid",
    reference: "status_codes, Client errors",
    sends: "PUT of a location without coordinates, with status FREE, with latitude as a number; GET of each",
    passes: "status_code 2001 each time, and nothing was stored",
    hint: "Check required fields, types and enumerations before anything is stored.",
    needs: () => [...wrongLocationSteps.put, ...wrongLocationSteps.read],
    judge: (evidence) =>
      noneOf([
        ...wrongLocationSteps.put.flatMap(evidence.answered).flatMap(notInvalid),
        ...wrongLocationSteps.read.flatMap(evidence.answered).filter(succeeded).map(stored)
      ])
  },
  {
    ...base,
    id: "LOC-112",
    title: "Refuses an EVSE without connectors",
    strength: "should",
    reference: "mod_locations, EVSE object; status_codes",
    sends: "PUT of a new EVSE without connectors, GET of it",
    passes: "status_code 2001, or the EVSE is silently left out",
    hint: "An EVSE has at least one connector: refuse it, or leave it out.",
    needs: () => ["locations.bare#put evse", "locations.bare#read evse"],
    judge: (evidence) => {
      const put = stepOf(evidence, "locations.bare#put evse")
      const read = stepOf(evidence, "locations.bare#read evse")
      const silent = put !== undefined && succeeded(put) && read?.response.httpStatus === 404
      return noneOf([
        ...(put === undefined || silent ? [] : notInvalid(put)),
        ...(read !== undefined && succeeded(read) ? [stored(read)] : [])
      ])
    }
  },
  {
    ...base,
    id: "LOC-113",
    title: "Takes an EVSE out of use",
    sends: "PATCH of an EVSE's status to REMOVED, GET of the EVSE",
    passes: "status_code 1000; the EVSE is REMOVED, or not found any more",
    hint: "EVSEs are never deleted: REMOVED is how a CPO says that one is gone.",
    needs: () => ["locations.status#remove", "locations.status#read removed"],
    judge: after(["locations.status#remove"], stillThere)
  },
  {
    ...base,
    id: "LOC-114",
    versions: versionsWhere(({ parkingPlaces }) => parkingPlaces),
    title: "Takes what is new in this version",
    sends: "PUT of a location with parking_places, help_phone and capabilities of a connector",
    passes: "HTTP 200 or 201, status_code 1000",
    needs: () => ["locations.parking#put"],
    judge: (evidence) => taken(evidence, "locations.parking#put")
  },
  {
    ...base,
    id: "LOC-115",
    title: "What becomes of a change that comes late",
    strength: "may",
    reference: "transport_and_format, PATCH",
    sends: "PATCH of a location's name with a last_updated before the one that is kept, then GET",
    passes: "records whether the change was applied, ignored or refused",
    needs: () => ["locations.name#patch older", "locations.name#read older"],
    judge: lateChange
  },
  {
    ...base,
    id: "LOC-116",
    title: "Keeps texts of full length and exact coordinates",
    strength: "should",
    sends:
      "PUT of a location with texts of the greatest length and coordinates of the most decimals, then GET",
    passes: "stored as they were sent",
    hint: "Make the columns as wide as the specification, and keep coordinates as text.",
    needs: () => ["locations.long#put", "locations.long#read back"],
    judge: after(["locations.long#put"], (evidence) =>
      judgeReadBack(evidence, "locations.long#read back", wrote.long(evidence))
    )
  }
]

function stored(seen: Answered): Finding {
  return {
    message: `${named(seen)} finds what should have been refused`,
    expected: "HTTP 404: nothing was stored",
    actual: statusLine(seen),
    exchangeId: seen.exchange.id
  }
}

function partsAdded(evidence: Evidence): Judgement {
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

function timesNeeded(script: string): ReadonlyArray<string> {
  return ["patch", "read patched", "put part", "read put"].map((id) => `locations.${script}#${id}`)
}

/** After each change the parents are as new as the part at least. */
function movedOn(
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
    if (changed.is !== "kept") return changed
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

function stillThere(evidence: Evidence): Judgement {
  const seen = stepOf(evidence, "locations.status#read removed")
  if (seen === undefined) return undecided("not_tested", "nothing was read back")
  if (seen.response.httpStatus === 404) return kept("not found any more")
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

function lateChange(evidence: Evidence): Judgement {
  const patched = stepOf(evidence, "locations.name#patch older")
  const read = readAt(evidence, "locations.name#read older")
  if (patched === undefined || "is" in read) return undecided("not_tested", "nothing can be read back")
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
