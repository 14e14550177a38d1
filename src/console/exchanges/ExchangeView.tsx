import { useEffect, useRef } from "react"
import type { Exchange } from "../data/queries.ts"
import { Copy } from "../elements/Copy.tsx"
import { duration } from "../format/time.ts"
import { count, inWords } from "../format/words.ts"
import { curlOf } from "./curlOf.ts"
import { splitAtPointer } from "./jsonPlace.ts"

/** A body as text, with the place that a JSON Pointer names marked, and in sight of the box. */
export function Body({ pointer, text }: { readonly text: string; readonly pointer?: string | undefined }) {
  const { after, at, before } = splitAtPointer(text, pointer)
  const box = useRef<HTMLPreElement>(null)
  useEffect(() => {
    // Not `scrollIntoView`, which would move the page, too.
    const mark = box.current?.querySelector("mark")
    if (pointer === undefined || box.current == null || mark == null) return
    const distance = mark.getBoundingClientRect().top - box.current.getBoundingClientRect().top
    box.current.scrollTop += distance - box.current.clientHeight / 3
  }, [pointer])
  return (
    <pre className="code" tabIndex={0} ref={box}>
      {before}
      {at === "" ? null : <mark>{at}</mark>}
      {after}
    </pre>
  )
}

/** Whose exchange it is: what is outbound for a sandbox partner, the partner has sent. */
export type Side = "plugfest" | "partner"

const senderOf = ({ direction }: Exchange, side: Side): Side =>
  (direction === "outbound") === (side === "plugfest") ? "plugfest" : "partner"

/** `POST locations 200 · 1000 · 24 ms`: an exchange in one line. */
export function ExchangeLine({
  exchange,
  side = "plugfest"
}: {
  readonly exchange: Exchange
  readonly side?: Side
}) {
  const { durationMs, outcome, request, response } = exchange
  return (
    <span className="exchange-line">
      <span className="quiet">{senderOf(exchange, side)} →</span>
      <b>{request.method}</b>
      <span className="mono">{pathOf(request.url)}</span>
      <span className={response === null || response.httpStatus >= 400 ? "outcome-bad" : ""}>
        {response === null
          ? inWords(outcome)
          : `${response.httpStatus}${response.ocpiStatusCode === null ? "" : ` · ${response.ocpiStatusCode}`}`}
      </span>
      <span className="quiet">{duration(durationMs)}</span>
    </span>
  )
}

/** The path with its query: the host is the same for most. */
const pathOf = (url: string): string => /^https?:\/\/[^/]+(\/.*)$/.exec(url)?.[1] ?? url

/** Request and answer side by side. `pointer` leads into the body that was judged. */
export function ExchangeView({
  exchange,
  pointer,
  side = "plugfest"
}: {
  readonly exchange: Exchange
  readonly pointer?: string | undefined
  readonly side?: Side
}) {
  const { fault, outcome, request, response } = exchange
  const isOurs = senderOf(exchange, side) === "plugfest"
  return (
    <div className="stack tight exchange">
      <div>
        <Copy label="Copy as curl" text={curlOf(exchange)} />
      </div>
      <div className="columns">
        <Message
          title={isOurs ? "plugfest sent" : "The partner sent"}
          line={`${request.method} ${request.url}`}
          {...request}
          pointer={isOurs ? undefined : pointer}
        />
        {response === null ? (
          <div className="stack tight">
            <h3>No answer</h3>
            <p className="note warn">
              {inWords(outcome)}
              {fault === undefined ? "" : `: ${fault.message}`}
            </p>
          </div>
        ) : (
          <Message
            title={isOurs ? "The partner answered" : "plugfest answered"}
            line={`HTTP ${response.httpStatus}${response.ocpiStatusCode === null ? "" : `, OCPI status_code ${response.ocpiStatusCode}`}`}
            {...response}
            pointer={isOurs ? pointer : undefined}
          />
        )}
      </div>
    </div>
  )
}

function Message({
  body,
  bodyBytes,
  headers,
  line,
  pointer,
  title,
  truncated
}: {
  readonly title: string
  readonly line: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly bodyBytes?: number | undefined
  readonly truncated: boolean
  readonly pointer?: string | undefined
}) {
  return (
    <div className="stack tight">
      <div className="row apart">
        <h3>{title}</h3>
        {body === null ? null : <Copy label="Copy body" text={body} />}
      </div>
      <p className="mono">{line}</p>
      <details>
        <summary className="small">{count(Object.keys(headers).length, "header")}</summary>
        <pre className="code" tabIndex={0}>
          {Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        </pre>
      </details>
      {body === null || body === "" ? (
        <p className="quiet small">No body</p>
      ) : (
        <Body text={body} pointer={pointer} />
      )}
      {truncated ? <p className="quiet small">Cut: the whole body has {bodyBytes ?? "more"} bytes.</p> : null}
    </div>
  )
}
