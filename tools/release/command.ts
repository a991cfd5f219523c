// `release pack` builds the packages, `release cut` makes a version of them.
import { type CommandRun, unknownVerb } from '#cli/lib/command.ts'
import { cutFor } from './cut/request.ts'
import { packFor } from './pack.ts'

const VERBS: Readonly<Record<string, (args: readonly string[], cwd: string) => string[]>> = { pack: packFor, cut: cutFor }

export const run: CommandRun = async ([word, ...args], { cwd, output }) => {
  const verb = word !== undefined && Object.hasOwn(VERBS, word) ? VERBS[word] : undefined
  if (!verb) throw unknownVerb('release', word, Object.keys(VERBS))
  output.write(`${verb(args, cwd).join('\n')}\n`)
  return 0
}
