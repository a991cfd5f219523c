// Settings of a service: a private file in its data folder, one NAME='VALUE' a line. systemd and Node read it in the same way.
import type { Environment } from '#cli/lib/command.ts'

const OF_LINE = /^([A-Z][A-Z0-9_]*)=/

/** The lines of `existing` with the settings of `env` in the place of older ones. Throws for a value that the file cannot hold. */
export function settingsText(existing: string, env: Environment): string {
  const given = Object.entries(env).flatMap(([name, value]) => (value === undefined || !name.startsWith('STUDIO_') ? [] : [[name, value]]))
  for (const [name, value = ''] of given)
    if (/['\x00-\x1f\x7f]/.test(value)) throw new Error(`The value of ${name} has a character that the settings of a service cannot hold.`)
  const names = new Set(given.map(([name]) => name))
  const kept = existing.split('\n').filter((line) => line.trim() !== '' && !names.has(OF_LINE.exec(line)?.[1] ?? ''))
  return [...kept, ...given.map(([name, value]) => `${name}='${value}'`)].map((line) => `${line}\n`).join('')
}

/** Names of the settings in the file, in its order. */
export const settingsIn = (text: string): string[] => text.split('\n').flatMap((line) => OF_LINE.exec(line)?.[1] ?? [])
