import { useQuery } from "@tanstack/react-query"
import { type Connection, modulesQuery } from "../data/queries.ts"

/** The modules that the partner offers, and those that the version has beside them. */
export function Modules({ connection }: { readonly connection: Connection }) {
  const { endpoints, ocpiVersion, status } = connection
  const modules = useQuery(modulesQuery(ocpiVersion))
  const missing = (modules.data ?? []).filter((module) =>
    endpoints.every(({ identifier }) => identifier !== module)
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
              OCPI {ocpiVersion} also has {missing.join(", ")}, which this partner does not offer: their
              checks are not applicable.
            </p>
          )}
        </>
      )}
    </section>
  )
}
