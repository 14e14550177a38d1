import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { type Connection, queries, suitesQuery, versionsOf } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Page } from "../elements/Page.tsx"
import { Failure } from "../elements/States.tsx"
import { TextInput } from "../elements/TextInput.tsx"
import { Invitation } from "../handshake/Invitation.tsx"
import { useView } from "../hooks/useView.ts"
import { EgressVerdict } from "./EgressVerdict.tsx"
import { enterPartner, type PartnerEntry } from "./enterPartner.ts"
import { WhatFollows } from "./WhatFollows.tsx"

/** The form of a new partner in three steps: URL, roles, token or invitation. It sends nothing to the partner. */
export function NewConnectionPage() {
  const mayWrite = useAllowed("connections:write")
  return (
    <Page
      title="New connection"
      lead="Nothing is sent to the partner by this page: the next one diagnoses, then you register."
    >
      {mayWrite ? <Guide /> : <NotAllowed scope="connections:write" to="enter a partner" />}
    </Page>
  )
}

function Guide() {
  const navigate = useNavigate()
  const suites = useQuery(suitesQuery())
  const versions = versionsOf(suites.data)
  // What is no secret stands in the URL, so that a prepared form can be sent to somebody.
  const [view] = useView()
  const { invites, isProduction, ourRole, theirRole } = choicesIn(view)
  const ocpiVersion = versions.find((version) => version === view["version"]) ?? versions.at(-1)
  const [tokenA, setTokenA] = useState("")
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () =>
      enterPartner({
        partnerBaseUrl: (view["url"] ?? "").trim(),
        tokenA: invites ? undefined : tokenA.trim(),
        theirRole,
        ourRole,
        ocpiVersion: ocpiVersion!,
        environment: isProduction ? "production" : "test",
        label: view["label"]?.trim() || undefined
      } satisfies PartnerEntry),
    onSuccess: async ({ invitation, made, problem }) => {
      await queries.invalidateQueries({ queryKey: ["connections"] })
      if (invitation === undefined && problem === undefined)
        await navigate({ to: "/connections/$id", params: { id: made._id }, search: { tab: "begin" } })
    }
  })
  if (data?.invitation !== undefined) return <Invited made={data.made} invitation={data.invitation} />
  if (data?.problem !== undefined) return <NotInvited made={data.made} problem={data.problem} />
  return (
    <div className="guide">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Where />
        <Who versions={versions} ocpiVersion={ocpiVersion} />
        <FirstToken tokenA={tokenA} setTokenA={setTokenA} />
        {error === null ? null : <Failure error={error} />}
        <div className="row">
          <button type="submit" className="button first" disabled={isPending || ocpiVersion === undefined}>
            {invites ? "Invite the partner" : "Enter the partner"}
          </button>
          <Link to="/sandbox" className="button">
            I have no partner: use the sandbox
          </Link>
        </div>
      </form>
      <WhatFollows invites={invites} ourRole={ourRole} />
    </div>
  )
}

/** What the URL says of the form's choices. */
function choicesIn(view: Readonly<Record<string, string>>) {
  const theirRole = view["role"] === "EMSP" ? "EMSP" : "CPO"
  return {
    theirRole,
    ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
    isProduction: view["environment"] === "production",
    /** The partner registers with us, by a Token A of ours. */
    invites: view["token"] === "none"
  } as const
}

function Where() {
  const [view, change] = useView()
  const { isProduction } = choicesIn(view)
  return (
    <Step number={1} title="Where is the partner?">
      <label className="field">
        <span>Versions URL of the partner</span>
        <TextInput
          type="url"
          required
          placeholder="https://cpo.example.com/ocpi/versions"
          value={view["url"] ?? ""}
          change={(url) => change({ url })}
        />
      </label>
      <EgressVerdict url={view["url"] ?? ""} />
      <label className="choice">
        <input
          type="checkbox"
          checked={isProduction}
          onChange={(event) => change({ environment: event.target.checked ? "production" : undefined })}
        />
        <span>
          This is a production system
          <small className="quiet"> – plugfest then only reads, and reports what it left out</small>
        </span>
      </label>
    </Step>
  )
}

function Who({
  ocpiVersion,
  versions
}: {
  readonly versions: ReadonlyArray<string>
  readonly ocpiVersion: string | undefined
}) {
  const [view, change] = useView()
  const { ourRole, theirRole } = choicesIn(view)
  return (
    <Step number={2} title="Who is the partner?">
      <div className="columns">
        <label className="field">
          <span>The partner is a</span>
          <select value={theirRole} onChange={(event) => change({ role: event.target.value })}>
            <option value="CPO">CPO, with charge points</option>
            <option value="EMSP">EMSP, with drivers</option>
          </select>
          <small>plugfest plays the {ourRole}.</small>
        </label>
        <label className="field">
          <span>OCPI version</span>
          <select value={ocpiVersion ?? ""} onChange={(event) => change({ version: event.target.value })}>
            {versions.map((version) => (
              <option key={version}>{version}</option>
            ))}
          </select>
        </label>
      </div>
      <label className="field">
        <span>Label</span>
        <TextInput
          type="text"
          maxLength={100}
          value={view["label"] ?? ""}
          change={(label) => change({ label })}
        />
        <small>Left empty, it is made of role, host and version.</small>
      </label>
    </Step>
  )
}

/** The token is a secret: it does not stand in the URL. */
function FirstToken({
  setTokenA,
  tokenA
}: {
  readonly tokenA: string
  readonly setTokenA: (token: string) => void
}) {
  const [view, change] = useView()
  const { invites } = choicesIn(view)
  return (
    <Step number={3} title="Who gives the first token?">
      <label className="choice">
        <input type="radio" name="token" checked={!invites} onChange={() => change({ token: undefined })} />
        <span>The partner gave me one: plugfest registers with it</span>
      </label>
      <label className="choice">
        <input type="radio" name="token" checked={invites} onChange={() => change({ token: "none" })} />
        <span>I have none yet: plugfest issues one, and the partner registers with plugfest</span>
      </label>
      {invites ? null : (
        <label className="field">
          <span>Token A</span>
          <input
            type="password"
            autoComplete="off"
            required
            maxLength={256}
            value={tokenA}
            onChange={(event) => setTokenA(event.target.value)}
          />
          <small>
            The credentials token that the partner gave you. It is stored encrypted and never shown again.
          </small>
        </label>
      )}
    </Step>
  )
}

const Step = ({
  children,
  number,
  title
}: {
  readonly number: number
  readonly title: string
  readonly children: ReactNode
}) => (
  <section className="card stack" aria-label={`Step ${number}: ${title}`}>
    <h2>
      <span className="step-number">{number}</span> {title}
    </h2>
    {children}
  </section>
)

const Invited = ({
  invitation,
  made
}: {
  readonly made: Connection
  readonly invitation: Parameters<typeof Invitation>[0]["invitation"]
}) => (
  <section className="card stack form" aria-live="polite">
    <h2>{made.label} is entered, and invited</h2>
    <Invitation invitation={invitation} />
    <div>
      <Link to="/connections/$id" params={{ id: made._id }} className="button first">
        I have both: wait for the partner
      </Link>
    </div>
  </section>
)

/** In place of the form: a second press of its button would enter the partner a second time. */
const NotInvited = ({ made, problem }: { readonly made: Connection; readonly problem: unknown }) => (
  <section className="card stack form" aria-live="polite">
    <h2>{made.label} is entered, and not invited</h2>
    <Failure error={problem} />
    <p>“Invite the partner” on its page issues the Token A.</p>
    <div>
      <Link to="/connections/$id" params={{ id: made._id }} className="button first">
        Open the connection
      </Link>
    </div>
  </section>
)
