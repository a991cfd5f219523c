import type { Run } from './command.ts'

export const run: Run = async (args, { env }) => {
  const { main } = await import('#agent/main.ts')
  return main(args, env)
}
