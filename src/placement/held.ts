/** Conditions of SQL on the rows of `run` and `server_process`: whether a run is held, and that a process is alive. */

/** `lease_until` of a run that is held for as long as its process is alive. */
export const whileAlive = "timestamptz '9999-12-31 00:00:00+00'"

/**
 * Does a process work on the run of this row? A process of a release before migration 22 says so by a `lease_until` that it
 * renews; so does, for a moment, one that has given the run up.
 */
export const isHeld = `(lease_owner is not null and lease_until > now() and (lease_until < ${whileAlive}
  or lease_owner collate "C" in (select id from server_process where alive_until > now())))`

/**
 * Part of a statement by which a process takes a run: who does so is alive, even if its heartbeat is late. `id` and `seconds`:
 * parameters.
 */
export const nowAlive = (id: string, seconds: string) => `
  now_alive as (
    update server_process set alive_until = now() + ${seconds}::float8 * interval '1 second'
    where id = ${id} and alive_until <= now()
  )`
