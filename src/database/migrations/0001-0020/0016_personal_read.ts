import type { Migration } from "../Migration.ts"

/** Keys with full rights get the scope to see drivers' personal data, as they could before that scope existed. */
export const personalRead: Migration = {
  id: 16,
  name: "personal_read",
  sql: () => `
    UPDATE api_key SET scopes = scopes || ARRAY['personal:read']
    WHERE scopes @> ARRAY['read', 'run', 'connections:write', 'keys:write'] AND NOT 'personal:read' = ANY (scopes);
  `
}
