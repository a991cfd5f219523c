import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type CommandRun, parseArguments, print, ROOT, refuseArguments } from '#cli/lib/command.ts'

const Package = z.object({ version: z.string() })

export const run: CommandRun = async (args, { output }) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  refuseArguments('--version', positionals)
  const { version } = Package.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  const { node } = process.versions
  print({ value: { version, node }, lines: [`Voice Studio ${version} (Node ${node})`] }, values.json, output)
  return 0
}
