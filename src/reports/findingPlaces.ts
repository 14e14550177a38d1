/** The places at which checks find something wrong: which they are, and how many different ones there are. Pure. */
import type { Assertion } from "../../schema/Assertion.ts"

/**
 * The fields of the partner's objects that an assertion found wrong: exchange, JSON Pointer and wrong value of each, as JSON text. Empty
 * when the report keeps only some of the findings, when one of them is about a whole answer, or when the partner refused.
 */
export function placesInside({ findings = [], partnerSaid }: Assertion): ReadonlySet<string> {
  const places = findings.flatMap((kind) => kind.places)
  const areInside = places.every(({ pointer = "" }) => pointer !== "")
  return partnerSaid === undefined && areAllKept(findings) && areInside
    ? new Set(places.map(({ actual, exchangeId, pointer }) => JSON.stringify([exchangeId, pointer, actual])))
    : new Set()
}

/**
 * The fields whose form an assertion finds wrong, in whichever objects of its module: the path of each below its object and what is
 * expected there, as JSON text. A field that is wrong in a list is the same one in what is pushed. Empty where `placesInside` is, and
 * where a finding is about more than the form of a field.
 */
export function fieldsInside(assertion: Assertion): ReadonlySet<string> {
  const { findings = [], module } = assertion
  const areFields = findings.every(({ message, places }) => beginsWithField(message, places[0]?.pointer))
  if (!areFields || placesInside(assertion).size === 0) return new Set()
  const withoutPlaces = (path: string) => path.replaceAll(/\/\d+(?=\/|$)/g, "/*")
  return new Set(
    findings.flatMap((kind) =>
      kind.places.map(({ expected = kind.expected, pointer = "" }) =>
        JSON.stringify([
          module,
          withoutPlaces(pointer.replace(/^\/data(?:\/\d+(?=\/|$))?/, "")),
          expected ?? kind.message.replaceAll(/\[\d+\]/g, "[]")
        ])
      )
    )
  )
}

/** Is the first word a field: the end of the pointer, or of the form `evses[0].status`, `last_updated` or `data`? */
export function beginsWithField(said: string, pointer = ""): boolean {
  const [word = ""] = said.split(" ", 1)
  return (
    word === "data" ||
    (/^[a-z][\w.[\]]*$/.test(word) && /[_.[]/.test(word) && !word.endsWith(".")) ||
    `${pointer}/`.endsWith(`/${word.replaceAll(/\[(\d+)\]/g, ".$1").replaceAll(".", "/")}/`)
  )
}

/**
 * At how many different places the assertions find something wrong. A place is a JSON Pointer in the body of one exchange, or a whole
 * exchange; it counts once, whatever number of them name it. Of an assertion whose places are not all kept its number of findings
 * is taken, if that is more.
 */
export const countPlaces = (assertions: ReadonlyArray<Assertion>): number =>
  Math.max(
    new Set(assertions.flatMap(placesOf)).size,
    ...assertions.map(({ findings = [] }) =>
      areAllKept(findings) ? 0 : findings.reduce((sum, { count }) => sum + count, 0)
    )
  )

/** An assertion without findings by kind, as those of journeys, is about one place. */
function placesOf({ exchangeIds, findings = [], id, pointer }: Assertion): ReadonlyArray<string> {
  const places =
    findings.length === 0 ? [{ pointer, exchangeId: undefined }] : findings.flatMap((kind) => kind.places)
  return places.map(({ exchangeId = exchangeIds?.[0] ?? id, pointer = "" }) =>
    JSON.stringify([exchangeId, pointer])
  )
}

const areAllKept = (findings: NonNullable<Assertion["findings"]>) =>
  findings.every(({ count, places }) => places.length === count)
