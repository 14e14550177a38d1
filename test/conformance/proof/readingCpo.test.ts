import { prove } from "./prove.ts"

prove("what the CPO serves", ({ role, scene }) => role === "CPO" && scene === "reading")
