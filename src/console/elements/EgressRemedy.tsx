import { egressRemedy } from "../format/egressRemedy.ts"
import { CopyBlock } from "./Copy.tsx"

/** The command that lets the service call a private address; nothing where another rule of the egress guard refuses. */
export const EgressRemedy = ({ rule, url }: { readonly rule: string; readonly url: string }) =>
  rule === "address" ? (
    <div className="stack tight">
      <p className="small">Is the partner in a network of yours? Whoever runs this service starts it so:</p>
      <CopyBlock text={egressRemedy(url)} />
    </div>
  ) : null
