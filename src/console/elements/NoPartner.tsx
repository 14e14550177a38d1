import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Empty } from "./States.tsx"

/** There is no connection yet: why one is needed, and the two ways to make one. */
export const NoPartner = ({ children }: { readonly children: ReactNode }) => (
  <Empty>
    <p>{children}</p>
    <span className="row">
      <Link to="/connections/new" className="button first">
        New connection
      </Link>
      <Link to="/sandbox" className="button">
        Sandbox
      </Link>
    </span>
  </Empty>
)
