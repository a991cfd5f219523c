// The commands that shells and the manual read.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const SHELL: readonly Command[] = [
  {
    name: 'completion',
    group: 'maintain',
    usage: 'completion SHELL',
    line: 'Print completion for bash, zsh or fish',
    printsLines: true,
    examples: [`source <(${COMMAND} completion bash)`, `${COMMAND} completion fish | source`],
    load: () => import('../completion.ts'),
  },
  {
    name: 'man',
    group: 'maintain',
    usage: 'man',
    line: 'Print the page of the manual',
    options: [['agent', 'The page of the program of lenders']],
    printsLines: true,
    examples: [`${COMMAND} man > ~/.local/share/man/man1/studio.1`],
    load: async () => ({ run: (await import('../completion.ts')).runMan }),
  },
]
