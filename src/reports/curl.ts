/** A line that repeats a request from a shell. The secret is the variable `$TOKEN`; all else is quoted literally. */
import type { ExchangeRequest } from "../../schema/Exchange.ts"

/** What the scrubber leaves in the place of secrets: their name, and the form in which they travelled. */
const secret = /(base64\(«[^«»]*»\)|«[^«»]*»)/
const plain = '"$TOKEN"'
const encoded = `"$(printf %s "$TOKEN" | base64 | tr -d '\\n')"`

/** Headers that change what a partner answers; ids and defaults of our client do not. */
const telling = /^(authorization|ocpi-(to|from)-(party-id|country-code))$/i

export const curlLine = ({
  request
}: {
  readonly request: Pick<ExchangeRequest, "method" | "url" | "headers" | "body">
}): string => {
  const headers = Object.entries(request.headers)
    .filter(([name]) => telling.test(name))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const body =
    request.body === null ? [] : ["-H 'content-type: application/json'", `-d ${quoted(request.body)}`]
  return ["curl", "-sS", "-i", "-X", request.method, ...headers, ...body, quoted(request.url)].join(" ")
}

/** Single quotes keep the shell from reading what a partner wrote; only the secret's variable is left open. */
function quoted(text: string): string {
  return text
    .split(secret)
    .map((part) => (part.startsWith("base64(«") ? encoded : part.startsWith("«") ? plain : literal(part)))
    .filter((part) => part !== "''")
    .join("")
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
