import { useQuery } from "@tanstack/react-query"
import { accountQuery, auditQuery } from "../data/queries.ts"
import { Page } from "../elements/Page.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useView } from "../elements/useView.ts"
import { capital } from "../format/words.ts"
import { About } from "./About.tsx"
import { ApiKeys } from "./ApiKeys.tsx"
import { Egress } from "./Egress.tsx"

const tabs = [
  ["keys", "API keys"],
  ["account", "Account"],
  ["egress", "Outgoing calls"],
  ["audit", "Audit"],
  ["about", "About"]
] as const

const parts = {
  keys: <ApiKeys />,
  account: <Account />,
  egress: <Egress />,
  audit: <Audit />,
  about: <About />
}

/** Keys, the account with its limits, and what was done with the keys. */
export function SettingsPage() {
  const [view, change] = useView()
  const tab = tabs.find(([name]) => name === view["tab"])?.[0] ?? "keys"
  return (
    <Page title="Settings">
      <nav className="chips" aria-label="Parts of the settings">
        {tabs.map(([name, title]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={name === tab}
            onClick={() => change({ tab: name }, true)}
          >
            {title}
          </button>
        ))}
      </nav>
      {parts[tab]}
    </Page>
  )
}

/** `connectionCommands` as `Connection commands`. */
const spaced = (name: string) => capital(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

function Account() {
  const account = useQuery(accountQuery())
  return (
    <section className="card stack">
      <Shown of={account}>
        {({ account: name, capabilities, limits, plan }) => (
          <>
            <dl className="facts">
              <dt>Account</dt>
              <dd>{name}</dd>
              <dt>Plan</dt>
              <dd>{plan}</dd>
              <dt>Capabilities</dt>
              <dd>{capabilities.map((each) => each.replaceAll("_", " ")).join(", ")}</dd>
            </dl>
            <table className="rows">
              <thead>
                <tr>
                  <th>Limit</th>
                  <th>Used</th>
                  <th>Of</th>
                  <th>Per</th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(limits).map(([limit, { limit: most, per, used }]) => (
                  <tr key={limit}>
                    <td>{spaced(limit)}</td>
                    <td>{used ?? "–"}</td>
                    <td>{most ?? "no limit"}</td>
                    <td>{per}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Shown>
    </section>
  )
}

function Audit() {
  const audit = useQuery(auditQuery())
  return (
    <section className="card">
      <h2>The last 50 acts</h2>
      <Shown of={audit}>
        {(acts) =>
          acts.length === 0 ? (
            <Empty>
              <p>Nothing was done yet.</p>
            </Empty>
          ) : (
            <div className="scroll-x" tabIndex={0} role="group" aria-label="Audit">
              <table className="rows">
                <thead>
                  <tr>
                    <th>When</th>
                    <th>Key</th>
                    <th>Act</th>
                    <th>Of</th>
                    <th>Answer</th>
                  </tr>
                </thead>
                <tbody>
                  {acts.map(({ _id, action, at, key, status, target }) => (
                    <tr key={_id}>
                      <td>
                        <Time at={at} />
                      </td>
                      <td>{key?.name ?? "–"}</td>
                      <td>{action}</td>
                      <td className="mono">{target ?? "–"}</td>
                      <td>{status}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </section>
  )
}
