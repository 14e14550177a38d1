/** One exchange in HTML: request on the left, answer on the right, headers folded. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { curlLine } from "../curl.ts"
import { durationInWords } from "../RunDocument.ts"
import { bodyOf } from "./body.ts"
import { escape } from "./escape.ts"

/** The exchange as a foldable block; `pointer` is marked in the body that the partner sent. */
export const exchangeOf = (
  exchange: Exchange,
  { id, open = false, pointer }: { id?: string; open?: boolean; pointer?: string } = {}
): string => {
  const { direction, outcome, request, response } = exchange
  const outbound = direction === "outbound"
  const came = response === null ? outcome : String(response.httpStatus)
  const code = response?.ocpiStatusCode == null ? "" : ` / ${response.ocpiStatusCode}`
  return `<details${id === undefined ? "" : ` id="${escape(id)}"`}${open ? " open" : ""}><summary>${outbound ? "→" : "←"} <code>${escape(
    `${request.method} ${request.url}`
  )}</code> <span class="tag">${escape(came + code)}</span><span class="small when">${escape(
    `${outbound ? "we asked" : "the partner asked"}, ${exchange.startedAt}, ${durationInWords(exchange.durationMs)}`
  )}</span></summary>
<div class="panes"><div><h4>Request</h4>${headersOf(request.headers)}${bodyOf(request, outbound ? undefined : pointer)}</div>
<div><h4>${response === null ? "No answer" : `Answer ${escape(came)}`}</h4>${
    response === null
      ? `<p>${escape(exchange.fault === undefined ? outcome : `${exchange.fault.kind}: ${exchange.fault.message}`)}</p>`
      : headersOf(response.headers) + bodyOf(response, outbound ? pointer : undefined)
  }</div></div>${outbound ? `<div class="inside"><pre class="wrap">${escape(curlLine(exchange))}</pre></div>` : ""}</details>`
}

function headersOf(headers: Readonly<Record<string, string>>): string {
  const named = Object.entries(headers)
  return named.length === 0
    ? ""
    : `<details><summary>${named.length} headers</summary><pre class="wrap">${escape(
        named.map(([name, value]) => `${name}: ${value}`).join("\n")
      )}</pre></details>`
}
