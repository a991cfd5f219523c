import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type CommandRun, ROOT, refuseArguments } from '#cli/lib/command.ts'

const Package = z.object({ version: z.string() })

export const run: CommandRun = async (args, { output }) => {
  refuseArguments('--version', args)
  const { version } = Package.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  output.write(`Voice Studio ${version} (Node ${process.versions.node})\n`)
  return 0
}
