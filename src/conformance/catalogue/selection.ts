/** Which checks of a suite a run grades. Pure. */
import type { Environment } from "../../../schema/Connection.ts"
import type { Need } from "../../../schema/Need.ts"
import type { Check } from "../model/Check.ts"
import { phaseOf } from "../model/stages.ts"

/** Which checks of a suite an order asks for; absent = no restriction. */
export interface Selection {
  /** Globs of check ids, in any case: `*` stands for any text. */
  readonly checks?: ReadonlyArray<string>
  readonly modules?: ReadonlyArray<string>
  /** Globs of documents of OCPI, or of documents with their section, in any case. */
  readonly clauses?: ReadonlyArray<string>
  /** Exact check ids. */
  readonly among?: ReadonlyArray<string>
  /** The kinds of need that the order asks for; absent: all but `risk`. */
  readonly needs?: ReadonlyArray<Need>
}

/** The checks that meet every restriction of the order. */
export const selected = <
  A extends { readonly id: string; readonly module: string; readonly reference: string }
>(
  checks: ReadonlyArray<A>,
  order: Selection
): ReadonlyArray<A> => {
  const asked = order.checks && anyGlob(order.checks)
  const isOfClause = order.clauses && anyGlob(order.clauses)
  return checks.filter(
    ({ id, module, reference }) =>
      (asked === undefined || asked(id)) &&
      (isOfClause === undefined || clausesOf(reference).some(isOfClause)) &&
      (order.modules === undefined || order.modules.includes(module)) &&
      (order.among === undefined || order.among.includes(id))
  )
}

/**
 * The clauses of a check's reference, each from its document on: `mod_cdrs, CDR Object; CdrToken class` is of `mod_cdrs`, of
 * `mod_cdrs, CDR Object` and of `mod_cdrs, CdrToken class`.
 */
export function clausesOf(reference: string): ReadonlyArray<string> {
  const clauses = new Set<string>()
  let document = ""
  for (const part of reference.split("; ")) {
    const isWhole = document === "" || /^([a-z_]+|RFC \d+)(,|$)/.test(part)
    if (isWhole) document = part.split(", ", 1)[0]!
    const names = (isWhole ? part : `${document}, ${part}`).split(", ")
    names.forEach((_, at) => clauses.add(names.slice(0, at + 1).join(", ")))
  }
  return [...clauses]
}

/** The RISK checks that an order asks for: by id, by a glob that is more than `*`, or all of its selection by `risk` in `needs`. */
export const risksAskedFor = (
  checks: ReadonlyArray<Check>,
  order: Pick<Selection, "checks" | "needs">
): ReadonlyArray<string> => {
  const areAll = order.needs?.includes("risk") === true
  const asked = anyGlob((order.checks ?? []).filter((glob) => /[^*]/.test(glob)))
  return checks
    .filter((check) => phaseOf(check) === "risk" && (areAll || asked(check.id)))
    .map(({ id }) => id)
}

/** Why a run withholds a check; undefined if it grades it. */
export const withholdingIn =
  (environment: Environment, isAskedFor: (check: Check) => boolean) =>
  (check: Check): string | undefined => {
    const phase = phaseOf(check)
    if (environment === "production" && (phase === "write" || phase === "risk" || check.mode === "MUT"))
      return "the connection's environment is production: checks that write are withheld"
    return phase === "risk" && !isAskedFor(check)
      ? `it may end the registration, or makes us misbehave: graded only when the order names it, "checks": ["${check.id}"], or asks for "needs": ["risk"]`
      : undefined
  }

/** Tests whether one of the globs fits an id. Globs without `*` are looked up in a set: an order may name hundreds. */
function anyGlob(globs: ReadonlyArray<string>): (id: string) => boolean {
  const all = [...new Set(globs.map((glob) => glob.toLowerCase()))]
  const ids = new Set(all.filter((glob) => !glob.includes("*")))
  const patterns = all.filter((glob) => glob.includes("*"))
  return (id) => {
    const text = id.toLowerCase()
    return ids.has(text) || patterns.some((glob) => fitsGlob(glob, text))
  }
}

/**
 * Does the glob fit the whole text? A regular expression could backtrack over every star; this matcher only ever extends
 * the last star, which suffices and takes at most length of glob times length of text steps.
 */
export function fitsGlob(glob: string, text: string): boolean {
  let at = 0
  let place = 0
  let star: number | undefined
  let afterStar = 0
  while (place < text.length) {
    if (glob[at] === "*") {
      star = at++
      afterStar = place
    } else if (at < glob.length && glob[at] === text[place]) {
      at++
      place++
    } else if (star !== undefined) {
      at = star + 1
      place = ++afterStar
    } else return false
  }
  while (glob[at] === "*") at++
  return at === glob.length
}
