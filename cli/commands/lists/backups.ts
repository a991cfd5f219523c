// Commands that save the data folder and bring it back.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const PASSPHRASE = ['--passphrase-file FILE', 'The passphrase of the keys; - is standard input (default: asked for)'] as const

export const BACKUPS: readonly Command[] = [
  {
    name: 'backup',
    group: 'maintain',
    usage: 'backup [FILE]',
    line: 'Save the whole studio in one file',
    examples: [`${COMMAND} backup /mnt/disk/studio.zip`, `${COMMAND} backup new.zip --since studio.zip`, `${COMMAND} backup --database`],
    options: [
      ['FILE', 'The archive; - is standard output (default: in the folder backups of the data folder)'],
      PASSPHRASE,
      ['--without-secrets', 'Leave the keys out: machines must join again after a restore'],
      ['--since FILE', 'Only what changed since this backup, which a restore needs too'],
      ['--database', 'Copy the database alone'],
      ['--all', 'The whole studio, as without options'],
    ],
    load: () => import('../backup.ts'),
  },
  {
    name: 'restore',
    group: 'maintain',
    usage: 'restore FILE',
    line: 'Restore a backup into an empty folder',
    examples: [`${COMMAND} restore studio.zip --into /srv/studio`, `${COMMAND} restore copy.db`],
    options: [
      ['FILE', 'A backup, or a copy of the database, which then replaces the one of the studio'],
      ['--into FOLDER', 'A folder that is new or empty (default: the data folder)'],
      ['--with FILE', 'An earlier backup that FILE needs (default: those beside it); repeat it for more'],
      PASSPHRASE,
      ['--without-secrets', 'Leave the keys out'],
    ],
    load: () => import('../restore.ts'),
  },
]
