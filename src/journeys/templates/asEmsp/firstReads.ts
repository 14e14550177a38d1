import { Schema } from "effect"
import type { ModuleId } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf } from "../../model/RunHistory.ts"
import { answeredWith } from "../../model/rulings.ts"

const read = (module: ModuleId, name: string): JourneyStage => {
  const id = `read-${module}`
  return {
    id,
    name: `Read ${name}`,
    actor: "us",
    module,
    description: `Read the first page of the partner's ${name}.`,
    timeoutSeconds: 30,
    act: {
      act: "exchange",
      sends: `GET ${module}`,
      call: () => ({
        module,
        interfaceRole: "SENDER",
        operation: "list",
        method: "GET",
        // The list of sessions requires date_from; the others allow it.
        query: { date_from: "2015-01-01T00:00:00Z", limit: "10" }
      })
    },
    writes: false,
    idempotent: true,
    optionalForLater: true,
    expect: [
      {
        id: `${id}.answered`,
        title: `The partner answers GET ${name}`,
        strength: "must",
        reference: `mod_${module}, Sender Interface, GET Method`,
        judge: answeredWith(id, [200])
      },
      {
        id: `${id}.list`,
        title: "data of the answer is a list",
        strength: "must",
        reference: "transport_and_format, Pagination",
        judge: (history) => {
          const answer = answerOf(history, id)
          if (answer?.response?.httpStatus !== 200)
            return { notTested: "The partner did not answer HTTP 200" }
          if (answer.response.truncated) return { unobservable: "The page is larger than what we keep" }
          return Array.isArray(dataOf(answer))
            ? undefined
            : { message: "data of the answer is not an array", pointer: "/data", expected: "an array" }
        }
      }
    ]
  }
}

/** Reads each of a CPO's lists once: the smallest journey, and a quick answer to "does anything work?". */
export const firstReads: JourneyTemplate = {
  id: "first-reads",
  name: "First reads",
  packs: ["go-live"],
  description:
    "Reads the first page of locations, tariffs, sessions and CDRs. Changes nothing at the partner.",
  outcome: "The partner answers every list with a page of objects.",
  ourRole: "EMSP",
  supportedVersions: versionNumbers,
  needs: [["locations", "SENDER"]],
  requiredPlan: "integrate",
  expectedDurationSeconds: 10,
  inputs: Schema.Struct({}),
  stages: [
    read("locations", "locations"),
    read("tariffs", "tariffs"),
    read("sessions", "sessions"),
    read("cdrs", "CDRs")
  ]
}
