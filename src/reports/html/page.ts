/** The report as one HTML file that needs no network and no script. */
import { createHash } from "node:crypto"
import type { Assertion, Outcome } from "../../../schema/Assertion.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { causeInWords, causesOf, effectInWords } from "../causes.ts"
import {
  checksOf,
  countOf,
  durationInWords,
  durationOf,
  maskedNote,
  type RunDocument,
  timesOf,
  ungraded,
  verdictWords
} from "../RunDocument.ts"
import { turnsOf } from "../turns.ts"
import { littleJudged, modulesNotJudged, unjudgedIn, unjudgedInWords } from "../unjudged.ts"
import { checkAnchor, checkOf, nameOf, shortNameOf } from "./check.ts"
import { anchor, escape } from "./escape.ts"
import { exchangeOf } from "./exchange.ts"
import { style } from "./style.ts"

/** The content security policy: no fetches, no scripts, and only the one style, by its hash. */
const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`

/** The report as an HTML page, UTF-8. */
export const htmlOf = (document: RunDocument): string => {
  const { name, report } = document
  const checks = checksOf(document)
  const exchanges = new Map(document.exchanges.map(({ exchange }) => [exchange.id, exchange]))
  const sections = sectionsOf(checks)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${escape(`${(report.verdict ?? report.status).toUpperCase()} ${name}, ${report.connectionLabel}`)}</title>
<style>${style}</style></head><body>
${header(document, checks)}
<nav aria-label="Sections"><ul><li><a href="#top">Top</a></li>${sections
    .map(
      ({ id, list, title, tone }) =>
        `<li class="${tone}"><a href="#${id}">${title}</a> <b>${list.length}</b></li>`
    )
    .join("")}<li><a href="#exchanges">Exchanges</a> <b>${exchanges.size}</b></li></ul></nav>
<main>${causes(checks)}${modules(document)}
${reasons(checks)}${leftOut(report)}
${sections.map((section) => sectionOf(section, exchanges, document.whyItMatters)).join("\n")}
<p class="paper small">Not printed: the exchanges and the facts of passed checks, which are in the file.</p>
<section id="exchanges"><h2>Exchanges</h2>${document.exchanges
    .map(({ exchange }) => exchangeOf(exchange, { id: anchor("exchange", exchange.id) }))
    .join("\n")}</section>
<footer>plugfest, ${escape(report._id)}, ${escape(report.runId)}; ${document.ledger.lines} ledger lines, the last with hash
<code>${escape(document.ledger.headHash)}</code>. Secrets are replaced by placeholders.${document.personalData === "masked" ? ` ${maskedNote}.` : ""}</footer></main></body></html>
`
}

function header(document: RunDocument, checks: ReadonlyArray<Assertion>): string {
  const { report, theirRole } = document
  const duration = durationOf(report)
  const first = checks.find(({ outcome }) => outcome === "failed")
  const facts = [
    ["Partner", report.connectionLabel],
    ["OCPI", `${report.ocpiVersion}${theirRole === null ? "" : `, ${theirRole}`}`],
    ["Profile", report.profile],
    ["Started", report.startedAt?.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
    ["Took", duration === null ? undefined : durationInWords(duration)]
  ] as const
  return `<header id="top"><h1>${escape(document.name)}</h1>
<div class="verdict ${toneOfVerdict(report.verdict)}"><span class="badge">${escape(
    (report.verdict ?? report.status).toUpperCase()
  )}</span><span>${escape(verdictWords(report))}</span>${
    first === undefined
      ? ""
      : `<a class="jump" href="#${escape(checkAnchor(first))}">First failure: ${escape(shortNameOf(first))} ↓</a>`
  }</div>
${noted(
  turnsOf(checks, report.verdict)
    .map(({ words }) => `${words}.`)
    .join(" ")
)}
<dl class="facts">${facts
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`<div><dt>${name}</dt><dd>${escape(value)}</dd></div>`]
    )
    .join("")}</dl>
${noted(littleJudged(checks, report.verdict))}
${document.reason === null ? "" : `<p class="note">The run ended early: ${escape(document.reason)}</p>`}
${
  document.leftBehind.length === 0
    ? ""
    : `<p class="note">Left behind at the partner, to be removed by hand: ${document.leftBehind
        .map((one) => `<code>${escape(one)}</code>`)
        .join(", ")}</p>`
}</header>`
}

function noted(text: string | undefined): string {
  return text === undefined || text === "" ? "" : `<p class="note">${escape(text)}</p>`
}

/** What the findings come down to: first of all, because all else follows from it. */
function causes(checks: ReadonlyArray<Assertion>): string {
  const found = causesOf(checks)
  if (found.length === 0) return ""
  const byId = new Map(checks.map((check) => [check.id, check]))
  const links = (ids: ReadonlyArray<string>) =>
    ids
      .map((id) => {
        const check = byId.get(id)
        return check === undefined
          ? `<a href="#top">${escape(id)}</a>`
          : `<a href="#${escape(checkAnchor(check))}">${escape(shortNameOf(check))}</a>`
      })
      .join(", ")
  const items = found.map(
    (cause) =>
      `<li><strong>${escape(causeInWords(cause))}</strong> <span class="tag">${cause.attribution}</span><br>${escape(
        effectInWords(cause)
      )}${cause.hint === undefined ? "" : `<p>What to change: ${escape(cause.hint)}</p>`}<p class="small">${links([...cause.found, ...cause.blocked])}</p></li>`
  )
  return `<section id="causes"><h2>Causes</h2><ol>${items.join("\n")}</ol></section>\n`
}

/** Why checks were not judged, and what to do next. */
function reasons(checks: ReadonlyArray<Assertion>): string {
  const found = unjudgedIn(checks)
  return found.length === 0
    ? ""
    : `<section id="unjudged"><h2>Why checks were not judged</h2><ul>${found
        .map((one) => `<li>${escape(unjudgedInWords(one))}</li>`)
        .join("\n")}</ul></section>`
}

/** The modules that no suite judges. */
function leftOut(report: RunDocument["report"]): string {
  const found = modulesNotJudged(report)
  return found.length === 0
    ? ""
    : `<section id="left-out"><h2>Modules that are not judged</h2><ul>${found
        .map((one) => `<li>${escape(one)}.</li>`)
        .join("\n")}</ul></section>`
}

function toneOfVerdict(verdict: RunDocument["report"]["verdict"]): string {
  return verdict === "pass"
    ? "passed"
    : verdict === "fail"
      ? "failed"
      : verdict === "warn"
        ? "warned"
        : "open"
}

const columns: ReadonlyArray<readonly [title: string, tone: string, outcomes: ReadonlyArray<Outcome>]> = [
  ["passed", "passed", ["passed"]],
  ["failed", "failed", ["failed"]],
  ["warned", "warned", ["warned"]],
  ["not judged", "open", ["unobservable", "not_tested", "error"]],
  ["not applicable", "open", ["not_applicable"]]
]

function modules(document: RunDocument): string {
  const times = timesOf(document)
  const rows = document.groups.map(({ checks, id, name: title }) => {
    const bad =
      checks.find(({ outcome }) => outcome === "failed") ?? checks.find(({ outcome }) => outcome === "warned")
    const words = title === undefined ? escape(id) : nameOf(title, id)
    const name = bad === undefined ? words : `<a href="#${escape(checkAnchor(bad))}">${words}</a>`
    const millis = checks.reduce((sum, check) => sum + (times.get(check.id) ?? 0), 0)
    return `<tr><td>${name}</td><td>${bar(checks)}</td>${columns
      .map(([, tone, outcomes]) => number(countOf(checks, ...outcomes), tone))
      .join("")}<td class="n">${millis === 0 ? "·" : durationInWords(millis)}</td></tr>`
  })
  const what = document.report.kind === "journey" ? "Stage" : "Module"
  return `<section id="modules"><h2>${what}s</h2><div class="scroll"><table><thead><tr><th>${what}</th><th></th>${columns
    .map(([title]) => `<th class="n">${title}</th>`)
    .join(
      ""
    )}<th class="n">on the wire</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div></section>`
}

function number(count: number, tone: string): string {
  return `<td class="n ${tone}${count > 0 ? " some" : ""}">${count === 0 ? "·" : count}</td>`
}

/** A bar of proportions in SVG, whose attributes need no inline style. */
function bar(checks: ReadonlyArray<Assertion>): string {
  let x = 0
  const parts = columns.map(([title, tone, outcomes]) => {
    const width = checks.length === 0 ? 0 : (countOf(checks, ...outcomes) / checks.length) * 100
    const part = `<rect class="${tone}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="4"><title>${title}</title></rect>`
    x += width
    return width === 0 ? "" : part
  })
  return `<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts.join("")}</svg>`
}

interface Section {
  readonly id: string
  readonly title: string
  readonly tone: string
  /** Show its checks unfolded. */
  readonly open: boolean
  readonly list: ReadonlyArray<Assertion>
}

interface SectionKind extends Omit<Section, "list"> {
  readonly outcomes: ReadonlyArray<Outcome>
}

const notJudged = ungraded.filter((one) => one !== "not_applicable")

/** Worst outcomes first. */
const sections: ReadonlyArray<SectionKind> = [
  { id: "failed", title: "Failed", tone: "failed", open: true, outcomes: ["failed"] },
  { id: "errors", title: "Errors on our side", tone: "error", open: true, outcomes: ["error"] },
  { id: "warned", title: "Warned", tone: "warned", open: true, outcomes: ["warned"] },
  { id: "open", title: "Not judged", tone: "open", open: false, outcomes: notJudged },
  { id: "passed", title: "Passed", tone: "passed", open: false, outcomes: ["passed"] },
  { id: "inapplicable", title: "Not applicable", tone: "open", open: false, outcomes: ["not_applicable"] }
]

/** The sections with their checks; empty ones are left out. */
function sectionsOf(checks: ReadonlyArray<Assertion>): ReadonlyArray<Section> {
  return sections
    .map(({ outcomes, ...section }) => ({
      ...section,
      list: checks.filter(({ outcome }) => outcomes.includes(outcome))
    }))
    .filter(({ list }) => list.length > 0)
}

function sectionOf(
  { id, list, open, title }: Section,
  exchanges: ReadonlyMap<string, Exchange>,
  reasons: RunDocument["whyItMatters"] = {}
): string {
  return `<section id="${id}"><h2>${title}</h2>${list
    .map((check, index) =>
      checkOf({
        check,
        exchanges,
        open,
        next: open ? list[index + 1] : undefined,
        whyItMatters: reasons[check.id]
      })
    )
    .join("\n")}</section>`
}
