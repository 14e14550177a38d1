import { prove } from "./support/prove.ts"
import { isCommanded } from "./support/scenes.ts"

prove("what the CPO does on command", ({ role, scene }) => role === "CPO" && isCommanded(scene))
