import { type CommandRun, refuseArguments } from '#cli/lib/command.ts'
import { writeDocuments } from './documents.ts'

export const run: CommandRun = async (args, { output }) => {
  refuseArguments('docs', args)
  for (const path of await writeDocuments()) output.write(`${path}\n`)
  return 0
}
