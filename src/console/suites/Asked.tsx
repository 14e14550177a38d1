import { clauseInWords } from "../../reports/clauseInWords.ts"
import { asPages } from "../format/asPages.ts"
import { count } from "../format/words.ts"
import { type askedOf, needInWords } from "./orderOf.ts"

/** The checks of the order, each with what is sent, what passes, and what somebody has to do or to allow for it. */
export function Asked({ checks }: { readonly checks: ReturnType<typeof askedOf> }) {
  const acts = checks.filter(({ need }) => need === "partner_acts").length
  return (
    <details>
      <summary>
        What will be asked
        {acts === 0 ? "" : `: ${count(acts, "check")} ${acts === 1 ? "needs" : "need"} an act at the partner`}
      </summary>
      <table className="rows">
        <thead>
          <tr>
            <th>Check</th>
            <th>Rule</th>
            <th>Strength</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ id, need, passes, reference, sends, strength, title }) => (
            <tr key={id}>
              <td className="mono">{id}</td>
              <td>
                {title}
                <br />
                <span className="quiet small">
                  {clauseInWords(reference)}. {asPages(sends)} Passes: {asPages(passes)}
                </span>
                {need === undefined || need === "partner_data" ? null : (
                  <>
                    <br />
                    <span className="small">
                      <b>Needs</b> {needInWords(need)}
                    </span>
                  </>
                )}
              </td>
              <td>{strength}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
