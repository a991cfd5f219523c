import { type CommandRun, Misuse } from '../lib/command.ts'

export const run: CommandRun = async (args, { env }) => {
  if (args.length) throw new Misuse('start takes no arguments. Settings come from the environment.')
  const { main } = await import('#control-plane/main.ts')
  return main(env)
}
