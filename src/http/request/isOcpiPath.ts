/** Whether the path belongs to the OCPI side. */
export const isOcpiPath = (path: string): boolean =>
  /^\/(api\/v1\/)?ocpi(\/|$)|^\/sandbox\/[^/]+\/ocpi(\/|$)/.test(path)
