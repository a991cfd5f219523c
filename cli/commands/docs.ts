import type { CommandRun } from '../lib/command.ts'
import { writeDocuments } from '../lib/documents.ts'

export const run: CommandRun = async (_args, { output }) => {
  for (const path of await writeDocuments()) output.write(`${path}\n`)
  return 0
}
