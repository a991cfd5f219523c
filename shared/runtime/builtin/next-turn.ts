/** Resolves in the next turn of the event loop, after what waits there. */
export { setImmediate as nextTurn } from 'node:timers/promises'
