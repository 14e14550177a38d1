import { useQuery } from "@tanstack/react-query"
import type { Answer } from "../data/queries.ts"
import { accountQuery } from "../data/settingsQueries.ts"
import { Page } from "../elements/Page.tsx"
import { Shown } from "../elements/States.tsx"
import { Tabs, tabOf } from "../elements/Tabs.tsx"
import { useView } from "../hooks/useView.ts"
import { About } from "./About.tsx"
import { ApiKeys } from "./ApiKeys.tsx"
import { Audit } from "./Audit.tsx"
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
  const [view] = useView()
  const tab = tabOf(tabs, view)
  return (
    <Page title="Settings">
      <Tabs label="Parts of the settings" tabs={tabs} without={["url"]} />
      {parts[tab]}
    </Page>
  )
}

/** What each limit counts. */
const limitWords: Record<keyof Answer<"settings.account">["limits"], string> = {
  requests: "Requests with this API key",
  commands: "Commands with this API key",
  connectionCommands: "Commands to one partner",
  partnerCalls: "Calls of one partner",
  partnerKilobytes: "Kilobytes that one partner sends",
  accountCalls: "Calls of all partners",
  accountKilobytes: "Kilobytes that all partners send",
  runs: "Runs that are open",
  streams: "Streams of events that are read",
  connections: "Connections",
  sandboxPartners: "Sandbox partners",
  keys: "API keys"
}

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
                    <td>{limitWords[limit as keyof typeof limitWords]}</td>
                    <td className="whole">{used ?? "–"}</td>
                    <td className="whole">{most ?? "no limit"}</td>
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
