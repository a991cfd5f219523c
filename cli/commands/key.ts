// `key create`: prints a generated API key on standard output, alone, so that a script may store it.

import { type CommandRun, parseArguments, print, refuseArguments, unknownVerb } from '#cli/lib/command.ts'
import { systemRandom } from '#shared/runtime/random.ts'

/** 256 bits, as hexadecimal digits: every shell, file of settings and proxy takes them as they are. */
const KEY_BYTES = 32

export const run: CommandRun = async (args, { output, errors }) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  const [verb, ...rest] = positionals
  if (verb !== 'create') throw unknownVerb('key', verb, ['create'])
  refuseArguments('key create', rest)
  const key = systemRandom.hex(KEY_BYTES)
  print({ value: { key }, lines: [key] }, values.json, output)
  if (output.isTTY) errors.write('Start the studio with STUDIO_API_KEY set to this key. It is stored nowhere.\n')
  return 0
}
