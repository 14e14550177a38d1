import { isCommanded } from "../support/scenes.ts"
import { prove } from "./support/prove.ts"

prove(
  "what the CPO does and is told",
  ({ role, scene }) => role === "CPO" && scene !== "reading" && !isCommanded(scene)
)
