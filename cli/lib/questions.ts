// Questions before something that cannot be undone.
import { Failure } from '#shared/protocol/failure.ts'
import { canAsk, Misuse, type Terminal } from './command.ts'
import { agreed } from './install-programs.ts'

/**
 * Resolves if the option --yes or a person agrees. `loss`: a sentence about what is lost. Throws a Misuse where no person can answer, and CANCELLED
 * if the answer is no.
 */
export const confirmed = (loss: string, isYes: boolean | undefined, terminal: Terminal): Promise<void> =>
  consented(`${loss} This cannot be undone.`, isYes, terminal)

/** The same for something that can be undone. `facts`: sentences about what will happen. */
export async function consented(facts: string, isYes: boolean | undefined, terminal: Terminal): Promise<void> {
  if (isYes) return
  if (!canAsk(terminal)) throw new Misuse(`${facts} If you mean it, add --yes.`)
  if (!(await agreed(`${facts} Go on? (y/N) `, terminal))) throw new Failure('CANCELLED', 'Nothing was changed.')
}
