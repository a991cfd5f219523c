// One command from its terminal to its exit status: errors become sentences, or with --json a document.
import { sentenceOf } from '#cli/views/failure.ts'
import { Misuse, type Terminal } from '../command.ts'
import { createCollector, INTERRUPTED, jsonErrorFor } from './envelope.ts'
import { EXIT, exitStatusFor } from './exit.ts'
import { quietTerminal } from './global-options.ts'

type Settled = {
  readonly run: (terminal: Terminal) => Promise<number>
  readonly terminal: Terminal
  readonly json: boolean
  readonly quiet: boolean
  /** The command prints lines for a person, also with --json. */
  readonly printsLines: boolean
  /** The program, for messages. */
  readonly name: string
  /** A sentence about help, for invalid arguments. */
  readonly help: () => string
  readonly isInterrupted: () => boolean
}

/** Resolves with the exit status; never rejects. */
export async function settle(command: Settled): Promise<number> {
  const { run, terminal, json, quiet, printsLines, name, help, isInterrupted } = command
  const collector = json ? createCollector(terminal, printsLines) : null
  const inner = collector?.terminal ?? terminal
  const undo = collector && terminal.beforeEnd?.(() => collector.answer(EXIT.interrupted, INTERRUPTED))
  try {
    const status = await run(quiet ? quietTerminal(inner) : inner)
    if (!isInterrupted()) {
      collector?.answer(status, status === EXIT.done ? null : undefined)
      return status
    }
    collector?.answer(EXIT.interrupted, INTERRUPTED)
  } catch (error) {
    // The person has stopped the command, so its error says nothing new.
    if (!isInterrupted()) {
      const advice = error instanceof Misuse ? `${name}: ${help()}\n` : ''
      terminal.errors.write(`${name}: ${sentenceOf(error)}\n${advice}`)
      const status = exitStatusFor(error)
      collector?.answer(status, jsonErrorFor(error))
      return status
    }
    collector?.answer(EXIT.interrupted, INTERRUPTED)
  } finally {
    undo?.()
  }
  return EXIT.interrupted
}
