// Questions before something that cannot be undone.
import { Failure } from '#shared/protocol/failure.ts'
import { canAsk, Misuse, type Terminal } from './command.ts'
import { agreed } from './install-programs.ts'

/**
 * Resolves if the option --yes or a person agrees. `loss`: a sentence about what is lost. Throws a Misuse where no person can answer, and CANCELLED
 * if the answer is no.
 */
export async function confirmed(loss: string, isYes: boolean | undefined, terminal: Terminal): Promise<void> {
  if (isYes) return
  if (!canAsk(terminal)) throw new Misuse(`${loss} This cannot be undone. If you mean it, add --yes.`)
  if (!(await agreed(`${loss} This cannot be undone. Go on? (y/N) `, terminal))) throw new Failure('CANCELLED', 'Nothing was changed.')
}
