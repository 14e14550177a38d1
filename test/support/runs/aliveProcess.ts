import type pg from "pg"

/** A process of that id that counts as alive for a day: services on the same database leave its runs alone. */
export const aliveProcess = (pool: pg.Pool, id: string) =>
  pool.query(
    `INSERT INTO server_process (id, alive_until) VALUES ($1, now() + interval '1 day')
     ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
    [id]
  )
