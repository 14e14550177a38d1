import { useQuery } from "@tanstack/react-query"
import { type Connection, suitesQuery } from "../data/queries.ts"

/** The modules that the partner offers, and those that the version has for its role and it does not offer. */
export function Modules({ connection }: { readonly connection: Connection }) {
  const { endpoints, ocpiVersion, status, theirRole } = connection
  const suites = useQuery(suitesQuery())
  const known = (suites.data ?? [])
    .filter((suite) => suite.ocpiVersion === ocpiVersion && suite.theirRole === theirRole)
    .flatMap(({ modules }) => modules)
  // Versions are what the endpoints are read from.
  const missing = [...new Set(known)].filter(
    (module) => module !== "versions" && endpoints.every(({ identifier }) => identifier !== module)
  )
  return (
    <section className="card">
      <h2>Modules</h2>
      {endpoints.length === 0 ? (
        <p className="quiet">Known once the partner has been registered with.</p>
      ) : (
        <>
          <table className="rows">
            <thead>
              <tr>
                <th>Module</th>
                <th>Role</th>
                <th>URL</th>
              </tr>
            </thead>
            <tbody>
              {endpoints.map(({ identifier, role, url }) => (
                <tr key={`${identifier} ${role}`}>
                  <td className="whole">{identifier}</td>
                  <td className="whole">{role === null ? "–" : role.toLowerCase()}</td>
                  <td className="mono">{url}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {missing.length === 0 || status !== "registered" ? null : (
            <p className="quiet">
              OCPI {ocpiVersion} also has for a {theirRole}: {missing.join(", ")}. The partner does not offer
              them; their checks are not applicable.
            </p>
          )}
        </>
      )}
    </section>
  )
}
