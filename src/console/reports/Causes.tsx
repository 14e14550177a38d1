import { Fragment, type ReactNode, useMemo } from "react"
import type { Assertion } from "../../client/plugfest.ts"
import { Badge } from "../elements/Badge.tsx"
import { asPages } from "../format/asPages.ts"
import type { ReportCause } from "../format/ReportCause.ts"
import { attributedTo, count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { isToMend, mendBeside, outcomeOf, placeCount } from "./groupChecks.ts"

const most = 12
/** How many of a list are shown at once. */
const first = 3

/**
 * What to mend: the causes of the report, each with the partner's words and with what it keeps from being judged, and the
 * checks that failed or warned beside them. `causes`: undefined while they are read.
 */
export function Causes({
  causes = [],
  checks,
  select
}: {
  readonly causes: ReadonlyArray<ReportCause> | undefined
  readonly checks: ReadonlyArray<Assertion>
  readonly select: (id: string) => void
}) {
  const alone = useMemo(() => mendBeside(causes, checks), [causes, checks])
  return (
    <>
      <Listed part="causes" title={`What to mend: ${count(causes.length, "cause")}`} all={causes}>
        {(cause) => (
          <Item
            key={`${cause.found[0]} ${cause.blocked[0]}`}
            outcome={outcomeOf(cause, checks)}
            what={cause.what}
            says={cause.partnerSaid}
            hint={cause.hint}
          >
            <p className="small quiet">{attributedTo(cause.attribution)}</p>
            {cause.found.length === 0 ? null : (
              <p className="small quiet">
                {foundInWords(cause)} <CheckLinks ids={cause.found} select={select} />
              </p>
            )}
            {cause.blocked.length === 0 ? null : (
              <p className="small quiet">
                Keeps {count(cause.blocked.length, "check")} from being judged:{" "}
                <CheckLinks ids={cause.blocked} select={select} />
              </p>
            )}
          </Item>
        )}
      </Listed>
      <Listed
        part="findings"
        title={`${causes.length === 0 ? "What to mend" : "What else to mend"}: ${count(alone.length, "check")}`}
        all={alone}
      >
        {(check) => <MendCheck key={check.id} check={check} select={select} />}
      </Listed>
    </>
  )
}

/** What the checks that a cause was found by have to do with it, before their ids. */
const foundInWords = ({ attribution, places = 0 }: ReportCause): string =>
  attribution === "ours" ? "Ended" : places > 1 ? `${count(places, "place")} · reported by` : "Reported by"

/**
 * The checks that failed or warned in a run that goes on, whose causes are not known, in the order in which they come: each new one
 * stands below the others.
 */
export function FoundSoFar({
  checks,
  select
}: {
  readonly checks: ReadonlyArray<Assertion>
  readonly select: (id: string) => void
}) {
  const found = useMemo(() => checks.filter(isToMend), [checks])
  if (found.length === 0)
    return <p className="empty card">Nothing to mend so far. What fails or is warned about is listed here.</p>
  return (
    <Listed part="findings" title={`What to mend so far: ${count(found.length, "check")}`} all={found}>
      {(check) => <MendCheck key={check.id} check={check} select={select} />}
    </Listed>
  )
}

const MendCheck = ({
  check,
  select
}: {
  readonly check: Assertion
  readonly select: (id: string) => void
}) => (
  <Item
    outcome={check.outcome}
    what={check.findings?.[0]?.message ?? check.message ?? check.title}
    says={check.partnerSaid}
    hint={check.hint}
  >
    {check.attribution === undefined ? null : (
      <p className="small quiet">{attributedTo(check.attribution)}</p>
    )}
    <p className="small quiet">
      {placeCount(check) > 1 ? `${count(placeCount(check), "place")} · ` : ""}
      <CheckLinks ids={[check.id]} select={select} />
    </p>
  </Item>
)

function Listed<Each>({
  all,
  children,
  part,
  title
}: {
  /** Names the list in the URL where it is shown whole. */
  readonly part: string
  readonly title: string
  readonly all: ReadonlyArray<Each>
  readonly children: (each: Each) => ReactNode
}) {
  const [view, change] = useView()
  const whole = view["whole"]?.split(".") ?? []
  const isWhole = whole.includes(part)
  if (all.length === 0) return null
  const shown = isWhole ? all.slice(0, most) : all.slice(0, first)
  return (
    <section className="card stack tight">
      <h2>{title}</h2>
      <ol className="stack tight">{shown.map(children)}</ol>
      {all.length <= first ? null : isWhole ? (
        all.length > most ? (
          <p className="quiet small">And {all.length - most} more, in the list of checks.</p>
        ) : null
      ) : (
        <div>
          <button
            type="button"
            className="button small"
            onClick={() => change({ whole: [...whole, part].join(".") })}
          >
            Show {Math.min(all.length, most) - first} more
          </button>
        </div>
      )}
    </section>
  )
}

function Item({
  children,
  hint,
  outcome,
  says,
  what
}: {
  readonly outcome: Assertion["outcome"]
  readonly what: string
  /** The partner's own words. */
  readonly says: string | undefined
  readonly hint: string | undefined
  readonly children: ReactNode
}) {
  return (
    <li className="cause">
      <Badge word={outcome} />
      <div>
        <p>{asPages(what)}</p>
        {says === undefined ? null : (
          <p>
            The partner says: <q className="mono">{says}</q>
          </p>
        )}
        {hint === undefined ? null : <p className="quiet">{asPages(hint)}</p>}
        {children}
      </div>
    </li>
  )
}

/** The first of these checks, each as a link to it, and how many there are more. */
export function CheckLinks({
  ids,
  select
}: {
  readonly ids: ReadonlyArray<string>
  readonly select: (id: string) => void
}) {
  return (
    <>
      {ids.slice(0, most).map((id, index) => (
        <Fragment key={id}>
          {index === 0 ? "" : " "}
          <button type="button" className="link" onClick={() => select(id)}>
            {id}
          </button>
        </Fragment>
      ))}
      {ids.length > most ? ` and ${ids.length - most} more` : ""}
    </>
  )
}
