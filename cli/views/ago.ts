// Moments as a person says them.
const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Both in epoch seconds; 0 is never. */
export function ago(moment: number, now: number): string {
  if (moment === 0) return 'never'
  const seconds = Math.max(0, now - moment)
  const [unit, length] = STEPS.find(([, length]) => seconds >= length) ?? ['', 0]
  if (unit === '') return 'just now'
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
