/** A registration that the partner begins, with the Token A of our invitation: judged on what it sent to us. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { authorizationOf, dataOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, given } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import {
  blocked,
  type Check,
  either,
  inconclusive,
  type Judgement,
  noneOf,
  notGathered,
  pass
} from "../../model/Check.ts"
import { asAnswered, type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import { invitedStep } from "./invitedProbes.ts"
import { credentialsFlaws } from "./theirCredentials.ts"
import {
  endOf,
  highestMutual,
  isAsked,
  isPost,
  postsOfLast,
  startOf,
  theirs,
  versionOf,
  versionsIn
} from "./theirRequests.ts"

const base = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  mode: "OBS",
  first: "too",
  strength: "must",
  reference: "credentials, Registration",
  sends: "no request: the check looks at the registration that the partner began",
  needs: () => ["registration.theirs"]
} as const

const provoke =
  "the partner has not registered with us: POST /connections/{id}/invitation of a connection that is not registered, let the partner begin with that Token A, and run the registration suite meanwhile"

/** The last request of that kind; or that there is none. */
const lastly =
  (is: (seen: Observation) => boolean, judge: (asked: Observation, evidence: Evidence) => Judgement) =>
  (evidence: Evidence): Judgement => {
    const asked = theirs(evidence).findLast(is)
    return asked === undefined ? inconclusive("unobservable", provoke) : judge(asked, evidence)
  }

/** Judge a registration that the partner begins with the Token A of our invitation (credentials, POST Method). */
export const theirRegistrationChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CRED-041",
    title: "Registration by the partner: our versions and details are fetched first",
    passes: "our versions and details were fetched with Token A before POST credentials",
    hint: "Fetch versions and details with Token A first: they tell where our credentials endpoint is.",
    judge: lastly(isPost, (post, evidence) => {
      const before = theirs(evidence).filter(
        (seen) =>
          startOf(seen) <= startOf(post) &&
          seen.exchange.module === "versions" &&
          authorizationOf(seen).includes("«tokenA:")
      )
      // The version of the registration is judged by another check.
      const isThere = {
        versions: before.some(({ exchange }) => exchange.operation === "list"),
        details: before.some(({ exchange }) => exchange.operation === "details")
      }
      return noneOf(
        Object.entries(isThere)
          .filter(([, fetched]) => !fetched)
          .map(([what]) =>
            finding(post, `POST credentials came before our ${what} had been fetched with Token A`, {
              expected: `GET of our ${what} with Token A`,
              actual: "no such call"
            })
          )
      )
    })
  },
  {
    ...base,
    id: "CRED-042",
    title: "Registration by the partner: its Credentials object is valid",
    reference: "credentials, Credentials object",
    passes: "a valid Credentials object; token of 1 to 64 printable characters, not encoded",
    hint: "Put the token itself into the body: it is Base64 encoded in the Authorization header only.",
    judge: lastly(isAsked, (asked, evidence) => noneOf(credentialsFlaws(asked, evidence)))
  },
  {
    ...base,
    id: "CRED-043",
    mode: "RO",
    phase: "watch",
    title: "Registration by the partner: Token B opens its versions and details at once",
    sends:
      "GET versions and details of the partner with the token of its credentials, before they are answered",
    passes: "HTTP 200, and the version of our endpoint is listed",
    hint: "Make the token that you send work before you send it: you are called back with it at once.",
    needs: () => ["registration.looked-back"],
    judge: (evidence) => {
      const [asked, ...calls] = evidence.seen("registration.looked-back")
      if (asked === undefined) return inconclusive("unobservable", provoke)
      const answers = calls.flatMap(asAnswered)
      if (answers.length === 0)
        return blocked({
          check: credentialsFlaws(asked, evidence).length > 0 ? "CRED-042" : "CRED-044",
          exchangeId: asked.exchange.id,
          what: "our side refused the credentials of the partner before it called the partner back"
        })
      const version = versionOf(asked) ?? evidence.profile.version
      const good = answers.filter(succeeded)
      return noneOf([
        // The form of the token is a finding of another check.
        ...["list", "details"].flatMap((operation): ReadonlyArray<Finding> => {
          const tried = answers.filter(({ exchange }) => exchange.operation === operation)
          return given(tried.some(succeeded) ? undefined : tried.at(-1), (last) =>
            finding(
              last,
              `${named(last)} with its new token was answered ${statusLine(last)} while its registration was open`,
              { expected: "HTTP 200", actual: statusLine(last) }
            )
          )
        }),
        ...good
          .filter(
            ({ exchange, json }) => exchange.operation === "list" && !versionsIn(json).includes(version)
          )
          .map((seen) =>
            at(seen, "/data", `version ${version} is not listed`, {
              expected: version,
              actual: versionsIn(dataOf(seen) === undefined ? undefined : seen.json)
            })
          )
      ])
    }
  },
  {
    ...base,
    id: "CRED-044",
    title: "Registration by the partner: the version is the highest that both sides have",
    strength: "should",
    reference: "version_information_endpoint; credentials, Registration",
    passes: "POST credentials goes to the endpoint of the highest version that both sides have",
    hint: "Compare versions number by number, and register in the highest that both sides have.",
    needs: () => ["registration.theirs", "registration.looked-back"],
    partial: true,
    judge: (evidence) => {
      const posts = postsOfLast(evidence)
      if (posts.length === 0) return inconclusive("unobservable", provoke)
      const compared = posts.flatMap((post) => {
        const { highest, mutual } = highestMutual(post, evidence)
        return highest === undefined ? [] : [{ post, highest, mutual, version: versionOf(post) }]
      })
      if (compared.length === 0)
        return inconclusive(
          "unobservable",
          "the partner did not fetch our versions with Token A before its POST credentials"
        )
      // A lower version after our refusal of the highest one is no choice of the partner.
      const isFallback = (index: number) =>
        compared.slice(0, index).some(({ highest, version }) => version === highest)
      return noneOf(
        compared
          .filter(({ highest, version }, index) => version !== highest && !isFallback(index))
          .map(({ highest, post, version }) =>
            finding(
              post,
              `the partner registers in version ${version}, and ${highest} is the highest that both sides have`,
              {
                expected: `POST to credentials of version ${highest}`,
                actual: `POST ${post.exchange.request.url}`
              }
            )
          ),
        compared.map(({ mutual, version }) => `${version}, of ${mutual.join(", ")}`).join("; ")
      )
    }
  },
  {
    ...base,
    id: "CRED-045",
    consequenceOf: ["CMD-008"],
    title: "Registration by the partner: later calls carry the token that we handed over",
    passes: "the calls after our answer carry the token in it, not the one before",
    hint: "Replace the token as soon as the answer to POST or PUT credentials is there.",
    judge: lastly(isAsked, (asked, evidence) => {
      const answer = parseJson(asked.exchange.response?.body ?? "")
      const data = isObject(answer) ? answer["data"] : undefined
      const token = isObject(data) ? data["token"] : undefined
      if (typeof token !== "string")
        return inconclusive(
          "unobservable",
          `we refused its credentials, and handed over nothing. Otherwise: ${provoke}`
        )
      const all = theirs(evidence)
      const calls = all.slice(all.indexOf(asked) + 1).filter((seen) => startOf(seen) >= endOf(asked))
      // A third token that we accept is one of a later renewal, by us or in another run: from there on it is the right one.
      const renewed = calls.findIndex(
        (seen) =>
          ![token, authorizationOf(asked)].some((one) => authorizationOf(seen).includes(one)) &&
          seen.exchange.response?.httpStatus !== 401
      )
      const next = renewed < 0 ? calls : calls.slice(0, renewed)
      if (next.length === 0)
        return inconclusive(
          "unobservable",
          "the partner has not called us since it registered: make it push or ask for something, then run again"
        )
      return noneOf(
        next
          // With which token results come, CMD-008 says.
          .filter(({ exchange }) => exchange.module !== "commands" && exchange.module !== "chargingprofiles")
          .filter((seen) => !authorizationOf(seen).includes(token))
          .map((seen) =>
            finding(
              seen,
              `${seen.exchange.request.method} ${seen.exchange.module} came with another token after the registration`,
              { expected: token, actual: authorizationOf(seen) }
            )
          ),
        `${next.length} calls looked at`
      )
    })
  },
  {
    ...base,
    id: "CRED-046",
    first: true,
    phase: "write",
    title: "Registration by the partner: no POST credentials to a party without the endpoints that it needs",
    strength: "should",
    reference: "credentials, Required endpoints not available",
    sends: "no request: our details list credentials alone while the partner begins a registration",
    passes: "no POST credentials",
    hint: "Compare our endpoints with those that you need before you POST, and tell your operator what is missing.",
    partial: true,
    needs: () => ["looks", "credentials only"].map(invitedStep),
    judge: (evidence) => {
      const [looked, waited] = ["looks", "credentials only"].map((step) =>
        evidence.gathered(invitedStep(step))
      )
      const missing = [looked, waited].find(
        (one) => one !== undefined && isWithheld(one) && one.withheld !== "unobservable"
      )
      if (missing !== undefined && isWithheld(missing)) return notGathered(missing)
      if (looked === undefined || isWithheld(looked))
        return inconclusive("unobservable", looked?.reason ?? provoke)
      const [post] = waited === undefined || isWithheld(waited) ? [] : waited.seen
      return post === undefined
        ? pass("the partner looked at our details, and did not register")
        : noneOf([
            finding(post, "the partner registered although our details listed credentials and nothing else", {
              expected: "no POST credentials",
              actual: "POST credentials"
            })
          ])
    }
  }
]
