// Relative times, such as "3 minutes ago".
const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Both arguments in epoch seconds; a moment of 0 means never. */
export function relativeTime(moment: number, now: number): string {
  if (moment === 0) return 'never'
  const seconds = Math.max(0, now - moment)
  const [unit, length] = STEPS.find(([, length]) => seconds >= length) ?? ['', 0]
  if (unit === '') return 'just now'
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
