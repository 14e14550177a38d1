/** An EMSP that is told locations (mod_locations, Receiver Interface): stored as sent, changed as asked, refused when wrong. */
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { objectsIn, sameId } from "../../../findings/json.ts"
import { succeeded } from "../../model/answers.ts"
import { type Check, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { notInvalid, notRejected, taken } from "../shared/writing.ts"
import { lateChange, movedOn, partsAdded, stillThere, stored, timesNeeded } from "./changedLocations.ts"
import { wrongLocationSteps, wrote } from "./locationWritesProbes.ts"
import { laterLocations } from "./readLocations.ts"
import { optionalFields, uidOf } from "./testLocation.ts"

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
    steps.map((step) => taken(evidence, step)).find(({ is }) => is !== "pass") ?? judge(evidence)

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
