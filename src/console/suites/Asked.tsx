import { asPages } from "../format/asPages.ts"
import { clauseInWords } from "../format/clauseInWords.ts"
import type { askedOf } from "./orderOf.ts"

/** The checks of the order, each with what is sent and what passes. */
export const Asked = ({ checks }: { readonly checks: ReturnType<typeof askedOf> }) => (
  <details>
    <summary>What will be asked</summary>
    <table className="rows">
      <thead>
        <tr>
          <th>Check</th>
          <th>Rule</th>
          <th>Strength</th>
        </tr>
      </thead>
      <tbody>
        {checks.map(({ id, passes, reference, sends, strength, title }) => (
          <tr key={id}>
            <td className="mono">{id}</td>
            <td>
              {title}
              <br />
              <span className="quiet small">
                {clauseInWords(reference)}. {asPages(sends)} Passes: {asPages(passes)}
              </span>
            </td>
            <td>{strength}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)
