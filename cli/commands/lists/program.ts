// The commands for the versions of the program.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const VERSIONS: readonly Command[] = [
  {
    name: 'stop',
    group: 'maintain',
    usage: 'stop',
    line: 'Stop the studio that runs here',
    examples: [`${COMMAND} stop`],
    load: () => import('../stop.ts'),
  },
  {
    name: 'finish',
    group: 'maintain',
    usage: 'finish',
    line: 'Finish what runs, then stop the studio',
    examples: [`${COMMAND} finish`, `${COMMAND} finish --wait 600`],
    options: [['--wait SECONDS', 'How long running work may take, 0 to 86400 (default: 86400)']],
    load: async () => ({ run: (await import('../stop.ts')).runFinish }),
  },
  {
    name: 'update',
    printsLines: true,
    group: 'maintain',
    usage: 'update',
    line: 'Install a new version and switch to it',
    examples: [`${COMMAND} update --from ~/Downloads/voice-studio`],
    options: [
      ['--from FOLDER', 'Take the packages from a folder with their SHA256SUMS'],
      ['--wait SECONDS', 'How long running requests may take, 0 to 3600 (default: 60)'],
    ],
    load: () => import('../update.ts'),
  },
  {
    name: 'rollback',
    printsLines: true,
    group: 'maintain',
    usage: 'rollback',
    line: 'Go back to the version before',
    examples: [`${COMMAND} rollback`],
    options: [
      ['--yes', 'Do not ask, also where the database goes back as well'],
      ['--wait SECONDS', 'How long running requests may take, 0 to 3600 (default: 60)'],
    ],
    load: () => import('../rollback.ts'),
  },
]
