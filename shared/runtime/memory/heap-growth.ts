// The growth of the heap between two full collections. V8 would begin one for each 8 MiB that the heap of a studio or its sound grows, which
// while a film is spoken is more than one in a second.
import { setFlagsFromString } from 'node:v8'

/**
 * From now on the heap grows by 40 percent between full collections. Called when a program has started: on the command line the flag makes V8
 * reject the code that is stored with Node, which costs a start a sixth of its processor time.
 */
export const letHeapGrow = (): void => setFlagsFromString('--heap-growing-percent=40')
