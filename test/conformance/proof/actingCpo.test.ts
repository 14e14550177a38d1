import { prove } from "./prove.ts"
import { isCommanded } from "./scenes.ts"

prove(
  "what the CPO does and is told",
  ({ role, scene }) => role === "CPO" && scene !== "reading" && !isCommanded(scene)
)
