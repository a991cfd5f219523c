// `update` and `rollback` of the studio and of the agent in its data folder.
import type { CommandRun, Terminal } from '#cli/lib/command.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { agentRunner } from '#cli/program/agent.ts'
import { studioRunner } from '#cli/program/studio.ts'
import { requirePackage } from '#cli/program/trial.ts'
import { runUpdate, type UpdateParts } from '#cli/program/update.ts'
import { switchedDatabase, tryUpgrade } from '#control-plane/store/files/upgrade.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export function studioParts({ env }: Pick<Terminal, 'env'>): UpdateParts {
  const dataFolder = studioFolder(env)
  return {
    command: COMMAND,
    dataFolder,
    data: switchedDatabase(dataFolder),
    trial: () => tryUpgrade(dataFolder),
    runners: [studioRunner(env), agentRunner(dataFolder)],
  }
}

export const run: CommandRun = async (args, terminal) => {
  requirePackage('update', args, terminal.env)
  return runUpdate(args, terminal, studioParts(terminal))
}
