/** The order of a suite run, from what the page's URL says and the accepted deviations that were written down. */
import type { Data, Input } from "../../client/plugfest.ts"

type SuiteOrder = Input<"testing.startRun">["body"]
type Need = NonNullable<SuiteOrder["needs"]>[number]
export type Deviation = NonNullable<SuiteOrder["accept"]>[number]
type Check = Data<"testing.suite">["checks"][number]

/** What a verdict can be about beside what every partner can be judged by, in words. */
export const needWords: ReadonlyArray<readonly [Need, string]> = [
  ["partner_acts", "what a driver or an operator does at the partner"],
  ["partner_data", "objects that not every partner has"],
  ["second_registration", "a second connection of ours at the partner"],
  ["risk", "checks that may end the registration, or make us misbehave"]
]

/** What one check needs: `objects that not every partner has`. */
export const needInWords = (need: Need): string =>
  need === "risk"
    ? "your leave to risk the registration"
    : (needWords.find(([each]) => each === need)?.[1] ?? need)

/** What counts when an order says nothing of it. */
const usualNeeds: ReadonlyArray<Need> = ["partner_acts", "partner_data", "second_registration"]

/** The needs in the URL: joined by `.`, `none`, or undefined for the usual ones. */
export function needsIn(text: string | undefined): ReadonlyArray<Need> {
  if (text === undefined) return usualNeeds
  const named = text.split(".")
  return needWords.flatMap(([need]) => (named.includes(need) ? [need] : []))
}

/** The text for the URL after one need was put in or taken out. */
export function toggleNeed(text: string | undefined, need: Need): string | undefined {
  const before = needsIn(text)
  const after = needWords.flatMap(([each]) =>
    (each === need ? !before.includes(each) : before.includes(each)) ? [each] : []
  )
  if (after.join(".") === usualNeeds.join(".")) return undefined
  return after.length === 0 ? "none" : after.join(".")
}

/** The patterns of a text field, e.g. `LOC-0*, PAGE-009`. */
const patternsIn = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(/[\s,]+/).filter((pattern) => pattern !== "")

/** Whether one of the patterns, in which `*` stands for anything, names the check; no patterns: all are named. */
const isNamed = (id: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.length === 0 ||
  patterns.some((pattern) =>
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i").test(id)
  )

/** The clauses of a text field, which are parted by `;`, e.g. `mod_sessions, Session Object; mod_tariffs`. */
const clausesIn = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(";")
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")

/** The checks that the URL leaves; `failed`: the ids that failed in the run that it names, where they are known. */
export const askedOf = (
  checks: ReadonlyArray<Check>,
  view: Readonly<Record<string, string>>,
  failed?: ReadonlySet<string>
): ReadonlyArray<Check> => {
  const modules = view["module"]?.split(".")
  const patterns = patternsIn(view["checks"])
  const clauses = clausesIn(view["clauses"])
  return checks.filter(
    ({ clauses: its, id, module }) =>
      (modules === undefined || modules.includes(module)) &&
      isNamed(id, patterns) &&
      (clauses.length === 0 || its.some((clause) => isNamed(clause, clauses))) &&
      (failed === undefined || failed.has(id))
  )
}

/** The body of the order. Nothing that was left as it is stands in it. */
export function orderOf(
  connectionId: string,
  suiteId: string,
  view: Readonly<Record<string, string>>,
  accept: ReadonlyArray<Deviation>
): SuiteOrder {
  const checks = patternsIn(view["checks"])
  const clauses = clausesIn(view["clauses"])
  const listen = Number(view["listen"])
  return {
    connectionId,
    suiteId,
    profile: view["profile"] === "strict" ? "strict" : "lenient",
    ...(view["module"] === undefined ? {} : { modules: view["module"].split(".") }),
    ...(checks.length === 0 ? {} : { checks }),
    ...(clauses.length === 0 ? {} : { clauses }),
    ...(view["listen"] === undefined || Number.isNaN(listen) ? {} : { listenSeconds: listen }),
    ...(view["needs"] === undefined ? {} : { needs: needsIn(view["needs"]) }),
    ...(view["failed"] === undefined ? {} : { only: `failed-of:${view["failed"]}` }),
    ...(accept.length === 0 ? {} : { accept })
  }
}

/** How many of the checks need each kind of thing, in the order of `needWords`. */
export const countNeeds = (checks: ReadonlyArray<Check>): ReadonlyMap<Need, number> =>
  new Map(needWords.map(([need]) => [need, checks.filter((check) => check.need === need).length]))
