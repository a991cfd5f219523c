import type { Random } from '#shared/runtime/random.ts'

/** Eight hexadecimal digits, the length that clients expect, and no id that exists. */
export function newId(random: Pick<Random, 'hex'>, isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = random.hex(4)
    if (!isTaken(id)) return id
  }
}
