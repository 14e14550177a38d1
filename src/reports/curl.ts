/** Requests as curl commands. The shell variable `$TOKEN` stands for the secret; all other text is quoted literally. */
import type { Exchange, ExchangeRequest } from "../../schema/Exchange.ts"

/** The placeholders of secrets, raw or Base64. */
const secret = /(base64\(«[^«»]*»\)|«[^«»]*»)/
const plain = '"$TOKEN"'
const encoded = `"$(printf %s "$TOKEN" | base64 | tr -d '\\n')"`

/** The headers that influence the answer: those of OCPI, and the type of the body. */
const telling =
  /^(authorization|content-type|x-(request|correlation)-id|ocpi-(to|from)-(party-id|country-code))$/i

/** Longest body in the command, in UTF-16 units; a longer one is read from a file. */
const longestBody = 2000

/**
 * A curl command that repeats the request, with the headers that matter. `id`: of the exchange; a file that is named after it,
 * `exc_1.request`, stands for a body that is too long or was not kept whole.
 */
export const curlLine = ({
  id,
  outcome,
  request
}: {
  readonly id?: string
  /** Of a request that we did not send, because its host may not get our secrets, none is in the command. */
  readonly outcome?: Exchange["outcome"]
  readonly request: Pick<ExchangeRequest, "method" | "url" | "headers" | "body"> &
    Partial<Pick<ExchangeRequest, "truncated">>
}): string => {
  const { body, method, truncated = false, url } = request
  const withheld = outcome === "blocked"
  const quoted = withheld ? literal : withVariable
  const headers = Object.entries(request.headers).filter(
    ([name]) => telling.test(name) && !(withheld && name.toLowerCase() === "authorization")
  )
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type")
  const isWhole = !truncated && (body ?? "").length <= longestBody
  return [
    "curl -sS -i",
    // Without it curl reads brackets and braces of a URL as a pattern for several.
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
    "-X",
    /^[A-Z]+$/.test(method) ? method : quoted(method),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null || isTyped ? [] : ["-H 'content-type: application/json'"]),
    ...(body === null
      ? []
      : [isWhole ? `--data-raw ${quoted(body)}` : `--data-binary @${fileName(id)}.request`]),
    quoted(url)
  ].join(" ")
}

const fileName = (id = "exchange") => id.replace(/[^A-Za-z0-9_.-]/g, "_")

/** Single quotes keep the shell from interpreting text of a partner; only the variable of the secret is outside of them. */
function withVariable(text: string): string {
  const parts = text
    .split(secret)
    .map((part) => (part.startsWith("base64(«") ? encoded : part.startsWith("«") ? plain : literal(part)))
    .filter((part) => part !== "''")
  return parts.length === 0 ? "''" : parts.join("")
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
