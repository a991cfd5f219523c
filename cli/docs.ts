import type { Run } from './command.ts'
import { writeDocuments } from './documents.ts'

export const run: Run = async (_args, { output }) => {
  for (const path of await writeDocuments()) output.write(`${path}\n`)
  return 0
}
