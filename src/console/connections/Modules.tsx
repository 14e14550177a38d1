import { useQuery } from "@tanstack/react-query"
import { type Connection, modulesQuery } from "../data/queries.ts"
import { baseOf } from "../format/baseOf.ts"

/** The modules that the partner offers, and those that the version has beside them. */
export function Modules({ connection }: { readonly connection: Connection }) {
  const { endpoints, ocpiVersion, status } = connection
  const modules = useQuery(modulesQuery(ocpiVersion))
  const missing = (modules.data ?? []).filter((module) =>
    endpoints.every(({ identifier }) => identifier !== module)
  )
  const base = baseOf(endpoints.map(({ url }) => url))
  return (
    <section className="card">
      <h2>Modules</h2>
      {endpoints.length === 0 ? (
        <p className="quiet">Known once the partner has been registered with.</p>
      ) : (
        <>
          {base === "" ? null : (
            <p className="small">
              <span className="quiet">All below</span> <span className="mono">{base}</span>
            </p>
          )}
          <table className="rows stacked">
            <thead>
              <tr>
                <th>Module</th>
                <th>Role</th>
                <th>{base === "" ? "URL" : "Path"}</th>
              </tr>
            </thead>
            <tbody>
              {endpoints.map(({ identifier, role, url }) => (
                <tr key={`${identifier} ${role}`}>
                  <td className="whole">{identifier}</td>
                  <td className="whole">{role === null ? "–" : role.toLowerCase()}</td>
                  <td className="mono">{url.slice(base.length) || "/"}</td>
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
