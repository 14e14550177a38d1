import { useQuery } from "@tanstack/react-query"
import { aboutQuery } from "../data/settingsQueries.ts"
import { Shown } from "../elements/States.tsx"

/** What this service is: its version, its licence, and where its interfaces are described. */
export function About() {
  const about = useQuery(aboutQuery())
  return (
    <section className="card stack">
      <h2>About</h2>
      <Shown of={about}>
        {({ description, license, title, version }) => (
          <>
            <dl className="facts">
              <dt>Version</dt>
              <dd>
                {title} {version}
              </dd>
              <dt>Licence</dt>
              <dd>
                <a href={`/assets/LICENSE.txt?v=${version}`}>{license.name}</a>
              </dd>
              <dt>Of its packages</dt>
              <dd>
                <a href={`/assets/THIRD_PARTY_NOTICES.txt?v=${version}`}>
                  Licences and notices of all packages
                </a>
              </dd>
              <dt>Interfaces</dt>
              <dd>
                <a href="/docs">Documentation of the API</a>, <a href="/openapi.json">OpenAPI document</a>
              </dd>
            </dl>
            <p className="quiet">{description.replaceAll("`", "")}</p>
          </>
        )}
      </Shown>
    </section>
  )
}
