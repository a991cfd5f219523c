// `open`: the page of the running studio in the browser of this desktop; elsewhere its address only.

import { captureProgram } from '#cli/lib/child.ts'
import { type CommandRun, parseArguments, print, refuseArguments } from '#cli/lib/command.ts'
import { readNow } from '#cli/lib/studio/api.ts'
import { addressOf } from '#cli/lib/studio/state.ts'
import { healthContracts } from '#control-plane/features/operate/system/health.contract.ts'
import { findProgram } from '#shared/runtime/program.ts'

/** The programs that open an address with the chosen browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export const run: CommandRun = async (args, { env, output, errors, alerts = errors, interrupted }) => {
  const { values, positionals } = parseArguments(args, { print: { type: 'boolean' }, json: { type: 'boolean' } })
  refuseArguments('open', positionals)
  // Refuses before the address of a studio that does not run is printed.
  healthContracts.health.reply.pick({ version: true }).parse(await readNow(env, '/health'))
  const address = addressOf(env)
  print({ value: { address }, lines: [address] }, values.json, output)
  const hasScreen = process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  const [program, ...words] = OPENERS[process.platform] ?? ['']
  const opener = hasScreen ? findProgram(program, env['PATH']) : null
  if (values.print || opener === null) return 0
  // The settings of the studio contain its key.
  const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('STUDIO_')))
  const { code } = await captureProgram(opener, [...words, address], { env: inherited, signal: interrupted() })
  if (code !== 0) alerts.write('studio: No browser could be opened. Open the address in one.\n')
  return code === 0 ? 0 : 1
}
