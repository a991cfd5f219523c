// `completion` and `man`: a script of completion for a shell, and the page of the manual.
import { EXIT_STATUSES } from '#cli/lib/answer/exit.ts'
import { GLOBAL_OPTIONS } from '#cli/lib/answer/global-options.ts'
import { type CommandRun, Misuse, refuseArguments } from '#cli/lib/command.ts'
import { completionFor, manualPage, SHELLS } from '#cli/views/completion.ts'
import { COMMAND, VERSION } from '#shared/protocol/version.ts'
import { COMMANDS } from './command-list.ts'

export const run: CommandRun = async ([word, ...more], { output }) => {
  const shell = SHELLS.find((each) => each === word)
  if (!shell || more.length > 0) throw new Misuse(`Name one shell of ${SHELLS.join(', ')}: completion bash`)
  // A shell looks for the name without its folder.
  output.write(completionFor(shell, COMMAND.replace(/^.*\//, ''), COMMANDS, GLOBAL_OPTIONS))
  return 0
}

export const runMan: CommandRun = async (args, { output }) => {
  refuseArguments('man', args)
  const summary = 'speech on your own machine or on borrowed GPUs'
  const lists = { commands: COMMANDS, options: GLOBAL_OPTIONS, statuses: EXIT_STATUSES }
  output.write(manualPage({ program: COMMAND, summary, version: VERSION, ...lists }))
  return 0
}
