import { prove } from "./support/prove.ts"

prove("what the CPO serves", ({ role, scene }) => role === "CPO" && scene === "reading")
