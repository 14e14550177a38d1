/** Error answers that are written directly to a socket, where Node has no request or no response object. */
import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"
import { safeHeaders } from "./answers.ts"
import { errorBody } from "./bodies.ts"

/** Headers of an answer that is JSON and that no encoder writes. */
export const jsonHeaders = { "content-type": "application/json", ...safeHeaders } as const

/** A complete HTTP/1.1 answer as text; the connection closes after it. */
export const rawAnswer = (
  status: number,
  message: string,
  more: Readonly<Record<string, string>> = {}
): string => {
  const body = errorBody(message)
  const headers = {
    Connection: "close",
    ...jsonHeaders,
    "X-Request-Id": randomUUID(),
    ...more,
    "Content-Length": String(Buffer.byteLength(body))
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`
}
