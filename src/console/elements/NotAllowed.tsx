import type { KeyScope } from "../data/useAllowed.ts"

/** In the place of controls that the key of this browser does not allow: which scope they need. */
export const NotAllowed = ({ scope, to }: { readonly scope: KeyScope; readonly to: string }) => (
  <p className="quiet small">
    The API key of this browser cannot {to}: it lacks the scope <span className="mono">{scope}</span>.
  </p>
)
