/** Checks of the calls of the partner after the registration was renewed or ended. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { authorizationOf, named, statusLine } from "../../../findings/answers.ts"
import { success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { isObject, keyText } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import {
  blocked,
  type Check,
  either,
  inconclusive,
  noneOf,
  notGathered,
  type Precondition,
  pass
} from "../../model/Check.ts"
import { isWithheld, noModule, type Observation } from "../../model/Evidence.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { listenedSeconds } from "../shared/listenedSeconds.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { otherVersion } from "./renewingProbes.ts"

const base = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  mode: "RISK",
  strength: "must",
  reference: "credentials, PUT Method"
} as const

const pathOf = ({ exchange }: Observation) => new URL(exchange.request.url).pathname

/** What a check of the calls after it requires of the PUT itself. */
const accepted = (step: string): ReadonlyArray<Precondition> => [
  { answers: step, what: "PUT credentials with a new token" }
]

const wrongly = (seen: Observation, message: string, expected: string, actual: string): Finding =>
  finding(seen, `${seen.exchange.request.method} ${seen.exchange.module} ${message}`, { expected, actual })

/** Judge the calls of the partner after the registration was renewed or ended (credentials, PUT and DELETE Methods). */
export const renewingChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CRED-031",
    mode: "OBS",
    phase: "risk",
    title: "PUT credentials: later calls carry the token of our request",
    sends:
      "PUT credentials with a new token; the check then looks at the first call of the partner after the grace period",
    passes: "the call carries the new token",
    hint: "Replace the token of the other side as soon as you have answered its PUT credentials.",
    requires: () => accepted("credentials.renewed#put"),
    needs: () => ["credentials.renewed#put", "credentials.renewed#call"],
    judge: (evidence) => {
      const body = parseJson(stepOf(evidence, "credentials.renewed#put")?.exchange.request.body ?? "")
      const token = isObject(body) ? keyText(body["token"]) : ""
      return noneOf(
        evidence
          .seen("credentials.renewed#call")
          .filter((seen) => !authorizationOf(seen).includes(token))
          .map((seen) =>
            wrongly(seen, "came with another token after the grace", token, authorizationOf(seen))
          )
      )
    }
  },
  {
    ...base,
    id: "CRED-032",
    title: "PUT credentials: later calls go to the endpoints of our new details",
    sends:
      "PUT credentials while our details name other URLs; the check then looks at a call of the partner; then PUT again",
    passes: "the call comes to the new URL",
    hint: "Fetch our details when PUT credentials comes, and replace all endpoints that you had kept.",
    requires: () => accepted("credentials.moved#put"),
    needs: () => ["credentials.moved#put", "credentials.moved#call", "inbound.moved"],
    judge: onAllCalls("inbound.moved", [noModule], (evidence) => {
      const [call] = evidence.seen("credentials.moved#call")
      if (call === undefined) return inconclusive("unobservable", "the partner has not called us")
      if (pathOf(call).includes("/moved/")) return pass(pathOf(call))
      const put = stepOf(evidence, "credentials.moved#put")
      // Details that the partner fetched after the step named the old URLs again, so a call there is right.
      const late = evidence
        .seen("inbound.moved")
        .find(
          ({ exchange }) =>
            exchange.operation === "details" &&
            exchange.ourFault === undefined &&
            Date.parse(exchange.startedAt) > Date.parse(put?.exchange.startedAt ?? "") &&
            Date.parse(exchange.startedAt) < Date.parse(call.exchange.startedAt)
        )
      return late === undefined
        ? noneOf([
            wrongly(call, "came to the URL from before our PUT", "the URL of our new details", pathOf(call))
          ])
        : blocked({
            check: "CRED-028",
            exchangeId: late.exchange.id,
            what: "the partner fetched our details after its answer to our PUT credentials"
          })
    })
  },
  {
    ...base,
    id: "CRED-033",
    title: "PUT credentials: the registration moves to another version and back",
    reference: "credentials, PUT Method; version_information_endpoint",
    sends:
      "PUT credentials at the endpoint of another version that both sides have, GET of a list there, PUT back",
    passes:
      "success; the list there is served to the new token; the partner calls our endpoints of that version",
    hint: "Change the registration to the version of the endpoint that PUT credentials comes to, for both sides.",
    partial: true,
    needs: () => ["there", "list", "back"].map((step) => `credentials.version#${step}`),
    judge: (evidence) => {
      const version = otherVersion(evidence)?.version
      const there = stepOf(evidence, "credentials.version#there")
      if (there === undefined || version === undefined)
        return inconclusive("not_tested", "PUT credentials of another version was not sent")
      if (there.exchange.module !== "credentials")
        return blocked({
          exchangeId: there.exchange.id,
          what: `versions and details of ${version} do not lead to its credentials: ${named(there)} was answered ${statusLine(there)}`
        })
      const back = stepOf(evidence, "credentials.version#back")
      const calls = evidence.seen("credentials.version#call")
      return noneOf(
        [
          ...success(there),
          ...evidence.answeredInAnyVersion("credentials.version#list").flatMap(success),
          ...calls
            .filter((seen) => !pathOf(seen).split("/").includes(version))
            .map((seen) => wrongly(seen, `came to another version than ${version}`, version, pathOf(seen))),
          ...(back === undefined || back.exchange.module !== "credentials" ? [] : success(back))
        ],
        `${version}${calls.length === 0 ? "; it has not called us meanwhile" : ""}`
      )
    }
  },
  {
    ...base,
    id: "CRED-037",
    mode: "OBS",
    phase: "risk",
    title: "DELETE credentials: no call of the partner afterwards",
    reference: "credentials, DELETE Method",
    sends:
      "no request: the check looks at what comes after DELETE credentials, for a minute or for listenSeconds",
    passes: "no call",
    hint: "Stop every job that calls us when DELETE credentials comes.",
    partial: true,
    requires: () => [{ answers: "credentials.end#delete", what: "DELETE credentials", check: "CRED-035" }],
    needs: () => ["credentials.end#delete", "credentials.silence#call"],
    judge: (evidence) => {
      if (stepOf(evidence, "credentials.end#delete") === undefined)
        return inconclusive("not_tested", "DELETE credentials was not sent")
      const waited = evidence.gathered("credentials.silence#call")
      if (waited !== undefined && isWithheld(waited) && waited.withheld !== "unobservable")
        return notGathered(waited)
      return noneOf(
        evidence
          .seen("credentials.silence#call")
          .map((seen) =>
            wrongly(seen, "came after the end of the registration", "no call", authorizationOf(seen))
          ),
        `no call in ${Math.min(listenedSeconds(evidence), 300)} s`
      )
    }
  }
]
