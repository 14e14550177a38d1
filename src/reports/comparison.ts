/** Compares the results of two runs. Pure. */
import type { Assertion } from "../../schema/Assertion.ts"
import type { CheckChange, RunComparison } from "../../schema/reports/RunComparison.ts"

type Lists = Omit<RunComparison, "before" | "after">
type List = Exclude<keyof Lists, "unchanged">

/** Sorts the checks by how their outcome changed, in the order of the later run. */
export const comparisonOf = (before: ReadonlyArray<Assertion>, after: ReadonlyArray<Assertion>): Lists => {
  const earlier = new Map(before.map((assertion) => [assertion.id, assertion]))
  const later = new Map(after.map((assertion) => [assertion.id, assertion]))
  const lists: Record<List, Array<CheckChange>> = {
    newlyFailing: [],
    fixed: [],
    stillFailing: [],
    noLongerGraded: [],
    newlyGraded: []
  }
  let unchanged = 0
  for (const id of new Set([...later.keys(), ...earlier.keys()])) {
    const was = earlier.get(id)
    const is = later.get(id)
    const list = listOf(was, is)
    if (list === undefined) unchanged += 1
    else lists[list].push(changeOf(was, is))
  }
  return { ...lists, unchanged }
}

const isGraded = (one: Assertion | undefined) =>
  one !== undefined && (one.outcome === "passed" || one.outcome === "warned" || one.outcome === "failed")

function listOf(was: Assertion | undefined, is: Assertion | undefined): List | undefined {
  if (is?.outcome === "failed") return was?.outcome === "failed" ? "stillFailing" : "newlyFailing"
  if (!isGraded(is)) return isGraded(was) ? "noLongerGraded" : undefined
  if (was?.outcome === "failed") return "fixed"
  return isGraded(was) ? undefined : "newlyGraded"
}

function changeOf(was: Assertion | undefined, is: Assertion | undefined): CheckChange {
  // At least one is defined, because the id came from it.
  const shown = (is ?? was)!
  const message = is === undefined ? "the later run did not include it" : (is.message ?? is.reason)
  return {
    id: shown.id,
    title: shown.title,
    ...(shown.module === undefined ? {} : { module: shown.module }),
    strength: shown.strength,
    before: was?.outcome ?? null,
    after: is?.outcome ?? null,
    ...(message === undefined ? {} : { message })
  }
}
