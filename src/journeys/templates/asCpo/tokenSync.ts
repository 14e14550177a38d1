import { Schema } from "effect"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, sameId } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Unmet } from "../../model/Act.ts"
import type { JourneyStage, JourneyTemplate, Rule } from "../../model/JourneyTemplate.ts"
import { listedObjects, listGoesOn, type RunHistory } from "../../model/RunHistory.ts"
import { answeredWith } from "../../model/rulings.ts"
import { listedTokens, readTokens, whyNoTokens } from "../../stages/asCpo/partnerTokens.ts"
import { waitFields } from "../../stages/charge/inputs.ts"

const paging = "transport_and_format, Pagination"

/** The page size: small, so that even a short list has two pages. */
const few = 3

const changedAt = (token: JsonObject): number =>
  dateTimeMillis(token["last_updated"]) ?? Number.NEGATIVE_INFINITY

/** A token is identified by its uid and its type together. */
const isSame = (a: JsonObject, b: JsonObject): boolean =>
  sameId(a["uid"], b["uid"]) && a["type"] === b["type"]

/** The token that changed last, of those that the first read returned. */
const newest = (history: RunHistory): JsonObject | undefined =>
  listedTokens(history).toSorted((a, b) => changedAt(b) - changedAt(a))[0]

/** Is the token on the pages that the stage has read? */
const isListed = (history: RunHistory, stageId: string, token: JsonObject | undefined): boolean =>
  token !== undefined && listedObjects(history, stageId).some((one) => isSame(one, token))

const answered = (id: string): Rule => ({
  id: `${id}.answered`,
  title: "The partner answers GET tokens",
  strength: "must",
  reference: "mod_tokens, Sender Interface, GET Method",
  judge: answeredWith(id, [200])
})

const read = (
  stage: Pick<JourneyStage, "id" | "name" | "description">,
  query: (history: RunHistory) => Readonly<Record<string, string>> | Unmet,
  rule: Rule,
  readsOn?: (history: RunHistory) => boolean
): JourneyStage => ({
  ...stage,
  actor: "us",
  module: "tokens",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET tokens",
    call: (history) => {
      const asked = query(history)
      return isUnmet(asked)
        ? asked
        : {
            module: "tokens",
            interfaceRole: "SENDER",
            operation: "list",
            method: "GET",
            query: asked,
            fixedLimit: true
          }
    },
    ...(readsOn === undefined ? {} : { readsOn })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [answered(stage.id), rule]
})

const isUnmet = (asked: Readonly<Record<string, string>> | Unmet): asked is Unmet => "unmet" in asked

const noTokens = (history: RunHistory): Unmet => ({ unmet: whyNoTokens(history), goesOn: true })
const tooFew = (history: RunHistory): Unmet =>
  listedTokens(history).length === 0
    ? noTokens(history)
    : { unmet: `The list has no more than ${few} tokens on the pages that were read`, goesOn: true }

/** A rule: the stage's page has the tokens `from` to `from + few` of the list that the first read returned. */
const isThatPart = (stageId: string, from: number): Rule => ({
  id: `${stageId}.part`,
  title: "The page contains exactly the objects for its offset and limit",
  strength: "must",
  reference: paging,
  judge: (history) => {
    const page = listedObjects(history, stageId)
    // A page may be shorter than its limit where the list goes on.
    const size = page.length > 0 && listGoesOn(history, stageId) ? Math.min(page.length, few) : few
    const expected = listedTokens(history).slice(from, from + size)
    const missing = expected.find((token) => !page.some((one) => isSame(one, token)))
    if (missing === undefined && page.length <= few) return undefined
    return {
      message:
        missing === undefined
          ? "The page has more objects than the limit of the request"
          : "The page lacks an object of the whole list",
      pointer: "/data",
      expected: missing === undefined ? `at most ${few}` : `token ${inWords(missing["uid"])}`,
      actual: `${page.length} tokens: ${page.map(({ uid }) => inWords(uid)).join(", ")}`
    }
  }
})

/** Reads the partner's tokens page by page, and then what has changed. We are the CPO. */
export const tokenSync: JourneyTemplate = {
  id: "token-sync",
  packs: ["go-live"],
  name: "Keep tokens in step",
  description:
    "Reads the partner's tokens at once and in small pages, and then those that have changed since an instant, as after an absence.",
  outcome: "No token is missing, neither between pages nor after an absence.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  needs: [["tokens", "SENDER"]],
  requiredPlan: "integrate",
  expectedDurationSeconds: 10,
  inputs: Schema.Struct(waitFields),
  stages: [
    // Pages may be small: as many are read as have the tokens of the second page.
    readTokens(false, { readsOn: (history) => listedTokens(history).length <= few }),
    read(
      { id: "first-page", name: "Read a first page", description: `Read the first ${few} tokens.` },
      (history) =>
        listedTokens(history).length === 0 ? noTokens(history) : { offset: "0", limit: `${few}` },
      isThatPart("first-page", 0)
    ),
    read(
      { id: "second-page", name: "Read a second page", description: `Read the next ${few} tokens.` },
      (history) =>
        listedTokens(history).length <= few ? tooFew(history) : { offset: `${few}`, limit: `${few}` },
      isThatPart("second-page", few)
    ),
    read(
      {
        id: "delta",
        name: "Read what has changed",
        description: "Read the tokens that have changed since a second before the latest change."
      },
      (history) => {
        const latest = newest(history)
        return latest === undefined ? noTokens(history) : { date_from: dateTimeOf(changedAt(latest) - 1000) }
      },
      {
        id: "delta.complete",
        title: "GET tokens with date_from returns every token that has changed since",
        strength: "must",
        reference: "mod_tokens, Sender Interface, GET Method, Request Parameters",
        checkId: "JRN-013",
        judge: (history) => {
          const latest = newest(history)
          if (latest === undefined) return { notTested: whyNoTokens(history) }
          if (isListed(history, "delta", latest)) return undefined
          return listGoesOn(history, "delta")
            ? { unobservable: "The token that changed last is not on the pages of the list that were read" }
            : {
                message:
                  "The list does not contain the token that changed last, although it has changed since date_from",
                pointer: "/data",
                expected: `token ${inWords(latest["uid"])}`,
                actual: `${listedObjects(history, "delta").length} other tokens`
              }
        }
      },
      (history) => !isListed(history, "delta", newest(history))
    ),
    read(
      {
        id: "window",
        name: "Read before the latest change",
        description: "Read the tokens that changed before the latest change; date_to is exclusive."
      },
      (history) => {
        const latest = newest(history)
        return latest === undefined
          ? noTokens(history)
          : { date_from: "2015-01-01T00:00:00Z", date_to: dateTimeOf(changedAt(latest) - 1000) }
      },
      {
        id: "window.older",
        title: "GET tokens with date_to returns no token that has changed later",
        strength: "must",
        reference: "mod_tokens, Sender Interface, GET Method, Request Parameters",
        judge: (history) => {
          const latest = newest(history)
          const to = latest === undefined ? Number.POSITIVE_INFINITY : changedAt(latest) - 1000
          const late = listedObjects(history, "window").find((token) => changedAt(token) >= to)
          return late !== undefined
            ? {
                message: "The list contains a token that has changed after date_to",
                pointer: "/data",
                expected: `changed before ${dateTimeOf(to)}`,
                actual: `token ${inWords(late["uid"])}, changed ${inWords(late["last_updated"])}`
              }
            : undefined
        }
      }
    )
  ]
}
