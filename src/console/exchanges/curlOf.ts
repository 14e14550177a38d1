/** A request as a curl command. The shell variable `$TOKEN` stands for each secret; all other text is quoted literally. Pure. */
import type { Data } from "../../client/plugfest.ts"

type Exchange = Data<"connections.exchanges">[number]

/** The placeholders of secrets, raw or Base64. */
const secret = /(base64\(«[^«»]*»\)|«[^«»]*»)/
const plain = '"$TOKEN"'
const encoded = `"$(printf %s "$TOKEN" | base64 | tr -d '\\n')"`

/** The headers that influence the answer: those of OCPI, and the type of the body. */
const telling =
  /^(authorization|content-type|x-(request|correlation)-id|ocpi-(to|from)-(party-id|country-code))$/i

/**
 * The command that repeats the request. A file stands for a body that was not kept whole. Of a request that we did not send, because its
 * host may not get our secrets, none is in the command.
 */
export function curlOf({
  id,
  outcome,
  request
}: Pick<Exchange, "id" | "request"> & Partial<Pick<Exchange, "outcome">>): string {
  const { body, method, truncated, url } = request
  const withheld = outcome === "blocked"
  const quoted = withheld ? literal : withVariable
  const headers = Object.entries(request.headers).filter(
    ([name]) => telling.test(name) && !(withheld && name.toLowerCase() === "authorization")
  )
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type")
  return [
    "curl -sS -i",
    // Without it curl reads brackets and braces of a URL as a pattern for several.
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
    "-X",
    /^[A-Z]+$/.test(method) ? method : quoted(method),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${withoutToken(name, value)}`)}`),
    ...(body === null || isTyped ? [] : ["-H 'content-type: application/json'"]),
    ...(body === null
      ? []
      : truncated
        ? [`--data-binary @${id.replace(/[^A-Za-z0-9_.-]/g, "_")}.request`]
        : [`--data-raw ${quoted(body)}`]),
    quoted(url)
  ].join(" ")
}

/** A token that has no placeholder, whatever the reason, does not go into a command either. */
const withoutToken = (name: string, value: string) =>
  name.toLowerCase() === "authorization" && !secret.test(value) ? "Token «token»" : value

/** Single quotes keep the shell from interpreting text of a partner; only the variable of the secret is outside of them. */
function withVariable(text: string): string {
  const parts = text
    .split(secret)
    .map((part) => (part.startsWith("base64(«") ? encoded : part.startsWith("«") ? plain : literal(part)))
    .filter((part) => part !== "''")
  return parts.length === 0 ? "''" : parts.join("")
}

const literal = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
