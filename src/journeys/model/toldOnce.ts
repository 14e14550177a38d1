/** What an earlier stage has found already is not found again: a run tells one fault of the partner once. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { JourneyStage } from "./JourneyTemplate.ts"
import type { RunHistory } from "./RunHistory.ts"

/**
 * The assertions of the stage. A failure or warning becomes `not_tested` where the rule of the same kind of an earlier stage, such as
 * `start-result.shape` before `stop-result.shape`, has said the same, and not less severely; or where it misses what we have refused for
 * a reason that an earlier one has named.
 */
export function toldOnce(
  { id, part = "" }: Pick<JourneyStage, "id" | "part">,
  { events }: RunHistory,
  assertions: ReadonlyArray<Assertion>
): ReadonlyArray<Assertion> {
  const told = events
    .filter(({ stageId }) => stageId !== undefined && stageId !== id && stageId.startsWith(part))
    .flatMap((event) => event.assertions)
    .filter(isFlawed)
  return assertions.map((assertion) => {
    const first = isFlawed(assertion) ? told.find((earlier) => saysTheSame(earlier, assertion)) : undefined
    if (first === undefined) return assertion
    const { checkId, exchangeIds, id: of, module, reference, strength, title } = assertion
    return {
      id: of,
      ...(checkId === undefined ? {} : { checkId }),
      title,
      strength,
      reference,
      ...(module === undefined ? {} : { module }),
      ...(exchangeIds === undefined ? {} : { exchangeIds }),
      outcome: "not_tested",
      reason: `${first.id} has found the same before: ${assertion.message ?? title}`,
      attribution: "partner"
    }
  })
}

const isFlawed = ({ outcome }: Assertion): boolean => outcome === "failed" || outcome === "warned"

/** The last part of an id: `shape` of `start-result.shape`. */
const kindOf = ({ id }: Assertion): string => id.slice(id.lastIndexOf(".") + 1)

/** The message without what almost matched, which names other ids each time. */
const plain = ({ message = "" }: Assertion): string => message.split(". Almost: ")[0] ?? ""
const isAlmost = ({ message = "" }: Assertion): boolean => message.includes(". Almost: ")

/** Why we refused what almost matched. */
const refusalsIn = ({ message = "" }: Assertion): ReadonlyArray<string> =>
  message
    .split(", and we refused it: ")
    .slice(1)
    .map((text) => text.split("; ")[0] ?? "")

/** Is what is missing now there, but for a refusal that the earlier one has named? */
const isRefusedAsBefore = (earlier: Assertion, now: Assertion): boolean => {
  const before = refusalsIn(earlier)
  const refusals = refusalsIn(now)
  return refusals.length > 0 && refusals.every((why) => before.includes(why))
}

const saysTheSame = (earlier: Assertion, now: Assertion): boolean =>
  (earlier.outcome === "failed" || now.outcome === "warned") &&
  earlier.module === now.module &&
  (isRefusedAsBefore(earlier, now) ||
    (kindOf(earlier) === kindOf(now) &&
      earlier.pointer === now.pointer &&
      plain(earlier) === plain(now) &&
      isAlmost(earlier) === isAlmost(now)))
