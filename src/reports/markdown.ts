/** The report as Markdown for a pull request: the verdict, a table of modules, and the checks that did not pass. */
import type { Assertion } from "../../schema/Assertion.ts"
import { causeInWords, causesOf, effectInWords, saysInWords } from "./causes.ts"
import { withoutDirections } from "./directions.ts"
import { type Fact, factsOf } from "./facts.ts"
import {
  checksOf,
  countOf,
  durationInWords,
  durationOf,
  maskedNote,
  type RunDocument,
  ungraded,
  verdictWords
} from "./RunDocument.ts"
import { turnsOf } from "./turns.ts"
import { littleJudged, modulesNotJudged, unjudgedIn, unjudgedInWords } from "./unjudged.ts"

/** Most checks listed of one kind, because the length of a comment is limited. */
const told = 50
/** Longest quoted text, in UTF-16 units. */
const quoted = 600

/** The report as GitHub-flavoured Markdown. Text of a partner appears only in code spans. */
export const markdownOf = (document: RunDocument): string => {
  const { report, theirRole } = document
  const checks = checksOf(document)
  const only = (...outcomes: ReadonlyArray<Assertion["outcome"]>) =>
    checks.filter(({ outcome }) => outcomes.includes(outcome))
  const duration = durationOf(report)
  return [
    `## ${mark(report.verdict)} ${(report.verdict ?? report.status).toUpperCase()}: ${words(document.name)}`,
    [verdictWords(report), ...turnsOf(checks, report.verdict).map((turn) => turn.words)]
      .map((sentence) => `${words(sentence)}.`)
      .join(" "),
    [
      code(report.connectionLabel),
      `OCPI ${report.ocpiVersion}${theirRole === null ? "" : ` ${theirRole}`}`,
      ...(report.profile === undefined ? [] : [`${report.profile} profile`]),
      ...(duration === null ? [] : [durationInWords(duration)]),
      code(report._id)
    ].join(" · "),
    ...(document.reason === null ? [] : [`The run ended early: ${code(document.reason)}`]),
    ...given(littleJudged(checks, report.verdict), (why) => code(why)),
    ...causes(checks),
    ...(document.leftBehind.length === 0
      ? []
      : [`Left behind at the partner:\n\n${document.leftBehind.map((one) => `- ${code(one)}`).join("\n")}`]),
    ...(document.personalData === "masked" ? [words(maskedNote)] : []),
    table(document),
    ...section("Failed", only("failed"), inFull),
    ...section("Errors on our side", only("error"), inFull),
    ...section("Warned", only("warned"), inFull),
    ...reasons(checks),
    ...modules(report),
    ...section("Not judged", only("unobservable", "not_tested"), briefly),
    ""
  ].join("\n\n")
}

/** The causes, before anything else is told. */
function causes(checks: ReadonlyArray<Assertion>): ReadonlyArray<string> {
  const found = causesOf(checks)
  const lines = found
    .slice(0, told)
    .map(
      (cause) => `- ${cause.attribution}: ${code(causeInWords(cause))}\n  - ${words(effectInWords(cause))}`
    )
  return found.length === 0 ? [] : ["### Causes", lines.join("\n")]
}

/** Why checks were not judged, and what to do next. */
function reasons(checks: ReadonlyArray<Assertion>): ReadonlyArray<string> {
  const found = unjudgedIn(checks).slice(0, told)
  return found.length === 0
    ? []
    : ["### Why checks were not judged", found.map((one) => `- ${code(unjudgedInWords(one))}`).join("\n")]
}

/** The modules that no suite judges. */
function modules(report: RunDocument["report"]): ReadonlyArray<string> {
  const found = modulesNotJudged(report)
  return found.length === 0
    ? []
    : ["### Modules that are not judged", found.map((one) => `- ${code(one)}`).join("\n")]
}

const given = <A>(value: A | undefined, told: (value: A) => string): ReadonlyArray<string> =>
  value === undefined ? [] : [told(value)]

function mark(verdict: RunDocument["report"]["verdict"]): string {
  return verdict === "pass" ? "✅" : verdict === "fail" ? "❌" : verdict === "warn" ? "⚠️" : "❔"
}

function table({ groups }: RunDocument): string {
  return [
    "| module | passed | failed | warned | not judged |",
    "|---|--:|--:|--:|--:|",
    ...groups.map(
      ({ checks, id }) =>
        `| ${words(id)} | ${countOf(checks, "passed")} | ${countOf(checks, "failed")} | ` +
        `${countOf(checks, "warned")} | ${countOf(checks, "error", ...ungraded)} |`
    )
  ].join("\n")
}

function section(
  title: string,
  checks: ReadonlyArray<Assertion>,
  tell: (check: Assertion) => string
): ReadonlyArray<string> {
  if (checks.length === 0) return []
  const more = checks.length - told
  return [
    `<details${title === "Failed" ? " open" : ""}>\n<summary>${title}: ${checks.length}</summary>`,
    checks.slice(0, told).map(tell).join("\n"),
    ...(more > 0 ? [`and ${more} more`] : []),
    "</details>"
  ]
}

function inFull(check: Assertion): string {
  return [
    `- **${words(check.id)}** ${words(check.title)}`,
    ...factsOf(check).map(
      ({ name, value }) => `  - ${name}: ${ofOurs.has(name) ? words(value) : code(value, longest[name])}`
    )
  ].join("\n")
}

/** Facts without text of a partner. */
const ofOurs: ReadonlySet<Fact["name"]> = new Set(["change", "more", "rule"])

/** Where it is another length than `quoted`: a curl command that is cut repeats nothing. */
const longest: Readonly<Partial<Record<Fact["name"], number>>> = { curl: 4000 }

function briefly(check: Assertion): string {
  return `- **${words(check.id)}** ${words(check.title)}: ${code(check.reason ?? check.outcome)}${
    check.partnerSaid === undefined ? "" : `, ${code(saysInWords(check.partnerSaid))}`
  }`
}

/** A code span of one line, in which markup, mentions and links have no effect. */
function code(text: string, most = quoted): string {
  const line = withoutDirections(text.slice(0, most))
    .replace(/\p{Cc}+|\s+/gu, " ")
    .trim()
  const shown = text.length > most ? `${line}…` : line
  const fence = "`".repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)))
  return shown === "" ? "(empty)" : fence === "`" ? `\`${shown}\`` : `${fence} ${shown} ${fence}`
}

/** Text with its Markdown escaped; a zero-width space after `@` prevents mentions. */
function words(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>()#|~]/g, (found) => `\\${found}`)
    .replaceAll("@", "@\u200b")
}
