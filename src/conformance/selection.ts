/** Which checks of a suite a run grades. Pure. */
import type { Check } from "./Check.ts"
import { phaseOf } from "./stages.ts"

/** Which checks of a suite an order asks for; absent = no restriction. */
export interface Selection {
  /** Ids, in which `*` stands for any text. */
  readonly checks?: ReadonlyArray<string>
  readonly modules?: ReadonlyArray<string>
  /** Ids as they are. */
  readonly among?: ReadonlyArray<string>
}

/** The checks that meet every restriction of the order. */
export const selected = <A extends { readonly id: string; readonly module: string }>(
  checks: ReadonlyArray<A>,
  order: Selection
): ReadonlyArray<A> => {
  const patterns = order.checks?.map(pattern)
  return checks.filter(
    ({ id, module }) =>
      (patterns === undefined || patterns.some((one) => one.test(id))) &&
      (order.modules === undefined || order.modules.includes(module)) &&
      (order.among === undefined || order.among.includes(id))
  )
}

/** The RISK checks that an order names: by id, or by a glob that is more than `*`. */
export const risksAskedFor = (
  checks: ReadonlyArray<Check>,
  order: Pick<Selection, "checks">
): ReadonlyArray<string> => {
  const patterns = (order.checks ?? []).filter((glob) => /[^*]/.test(glob)).map(pattern)
  return checks
    .filter((check) => phaseOf(check) === "risk" && patterns.some((one) => one.test(check.id)))
    .map(({ id }) => id)
}

/** Why a run leaves a check alone; undefined: it does not. */
export const withholdingIn =
  (isProduction: boolean, isAskedFor: (check: Check) => boolean) =>
  (check: Check): string | undefined => {
    const phase = phaseOf(check)
    if (isProduction && (phase === "write" || phase === "risk"))
      return "the connection's environment is production: checks that write are withheld"
    return phase === "risk" && !isAskedFor(check)
      ? `it may end the registration, or has us misbehave: graded only when the order names it, "checks": ["${check.id}"]`
      : undefined
  }

function pattern(glob: string): RegExp {
  const literal = glob.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${literal.join(".*")}$`, "i")
}
