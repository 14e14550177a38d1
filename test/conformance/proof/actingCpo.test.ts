import { prove } from "./support/prove.ts"
import { isCommanded } from "./support/scenes.ts"

prove(
  "what the CPO does and is told",
  ({ role, scene }) => role === "CPO" && scene !== "reading" && !isCommanded(scene)
)
