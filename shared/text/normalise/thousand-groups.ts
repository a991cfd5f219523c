// Splits an integer into groups of three digits. Pure.

export type ThousandGroup = {
  readonly group: number /** 0 for units, 1 for thousands. */
  readonly scale: number
  readonly isLast: boolean
}

/** From the highest group down; at most five for numbers below 10^15. */
export function thousandGroups(value: number): ThousandGroup[] {
  const groups: ThousandGroup[] = []
  for (let rest = value, scale = 0; rest > 0 || scale === 0; rest = Math.trunc(rest / 1000), scale++)
    groups.unshift({ group: rest % 1000, scale, isLast: scale === 0 })
  return groups
}
