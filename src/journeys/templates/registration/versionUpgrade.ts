/** The journey that changes to another OCPI version with a partner, and back: a rehearsal of an upgrade. */

import { Schema } from "effect"
import { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { ModuleId, ObjectName, VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { objectsIn } from "../../../findings/json.ts"
import { inWords, withArticle } from "../../../findings/words.ts"
import type { Unmet } from "../../model/Act.ts"
import type { CleanUp, JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, type RunHistory } from "../../model/RunHistory.ts"
import { answeredWith, misfit } from "../../model/rulings.ts"
import { changeOf, isTaken, renew } from "../../stages/registration/registration.ts"

const UpgradeInputs = Schema.Struct({
  version: Schema.optionalWith(OcpiVersion, { exact: true }).annotations({
    description:
      "Version to change to; default: the newest that both sides support, other than the present one"
  })
})

/** The versions that both sides support, without the present one, newest first. */
const others = (history: RunHistory): ReadonlyArray<OcpiVersion> => {
  const listed = objectsIn(dataOf(answerOf(history, "versions"))).map(({ version }) => version)
  return versionNumbers
    .filter((version) => listed.includes(version) && version !== history.profile.version)
    .toSorted((a, b) => profileOf(b).rank - profileOf(a).rank)
}

/** The version to change to, or why there is none. */
function chosen(history: RunHistory): OcpiVersion | Unmet {
  const wanted = history.inputs["version"]
  const version = others(history).find((one) => wanted === undefined || one === wanted)
  return (
    version ?? {
      unmet:
        wanted === undefined
          ? "The partner offers no other version that we have"
          : `The partner does not offer version ${inWords(wanted)} beside the present one`
    }
  )
}

const readVersions: JourneyStage = {
  id: "versions",
  name: "Read the partner's versions",
  actor: "us",
  module: "credentials",
  description: "GET versions: do both sides support another version?",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET versions",
    call: () => ({ module: "versions", interfaceRole: "SENDER", operation: "list", method: "GET" })
  },
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: [
    {
      id: "versions.answered",
      title: "The partner answers GET versions",
      strength: "must",
      reference: "version_information_endpoint, Version information endpoint",
      judge: answeredWith("versions", [200])
    }
  ],
  stopsIf: (history) => {
    const version = chosen(history)
    return typeof version === "string" ? undefined : version.unmet
  }
}

/** A list that every partner of that role serves. */
const listOf: Readonly<Record<Role, { readonly module: ModuleId; readonly object: ObjectName }>> = {
  CPO: { module: "locations", object: "Location" },
  EMSP: { module: "tokens", object: "Token" }
}

const readList = (
  theirRole: Role,
  stage: Pick<JourneyStage, "id" | "name">,
  profile: (history: RunHistory) => VersionProfile | undefined
): JourneyStage => {
  const { module, object } = listOf[theirRole]
  const { id } = stage
  return {
    ...stage,
    actor: "us",
    module,
    description: `Read the first page of the partner's ${module} at the endpoint of that version.`,
    timeoutSeconds: 30,
    act: {
      act: "exchange",
      sends: `GET ${module}`,
      call: () => ({
        module,
        interfaceRole: "SENDER",
        operation: "list",
        method: "GET",
        query: { limit: "10" }
      })
    },
    writes: false,
    idempotent: true,
    optionalForLater: true,
    expect: [
      {
        id: `${id}.answered`,
        title: "The partner accepts the new token at the endpoints of that version",
        strength: "must",
        reference: "credentials, PUT Method",
        checkId: "CRED-033",
        judge: answeredWith(id, [200])
      },
      {
        id: `${id}.valid`,
        title: "The listed objects are valid in that version",
        // Only noted: in a rehearsal the data may still be those of the earlier version.
        strength: "may",
        reference: `mod_${module}, ${object} Object`,
        judge: (history) => {
          const objects = objectsIn(dataOf(answerOf(history, id)))
          const its = profile(history)
          if (its === undefined || objects.length === 0)
            return { notTested: "The list is empty, or was not read" }
          for (const [index, one] of objects.entries()) {
            const flaw = misfit(its, object, one)
            if (flaw !== undefined) return { ...flaw, pointer: `/data/${index}${flaw.pointer ?? ""}` }
          }
          return undefined
        }
      }
    ]
  }
}

const goOver = (theirRole: Role): JourneyStage =>
  renew(
    {
      id: "go-over",
      name: "Change to the other version",
      description:
        "PUT our credentials to the endpoint of another version, and try the token of the partner's answer."
    },
    theirRole,
    "CRED-033",
    chosen
  )
const goBack = (theirRole: Role): JourneyStage =>
  renew(
    {
      id: "go-back",
      name: "Change back to the earlier version",
      description: "PUT our credentials to the endpoint of the version that the connection had."
    },
    theirRole,
    "CRED-033",
    ({ profile }) => profile.version
  )

/** Has the connection changed to the other version, for certain or possibly, and not back yet? */
const isAway = (history: RunHistory): boolean =>
  changeOf(history, "go-over") !== undefined &&
  isTaken(history, "go-over") &&
  !(changeOf(history, "go-back") !== undefined && isTaken(history, "go-back"))

const comeBack = (history: RunHistory): CleanUp => ({
  sends: "PUT credentials",
  goBackTo: history.profile.version
})

/** The template for a partner of that role. */
export const goesOverAndBack = (theirRole: Role): JourneyTemplate => ({
  id: `upgrade-with-${theirRole.toLowerCase()}`,
  name: `Rehearse an upgrade with ${withArticle(theirRole)}`,
  description:
    "Changes to another version that both sides support, reads a list there, and changes back: the steps of a later upgrade.",
  outcome: "Both versions work with this partner, and the connection has its earlier version again.",
  ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
  supportedVersions: versionNumbers,
  needs: [[listOf[theirRole].module, "SENDER"]],
  requiredPlan: "integrate",
  expectedDurationSeconds: 20,
  inputs: UpgradeInputs,
  stages: [
    readVersions,
    goOver(theirRole),
    readList(theirRole, { id: "read-over", name: "Read a list in the other version" }, (history) => {
      const version = chosen(history)
      return typeof version === "string" ? profileOf(version) : undefined
    }),
    goBack(theirRole),
    readList(
      theirRole,
      { id: "read-back", name: "Read the list in the earlier version" },
      ({ profile }) => profile
    )
  ],
  cleanUp: (history) => (isAway(history) ? comeBack(history) : undefined),
  remains: (history) =>
    isAway(history) ? ["the connection in the other version, unless it can be brought back"] : []
})
