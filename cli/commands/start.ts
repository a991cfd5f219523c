import { Misuse, type Run } from '../lib/command.ts'

export const run: Run = async (args, { env }) => {
  if (args.length) throw new Misuse('start takes no arguments; settings come from the environment')
  const { main } = await import('#control-plane/main.ts')
  return main(env)
}
