// The commands of tools/, which a checkout has and a package does not.
import { existsSync } from 'node:fs'
import type { Command } from './command.ts'

type Tools = { readonly commandFor: (words: readonly string[]) => Command | undefined }

const TOOLS = new URL('../../tools/main.ts', import.meta.url)
/** True in a checkout. */
export const hasTools = (): boolean => existsSync(TOOLS)

/** The command of developers for these words; undefined if there is none, as always in a package. */
export async function developerCommand(words: readonly string[]): Promise<Command | undefined> {
  if (!hasTools()) return undefined
  const tools = (await import(TOOLS.href)) as Tools
  return tools.commandFor(words)
}
