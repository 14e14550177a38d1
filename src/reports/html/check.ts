/** One check in HTML: expected, actual, place, hint and exchanges. */
import type { Assertion, FindingPlace, Outcome } from "../../../schema/Assertion.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { saysInWords } from "../causes.ts"
import { clauseInWords } from "../clauseInWords.ts"
import { type Fact, factsOf, placeInWords } from "../facts.ts"
import { anchor, escape } from "./escape.ts"
import { exchangeOf } from "./exchange.ts"

/** Most exchanges shown with a check; further ones are linked. */
const maxExchanges = 5

const words: Readonly<Record<Outcome, string>> = {
  passed: "✓ passed",
  failed: "✗ failed",
  warned: "! warned",
  unobservable: "? not observed",
  not_tested: "· not tested",
  not_applicable: "– not applicable",
  error: "✗ our error"
}

/** The CSS class for the colour of an outcome. */
const toneOf = (outcome: Outcome): string =>
  outcome === "passed" || outcome === "failed" || outcome === "warned" || outcome === "error"
    ? outcome
    : "open"

/** Id of the check's element in the page. */
export const checkAnchor = ({ id }: Assertion): string => anchor("check", id)

/** Whether it is a check of the catalogue, such as `LOC-009`: the id of a journey's rule only repeats its stage. */
const isCatalogued = ({ id }: Assertion): boolean => /^[A-Z]+-\d+$/.test(id)

/** What a link to the check says: the id of a check, the title of a rule. */
export const shortNameOf = (check: Assertion): string => (isCatalogued(check) ? check.id : check.title)

/** A title as HTML, with its id small beside it. */
export const nameOf = (title: string, id: string): string =>
  `${escape(title)} <span class="id small">${escape(id)}</span>`

/** A check to show, and the exchanges of the run by id. */
interface CheckSection {
  readonly check: Assertion
  readonly exchanges: ReadonlyMap<string, Exchange>
  /** What goes wrong in practice when a partner breaks its rule. */
  readonly whyItMatters?: string | undefined
  /** Show it unfolded, with its exchanges. */
  readonly open?: boolean
  /** The next check of the section, which it links to. */
  readonly next?: Assertion | undefined
}

/** The check as a foldable HTML block. */
export const checkOf = ({ check, exchanges, next, open = false, whyItMatters }: CheckSection): string => {
  const judged = (check.exchangeIds ?? []).flatMap((id) => exchanges.get(id) ?? [])
  return `<details class="check ${toneOf(check.outcome)}" id="${escape(checkAnchor(check))}"${open ? " open" : ""}>
<summary>${isCatalogued(check) ? `<b>${escape(check.id)}</b> ${escape(check.title)}` : nameOf(check.title, check.id)} <span class="tag">${words[check.outcome]}</span><span class="tag">${escape(
    check.strength
  )}</span></summary>
<div class="inside">${said(check)}
<dl class="pairs">${pairs(check)}${whyItMatters === undefined ? "" : pair("why it matters", escape(whyItMatters))}</dl>
${places(check)}
${check.curl === undefined ? "" : `<p class="small">${repeatOf(check.curl)}:</p><pre class="wrap">${escape(check.curl)}</pre>`}
${open ? inFull(judged, check.pointer) : links(judged)}
${next === undefined ? "" : `<p><a href="#${escape(checkAnchor(next))}">Next: ${escape(shortNameOf(next))} ↓</a></p>`}</div></details>`
}

/** What the shell variable of the command stands for, where it has one. */
const repeatOf = (curl: string): string =>
  curl.includes("$TOKEN")
    ? "Repeat the request; first set the variable TOKEN to the token that it was sent with"
    : "Repeat the request"

function inFull(judged: ReadonlyArray<Exchange>, pointer: string | undefined): string {
  const shown = judged.slice(0, maxExchanges)
  return (
    shown
      .map((exchange, index) =>
        exchangeOf(exchange, index > 0 ? {} : { open: true, ...(pointer === undefined ? {} : { pointer }) })
      )
      .join("\n") + links(judged.slice(maxExchanges))
  )
}

/** Links to exchanges further down in the page. */
function links(judged: ReadonlyArray<Exchange>): string {
  const named = judged.map(
    ({ id, operation, request }) =>
      `<a href="#${escape(anchor("exchange", id))}">${escape(`${request.method} ${operation}`)}</a>`
  )
  return named.length === 0 ? "" : `<p class="small">Exchanges: ${named.join(", ")}</p>`
}

/** What was found, or why nothing could be. */
function said({ findings, message, partnerSaid, reason }: Assertion): string {
  return [
    ...(message === undefined || findings !== undefined
      ? []
      : [`<p><strong>${escape(message)}</strong></p>`]),
    ...(reason === undefined ? [] : [`<p>${escape(reason)}</p>`]),
    ...(partnerSaid === undefined ? [] : [`<p class="note">${escape(saysInWords(partnerSaid))}</p>`])
  ].join("\n")
}

/** Most places of one kind that the page shows; the json export has all. */
const maxPlaces = 20

/** Every place of the findings by kind, where there is more than one finding. */
function places({ curl, findings = [] }: Assertion): string {
  if (findings.length < 2 && (findings[0]?.count ?? 0) < 2) return ""
  const kinds = findings.map((kind) => {
    const { count, expected, hint, message, places: found } = kind
    const shown = found.slice(0, maxPlaces).map((place) => `<li>${escape(placeInFull(place))}</li>`)
    const rest = count - shown.length
    const notes = [
      ...(expected === undefined ? [] : [`expected: ${expected}`]),
      ...(hint === undefined ? [] : [`change: ${hint}`]),
      ...(kind.curl === undefined || kind.curl === curl ? [] : [`curl: ${kind.curl}`])
    ].map((note) => `<li>${escape(note)}</li>`)
    return `<details><summary>${escape(message)} <span class="tag">${count}</span></summary><ul>${notes.join("")}${shown.join("")}${
      rest > 0 ? `<li>and ${rest} more, in the json export</li>` : ""
    }</ul></details>`
  })
  return kinds.join("\n")
}

function placeInFull(place: FindingPlace): string {
  const where = placeInWords(place)
  const { actual } = place
  return actual === undefined ? where : `${where === "" ? "" : `${where}: `}${actual}`
}

/** Facts that stand elsewhere in the block. */
const elsewhere: ReadonlySet<Fact["name"]> = new Set(["curl", "reason", "the partner says"])
/** Facts that quote a body or a request. */
const quoting: ReadonlySet<Fact["name"]> = new Set(["at", "expected", "seen"])

function pairs(check: Assertion): string {
  const facts = factsOf(check).filter(({ name }) => !elsewhere.has(name))
  const attributed = check.attribution === undefined ? "" : pair("attributed to", escape(check.attribution))
  return `${facts
    .map(({ name, value }) =>
      pair(
        name,
        name === "rule"
          ? escape(`${check.strength}, ${clauseInWords(check.reference)}`)
          : quoting.has(name)
            ? `<code>${escape(value)}</code>`
            : name === "found"
              ? `<strong>${escape(value)}</strong>`
              : escape(value)
      )
    )
    .join("")}${attributed}`
}

const pair = (name: string, html: string) => `<dt>${name}</dt><dd>${html}</dd>`
