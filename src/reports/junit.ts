/**
 * The report as JUnit XML, with a suite per module or stage. JUnit has no warnings, so they are in `system-out`. Checks that
 * were not graded are skipped; faults of ours are errors. An inconclusive run gets an extra error, so that a build server
 * does not show it as passed.
 */
import type { Assertion } from "../../schema/Assertion.ts"
import { causeInWords, causesOf, effectInWords, saysInWords } from "./causes.ts"
import { factsOf } from "./facts.ts"
import {
  checksOf,
  countOf,
  durationOf,
  type RunDocument,
  timesOf,
  ungraded,
  verdictWords
} from "./RunDocument.ts"
import { littleJudged, modulesNotJudged, unjudgedIn, unjudgedInWords, unlistedInWords } from "./unjudged.ts"
import { type Attributes, element, escapeText } from "./xml.ts"

/** The report as XML text, UTF-8. */
export const junitOf = (document: RunDocument): string => {
  const { report } = document
  const times = timesOf(document)
  const suites = document.groups.map(({ checks, id, startedAt }, index) =>
    suite(
      document,
      { id: index, name: id, timestamp: stamp(startedAt ?? report.startedAt ?? report.createdAt) },
      checks.map((check) => ({ check, millis: times.get(check.id) ?? 0 }))
    )
  )
  const open = unjudged(document)
  const all = checksOf(document)
  const totals = {
    name: document.name,
    tests: all.length + (open === undefined ? 0 : 1),
    failures: countOf(all, "failed"),
    errors: countOf(all, "error") + (open === undefined ? 0 : 1),
    time: seconds(durationOf(report) ?? 0)
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", totals, [
    ...suites.map((one) => `\n  ${one}`),
    ...(open === undefined ? [] : [`\n  ${open}`]),
    "\n"
  ])}\n`
}

interface Timed {
  readonly check: Assertion
  readonly millis: number
}

function suite(document: RunDocument, head: Attributes, cases: ReadonlyArray<Timed>): string {
  const checks = cases.map(({ check }) => check)
  return element(
    "testsuite",
    {
      ...head,
      package: document.name,
      hostname: "plugfest",
      tests: cases.length,
      failures: countOf(checks, "failed"),
      errors: countOf(checks, "error"),
      skipped: countOf(checks, ...ungraded),
      time: seconds(cases.reduce((sum, { millis }) => sum + millis, 0))
    },
    [
      properties(document, head["id"] === 0),
      ...cases.map((one) => `\n    ${testcase(`${document.name}.${head["name"]}`, one)}`),
      "\n  "
    ]
  )
}

/** The causes of the whole run, and the modules that it does not judge, stand in the properties of its first suite. */
function properties(document: RunDocument, isFirst: boolean): string {
  const { report, theirRole } = document
  const causes = isFirst ? causesOf(checksOf(document)) : []
  const known = {
    "ocpi.version": report.ocpiVersion,
    "ocpi.role": theirRole ?? "unknown",
    connection: report.connectionLabel,
    subject: report.suiteId ?? report.templateId ?? "",
    profile: report.profile ?? "",
    verdict: report.verdict ?? report.status,
    report: report._id,
    run: report.runId,
    "modules.not-judged": isFirst ? modulesNotJudged(report).join(". ") : "",
    "interfaces.not-listed": isFirst ? unlistedInWords(checksOf(document)).join(". ") : "",
    ...Object.fromEntries(
      causes.map((cause, index) => [`cause.${index + 1}`, `${causeInWords(cause)}. ${effectInWords(cause)}`])
    )
  }
  const shown = Object.entries(known).filter(([, value]) => value !== "")
  return `\n    ${element(
    "properties",
    {},
    shown.map(([name, value]) => element("property", { name, value }))
  )}`
}

function testcase(classname: string, { check, millis }: Timed): string {
  const name = check.id === check.title ? check.id : `${check.id} ${check.title}`
  return element("testcase", { classname, name, time: seconds(millis) }, resultOf(check))
}

function resultOf(check: Assertion): ReadonlyArray<string> {
  const { message = check.title, outcome, reason = outcome, strength } = check
  switch (outcome) {
    case "failed":
      return [element("failure", { type: strength, message }, [escapeText(detailsOf(check))])]
    case "error":
      return [
        element("error", { type: "plugfest", message: check.message ?? reason }, [
          escapeText(`A fault on our side, not the partner's.\n${detailsOf(check)}`)
        ])
      ]
    case "warned":
      return [element("system-out", {}, [escapeText(`WARNED: ${message}\n${detailsOf(check)}`)])]
    case "passed":
      return []
    default:
      return [
        element("skipped", {
          message: `${outcome}: ${reason}${check.partnerSaid === undefined ? "" : `; ${saysInWords(check.partnerSaid)}`}`
        })
      ]
  }
}

function detailsOf(check: Assertion): string {
  const { attribution, exchangeIds = [] } = check
  return [
    ...factsOf(check).map(({ name, value }) => `${name}: ${value}`),
    ...(attribution === undefined ? [] : [`attributed to: ${attribution}`]),
    ...(exchangeIds.length === 0 ? [] : [`exchanges: ${exchangeIds.join(" ")}`])
  ].join("\n")
}

/** A suite with one error when there is no verdict or it is inconclusive. */
function unjudged(document: RunDocument): string | undefined {
  const { report } = document
  if (report.verdict !== null && report.verdict !== "inconclusive") return undefined
  const message = verdictWords(report)
  const checks = checksOf(document)
  const why = [
    document.reason ?? message,
    littleJudged(checks, report.verdict),
    ...unjudgedIn(checks).map(unjudgedInWords)
  ].filter((line) => line !== undefined)
  return element(
    "testsuite",
    {
      id: document.groups.length,
      name: "verdict",
      timestamp: stamp(report.finishedAt ?? report.createdAt),
      package: document.name,
      hostname: "plugfest",
      tests: 1,
      failures: 0,
      errors: 1,
      skipped: 0,
      time: seconds(0)
    },
    [
      element(
        "testcase",
        { classname: `${document.name}.verdict`, name: "the run can be judged", time: seconds(0) },
        [element("error", { type: report.verdict ?? report.status, message }, [escapeText(why.join("\n"))])]
      )
    ]
  )
}

/** JUnit timestamps have no time zone and no fraction of a second. */
const stamp = (instant: string): string => instant.slice(0, 19)
const seconds = (millis: number): string => (millis / 1000).toFixed(3)
