/** Requests as curl commands. The shell variable `$TOKEN` stands for the secret; all other text is quoted literally. */
import type { ExchangeRequest } from "../../schema/Exchange.ts"

/** The placeholders of secrets, raw or Base64. */
const secret = /(base64\(«[^«»]*»\)|«[^«»]*»)/
const plain = '"$TOKEN"'
const encoded = `"$(printf %s "$TOKEN" | base64 | tr -d '\\n')"`

/** The headers that influence the partner's answer; ids and defaults of our client do not. */
const telling = /^(authorization|ocpi-(to|from)-(party-id|country-code))$/i

/** A curl command that repeats the request, with its body and the headers that matter. */
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

/** Single quotes keep the shell from interpreting text of a partner; only the variable of the secret is outside of them. */
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
