/** Answers that are written straight to a socket, where there is no request or no response of Node's: errors in their one form. */
import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"

/** Nothing of ours is sniffed, framed or cached; an error has nothing to run or load. */
export const plainHeaders = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"
} as const

export const errorBody = (message: string): string => JSON.stringify({ success: false, message })

/** A whole HTTP/1.1 answer, after which the connection ends. */
export const rawAnswer = (
  status: number,
  message: string,
  more: Readonly<Record<string, string>> = {}
): string => {
  const body = errorBody(message)
  const headers = {
    Connection: "close",
    ...plainHeaders,
    "X-Request-Id": randomUUID(),
    ...more,
    "Content-Length": String(Buffer.byteLength(body))
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`
}
