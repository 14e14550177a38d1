/** Modules that concern the registration alone: that they answer a method, or let it hang, says nothing about the others. */
export const isApart = (module: string): boolean => module === "credentials" || module === "versions"
