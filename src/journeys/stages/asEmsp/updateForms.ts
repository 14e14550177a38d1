/** Rules for the two forms of a session update: in part by PATCH, and whole by PUT. */
import { type JsonObject, keyText, numberFrom, objectsIn } from "../../../findings/json.ts"
import { beginningOf } from "../../../findings/money/periods.ts"
import { cardWishes } from "../../../party/simulation/chargePoint/scriptedCards.ts"
import type { JourneyStage, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import type { SessionMessage } from "../../model/partnerPushes.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { misfit } from "../../model/rulings.ts"
import { catchUpOnSession, setOffByStart } from "../charge/catchUps.ts"
import { ourSession } from "../charge/chargeFacts.ts"
import { appDriver, type Driver } from "../charge/driver.ts"
import { expectsUpdate } from "../charge/expectedMessages.ts"
import { sessionNearMisses } from "./chargeStages.ts"

/** The method of an update. */
export type UpdateForm = "PATCH" | "PUT"

/** A driver whose session a sandbox partner updates by that method. */
export const driverUpdatedBy = (form: UpdateForm): Driver =>
  form === "PUT" ? { ...appDriver, visualNumber: cardWishes.whole } : appDriver

/** The messages of our session, each with the one before it. The first has none, and is no update. */
const updatesOf = (
  history: RunHistory,
  form: UpdateForm
): ReadonlyArray<readonly [before: SessionMessage, update: SessionMessage]> => {
  const messages = ourSession(history)?.messages ?? []
  return messages.flatMap((update, index) => {
    const before = messages[index - 1]
    return before === undefined || update.method !== form ? [] : [[before, update] as const]
  })
}

/** Is it an update of a running session with more energy? */
const isProgress = ([before, { after }]: readonly [SessionMessage, SessionMessage]): boolean =>
  after["status"] === "ACTIVE" && numberFrom(after["kwh"]) > numberFrom(before.after["kwh"])

/** The first flaw of the updates by that method; not tested while there are none. */
const ofUpdates =
  (
    form: UpdateForm,
    judge: (before: SessionMessage, update: SessionMessage, history: RunHistory) => Ruling
  ) =>
  (history: RunHistory): Ruling => {
    const updates = updatesOf(history, form)
    if (updates.length === 0) return { notTested: `The partner sent no update by ${form}` }
    return updates
      .map(([before, update]) => judge(before, update, history))
      .find((ruling) => ruling !== undefined)
  }

const must = { strength: "must" } as const

/** Those of the charging periods that have a start, by the moment at which they begin. */
const byBeginning = (periods: unknown): ReadonlyMap<number | string, JsonObject> =>
  new Map(
    objectsIn(periods).flatMap((period) => {
      const beginning = beginningOf(period)
      return beginning === undefined ? [] : [[beginning, period] as const]
    })
  )

const startOf = (period: JsonObject): string => keyText(period["start_date_time"])

const formRules: Readonly<Record<UpdateForm, ReadonlyArray<Rule>>> = {
  PATCH: [
    {
      id: "update-forms.result",
      title: "The session after a PATCH is a valid Session object",
      ...must,
      reference: "mod_sessions, Receiver Interface, PATCH Method",
      judge: ofUpdates("PATCH", (_, { after }, { profile }) => misfit(profile, "Session", after))
    },
    {
      id: "update-forms.new-periods",
      title: "A PATCH contains only new charging periods",
      ...must,
      reference: "mod_sessions, Receiver Interface, PATCH Method",
      judge: ofUpdates("PATCH", (before, { body }, { profile }) => {
        if (profile.patchAppendsPeriods !== true)
          return { notApplicable: "In this version a PATCH replaces the charging periods" }
        const known = byBeginning(before.after["charging_periods"])
        const [twice] = [...byBeginning(body["charging_periods"])].flatMap(([beginning, period]) =>
          known.has(beginning) ? [startOf(period)] : []
        )
        return twice === undefined
          ? undefined
          : {
              message: "The PATCH repeats a charging period, which then counts twice",
              pointer: "/charging_periods",
              expected: "periods that were not sent before",
              actual: `one that starts at ${twice}`
            }
      })
    }
  ],
  PUT: [
    {
      id: "update-forms.whole",
      title: "A PUT contains the whole session",
      ...must,
      reference: "mod_sessions, Receiver Interface, PUT Method",
      judge: ofUpdates("PUT", (_, { body }, { profile }) => misfit(profile, "Session", body))
    },
    {
      id: "update-forms.keeps-periods",
      title: "A PUT contains all earlier charging periods too",
      ...must,
      reference: "mod_sessions, Receiver Interface, PUT Method",
      judge: ofUpdates("PUT", (before, { body }) => {
        const told = byBeginning(body["charging_periods"])
        const [lost] = [...byBeginning(before.after["charging_periods"])].flatMap(([beginning, period]) =>
          told.has(beginning) ? [] : [startOf(period)]
        )
        return lost === undefined
          ? undefined
          : {
              message: "The PUT, which replaces the session, lacks an earlier charging period",
              pointer: "/charging_periods",
              expected: `the one that starts at ${lost}`,
              actual: [...told.values()].map(startOf).join(", ") || "none"
            }
      })
    }
  ]
}

const otherThan = (form: UpdateForm): UpdateForm => (form === "PUT" ? "PATCH" : "PUT")

/** A stage that waits for an update by that method. */
export const updateBy = (form: UpdateForm): JourneyStage => {
  const id = `update-by-${form.toLowerCase()}`
  return {
    id,
    name: `Updated by ${form}`,
    actor: "partner",
    module: "sessions",
    description:
      form === "PUT"
        ? "The partner PUTs the whole session with more energy."
        : "The partner PATCHes the session with more energy.",
    timeoutSeconds: 300,
    act: {
      act: "await",
      isSentOnce: true,
      instruction: (history) =>
        `The partner must ${form} session ${ourSession(history)?.id ?? ""} while it is ACTIVE, with more kwh than before${
          form === "PUT" ? ", as a whole object with all its charging periods" : ""
        }.`,
      look: (history) => ({
        found: updatesOf(history, form).some(isProgress),
        nearMisses: [
          ...updatesOf(history, otherThan(form))
            .filter(isProgress)
            .map(([_, { method }]) => `The session was updated by ${method}, not by ${form}`),
          ...(ourSession(history) === undefined ? sessionNearMisses(history, "ACTIVE") : [])
        ]
      }),
      expects: expectsUpdate(() => (form === "PUT" ? { whole: true } : {}))
    },
    writes: false,
    idempotent: true,
    optionalForLater: true,
    setOffBy: setOffByStart,
    catchUp: catchUpOnSession,
    expect: [
      {
        id: `${id}.received`,
        title: `The partner updates the running session by ${form}`,
        strength: "should",
        reference: `mod_sessions, Receiver Interface, ${form} Method`,
        setOffBy: setOffByStart,
        judge: (history) => {
          if (updatesOf(history, form).some(isProgress)) return undefined
          const other = otherThan(form)
          // Which of the two methods it uses is left to the partner.
          if (updatesOf(history, other).some(isProgress))
            return { notTested: `The partner updates its sessions by ${other}, which is as good as ${form}` }
          return {
            message: `The partner sent no ${form} with more kwh in time`,
            expected: `${form} with more kwh`,
            actual: (ourSession(history)?.messages ?? []).map(({ method }) => method).join(", ") || "nothing"
          }
        }
      }
    ]
  }
}

/** Stage `update-forms`: judges all updates by that method. */
export const updateForms = (form: UpdateForm): JourneyStage => ({
  id: "update-forms",
  name: `All updates by ${form}`,
  actor: "us",
  module: "sessions",
  description: `Check every update of the session by ${form}, to its end.`,
  timeoutSeconds: 1,
  act: { act: "judge" },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: formRules[form]
})
