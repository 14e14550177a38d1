/** Keys that may do everything may see what drivers are recognised by, as they could before there was a scope for it. */
import type { Migration } from "./Migration.ts"

export const personalRead: Migration = {
  id: 16,
  name: "personal_read",
  sql: () => `
    UPDATE api_key SET scopes = scopes || ARRAY['personal:read']
    WHERE scopes @> ARRAY['read', 'run', 'connections:write', 'keys:write'] AND NOT 'personal:read' = ANY (scopes);
  `
}
