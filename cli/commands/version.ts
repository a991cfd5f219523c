import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, type Run } from '../lib/command.ts'

export const run: Run = async (_args, { output }) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  output.write(`Voice Studio ${version} (Node ${process.versions.node})\n`)
  return 0
}
