import type { CommandRun } from '#cli/lib/command.ts'
import { runRollback } from '#cli/program/rollback.ts'
import { requirePackage } from '#cli/program/trial.ts'
import { studioParts } from './update.ts'

export const run: CommandRun = async (args, terminal) => {
  requirePackage('rollback', args, terminal.env)
  return runRollback(args, terminal, studioParts(terminal))
}
