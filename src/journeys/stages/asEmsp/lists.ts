/** Stages that read the partner's lists: do they contain what was, or should have been, pushed? */
import { type JsonObject, sameId } from "../../../findings/json.ts"
import type { JourneyStage, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, listedObjects, listGoesOn, type RunHistory } from "../../model/RunHistory.ts"
import { answeredWithList, sameAmount } from "../../model/rulings.ts"
import { listSince } from "../charge/catchUps.ts"
import { amountOf, commandResultsOf, isOurCdr, isOurSession } from "../charge/chargeFacts.ts"
import { differs } from "../charge/driver.ts"

/** The modules whose lists are compared with pushes. */
export type Listed = "sessions" | "cdrs"

/** Our driver's object on the pages that the stage has read; undefined: it is not there. */
export const listedIn = (history: RunHistory, stageId: string, module: Listed): JsonObject | undefined =>
  listedObjects(history, stageId).find((item) =>
    module === "sessions" ? isOurSession(history, item) : isOurCdr(history, item) && item["credit"] !== true
  )

/** Judges the object in the list; not tested while it is not there. */
export const ofListed =
  (stageId: string, module: Listed, judge: (item: JsonObject, history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling => {
    const item = listedIn(history, stageId, module)
    if (item !== undefined) return judge(item, history)
    return listGoesOn(history, stageId)
      ? { unobservable: onNoPage }
      : { notTested: "The list does not contain our driver's object" }
  }

/** Why the object is not missed where the list goes on. */
const onNoPage = "Our driver's object is not on the pages of the list that were read"

/** The rules of a stage that reads a list: it is answered, and contains our driver's object. */
export const listRules = (
  stageId: string,
  module: Listed,
  check: { readonly title: string; readonly checkId: string }
): ReadonlyArray<Rule> => [
  {
    id: `${stageId}.answered`,
    title: `GET ${module} with date_from returns a list`,
    strength: "must",
    reference: `mod_${module}, Sender Interface, GET Method`,
    judge: answeredWithList(stageId)
  },
  {
    id: `${stageId}.listed`,
    ...check,
    strength: "must",
    reference: `mod_${module}, Sender Interface, GET Method`,
    judge: (history) => {
      const data = dataOf(answerOf(history, stageId))
      if (!Array.isArray(data)) return { notTested: "The partner's answer has no list" }
      if (listedIn(history, stageId, module) !== undefined) return undefined
      const [start] = commandResultsOf(history, "start-session")
      if (start !== undefined && start.result !== "ACCEPTED")
        return {
          unobservable: `The charge did not begin: the result of the start is ${start.result ?? "missing"}`
        }
      return listGoesOn(history, stageId)
        ? { unobservable: onNoPage }
        : {
            message: "The list does not contain our driver's object",
            pointer: "/data",
            expected: "our driver's",
            actual: "none"
          }
    }
  }
]

const pluralOf: Readonly<Record<Listed, string>> = { sessions: "sessions", cdrs: "CDRs" }

/** A stage that GETs the list with date_from shortly before the run began. */
export const readList = (
  stageId: string,
  module: Listed,
  expect: ReadonlyArray<Rule>,
  name = `Read ${pluralOf[module]}`
): JourneyStage => ({
  id: stageId,
  name,
  actor: "us",
  module,
  description: `Read the partner's ${pluralOf[module]} with date_from shortly before the run began.`,
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: `GET ${module}`,
    call: (history) => listSince(module, history.createdAt),
    readsOn: (history) => listedIn(history, stageId, module) === undefined
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect
})

/** A ruling: the named fields are equal; amounts to four decimals. */
export const sameFields = (listed: JsonObject, pushed: JsonObject, names: ReadonlyArray<string>): Ruling => {
  const apart = names.find((name) => {
    const [a, b] = [amountOf(listed[name]), amountOf(pushed[name])]
    return a !== undefined && b !== undefined
      ? !sameAmount(a, b)
      : !sameId(listed[name], pushed[name]) && JSON.stringify(listed[name]) !== JSON.stringify(pushed[name])
  })
  return apart === undefined
    ? undefined
    : differs(`${apart} in the list`, `/${apart}`, listed[apart], JSON.stringify(pushed[apart]))
}
