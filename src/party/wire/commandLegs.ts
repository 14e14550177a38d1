/**
 * The two legs of a command (mod_commands) as partners really send them: the answer's data, and the body posted to the
 * response_url. Older versions of the text had a bare word there, and some partners wrap the second leg in the response
 * envelope.
 */
import { isObject, type JsonObject, textIn } from "../../findings/json.ts"

/** One leg, read tolerantly. */
interface Leg {
  /** The content in the version's shape; undefined: there is none. */
  readonly said: JsonObject | undefined
  /** How the partner departed from that shape, in full sentences. */
  readonly notes: ReadonlyArray<string>
}

/** Reads `data` of the answer to a command. */
export const answerLeg = (data: unknown): Leg =>
  typeof data === "string"
    ? bare(data, "the answer's data")
    : { said: isObject(data) ? data : undefined, notes: [] }

/** Reads the body that was posted to a response_url. */
export const resultLeg = (body: unknown): Leg => {
  if (typeof body === "string") return bare(body, "the result")
  if (!isObject(body)) return { said: undefined, notes: [] }
  if (textIn(body["result"]) !== undefined || body["data"] === undefined) return { said: body, notes: [] }
  const inner = answerLeg(body["data"])
  return { said: inner.said, notes: [wrapped, ...inner.notes] }
}

const wrapped = "the result came wrapped in the response envelope; it is due as it is"

function bare(word: string, what: string): Leg {
  return {
    said: { result: word },
    notes: [`${what} is the bare text "${word.slice(0, 40)}"; an object with result is due`]
  }
}
