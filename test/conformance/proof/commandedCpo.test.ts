import { prove } from "./prove.ts"
import { isCommanded } from "./scenes.ts"

prove("what the CPO does on command", ({ role, scene }) => role === "CPO" && isCommanded(scene))
