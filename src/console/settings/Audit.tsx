import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { itemsOf } from "../data/pagesOf.ts"
import { auditPagesQuery } from "../data/settingsQueries.ts"
import { ShowOlder } from "../elements/ShowOlder.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { Tip } from "../elements/Tip.tsx"
import { actInWords, answerInWords } from "./auditWords.ts"

/** What was done with the keys of the account, newest first, page by page. */
export function Audit() {
  const audit = useInfiniteQuery(auditPagesQuery())
  return (
    <section className="card stack">
      <h2>What was done</h2>
      <Shown of={audit}>
        {(read) =>
          itemsOf(read).length === 0 ? (
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
                    <th>Action</th>
                    <th>Target</th>
                    <th>Answer</th>
                  </tr>
                </thead>
                <tbody>
                  {itemsOf(read).map(({ _id, action, at, key, replay, result, status, target }) => (
                    <tr key={_id}>
                      <td>
                        <Time at={at} />
                      </td>
                      <td>{key?.name ?? "the operator"}</td>
                      <td>
                        <Tip text={action}>{actInWords(action)}</Tip>
                        {replay ? <span className="quiet small"> (repeated: nothing was done)</span> : null}
                      </td>
                      <td className="mono">
                        <Target id={target ?? result ?? null} />
                      </td>
                      <td>{answerInWords(status)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
      <ShowOlder of={audit} what="acts" />
    </section>
  )
}

/** The pages of what an act is about, by the beginning of its id. */
const pages = {
  conn: "/connections/$id",
  rep: "/runs/$id",
  run: "/journeys/$id"
} as const

function Target({ id }: { readonly id: string | null }) {
  if (id === null) return "–"
  const kind = id.split("_")[0] ?? ""
  return kind in pages ? (
    <Link to={pages[kind as keyof typeof pages]} params={{ id }}>
      {id}
    </Link>
  ) : (
    id
  )
}
