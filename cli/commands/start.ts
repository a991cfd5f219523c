import { type CommandRun, parseArguments, refuseArguments } from '#cli/lib/command.ts'

export const run: CommandRun = async (args, { env }) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  refuseArguments('start', positionals)
  const { main } = await import('#control-plane/main.ts')
  return main(values.json ? { ...env, STUDIO_LOG_FORMAT: 'json' } : env)
}
