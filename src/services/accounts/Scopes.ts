/** The check of a scope. */
import { Effect } from "effect"
import type { Caller, Scope } from "../../../schema/Account.ts"
import { Forbidden } from "../../../schema/Errors.ts"

/** Fails when the caller's key does not carry the scope. */
export const requireScope = (caller: Caller, scope: Scope): Effect.Effect<void, Forbidden> =>
  caller.scopes.includes(scope)
    ? Effect.void
    : new Forbidden({
        message: `This key lacks the scope "${scope}" (it has ${caller.scopes.join(", ") || "none"}); use a key that has it`
      })
