const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** A size for people, in the unit that leaves one to three digits before the point: "12.3 kB". */
export function shortBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}
