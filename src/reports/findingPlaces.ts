/** The places at which checks find something wrong: which they are, and how many different ones there are. Pure. */
import type { Assertion, FindingPlace } from "../../schema/Assertion.ts"

/**
 * The fields of the partner's objects that an assertion found wrong: exchange and JSON Pointer of each, as JSON text. Empty when the
 * report keeps only some of the findings, when one of them is about a whole answer, or when the partner refused.
 */
export const placesInside = (assertion: Assertion): ReadonlySet<string> =>
  new Set(insideOf(assertion).map(({ exchangeId, pointer }) => JSON.stringify([exchangeId, pointer])))

/** The same fields by their objects, whichever exchange shows them: module, ids of the object and path below it, as JSON text. */
export const fieldsOfObjects = (assertion: Assertion): ReadonlySet<string> =>
  new Set(
    insideOf(assertion).flatMap(({ object, pointer = "" }) =>
      object === undefined ? [] : [JSON.stringify([assertion.module, object, belowObject(pointer)])]
    )
  )

function insideOf({ findings = [], partnerSaid }: Assertion): ReadonlyArray<FindingPlace> {
  const places = findings.flatMap((kind) => kind.places)
  const areInside = places.every(({ pointer = "" }) => pointer !== "")
  return partnerSaid === undefined && areAllKept(findings) && areInside ? places : []
}

/** The path below the object of an answer or of a push, whatever the places in lists are. */
const belowObject = (pointer: string) =>
  pointer.replace(/^\/data(?:\/\d+(?=\/|$))?/, "").replaceAll(/\/\d+(?=\/|$)/g, "/*")

/**
 * The fields that an assertion finds wrong, in whichever objects of its module: the path of each below its object, and what is expected of
 * its form there or else what is said of it, as JSON text. A field that is wrong in a list is the same one in what is pushed. Empty where
 * `placesInside` is.
 */
export function fieldsInside(assertion: Assertion): ReadonlySet<string> {
  const { findings = [], module } = assertion
  if (placesInside(assertion).size === 0) return new Set()
  return new Set(
    findings.flatMap((kind) => {
      const isField = beginsWithField(kind.message, kind.places[0]?.pointer)
      return kind.places.map(({ expected = kind.expected, pointer = "" }) => {
        const said = kind.message.replace(` (${pointer})`, "").replaceAll(/\[\d+\]/g, "[]")
        return JSON.stringify([module, belowObject(pointer), isField ? (expected ?? said) : said])
      })
    })
  )
}

/**
 * What an assertion says of whole messages, without the message of which it says it: `X-Request-ID is not repeated`. Empty when it is
 * about places inside of them, or about how a request was answered, which has many reasons.
 */
export function saidOfMessages({ findings = [] }: Assertion): ReadonlySet<string> {
  const said = findings.map(({ message, places }) =>
    places.every(({ pointer = "" }) => pointer === "") ? /^.+: (.+)$/.exec(message)?.[1] : undefined
  )
  return said.every((one) => one !== undefined && !one.includes(" was answered "))
    ? new Set(said.flatMap((one) => one ?? []))
    : new Set()
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
