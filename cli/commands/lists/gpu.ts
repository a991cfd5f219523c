// The command for the GPUs of this machine.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const gpu = { name: 'gpu', group: 'maintain', load: () => import('../gpu.ts') } as const

export const GPU: readonly Command[] = [
  { ...gpu, usage: 'gpu', line: 'Show which GPUs the engines can use' },
  {
    ...gpu,
    usage: 'gpu install',
    line: 'Install CUDA for NVIDIA cards on Linux',
    examples: [`${COMMAND} gpu install --from ~/wheels`],
    options: [
      ['--from FOLDER', 'For install: take the files from a folder, without a network'],
      ['--index URL', 'For install: an index of Python packages (default: that of pip)'],
      ['--untried', 'For install: in the build of an image, which has no GPU'],
      ['--yes', 'For install: accept the licences and do not ask'],
    ],
  },
  { ...gpu, usage: 'gpu remove', line: 'Delete what gpu install installed' },
]
