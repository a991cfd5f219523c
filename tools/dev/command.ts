// `dev`: the studio with the development routes, started again when one of its modules changes. It has the Node and the flags of ./studio.
import { runProgram } from '#cli/lib/child.ts'
import { type CommandRun, refuseArguments } from '#cli/lib/command.ts'

const WATCHED = ['--watch', '--watch-preserve-output', 'cli/main.ts', 'start']

export const run: CommandRun = async (args, { env, interrupted }) => {
  refuseArguments('dev', args)
  const development = { env: { ...env, STUDIO_DEVELOPMENT: '1' }, signal: interrupted() }
  return runProgram(process.execPath, [...process.execArgv, ...WATCHED], development)
}
