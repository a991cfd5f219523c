/** The path as one word of a shell command. Another user may have chosen the name. */
export const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`).replaceAll(/[\x00-\x1f\x7f]/g, '?')}'`
