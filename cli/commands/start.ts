import { type CommandRun, isPackaged, parseArguments, refuseArguments } from '#cli/lib/command.ts'

export const run: CommandRun = async (args, { env, errors, stream }) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  refuseArguments('start', positionals)
  stream?.()
  const { main } = await import('#control-plane/main.ts')
  const settings = values.json ? { ...env, STUDIO_LOG_FORMAT: 'json' } : env
  if (!isPackaged(env)) return main(settings)
  const { launchStudio } = await import('#cli/program/studio.ts')
  return launchStudio({ words: ['start', ...args], env, errors, run: (reports) => main(settings, reports) })
}
