// A process without work: where it uses processor time, the machine stood still. Answers each message with these moments.
import { noteBlocks } from './loop-blocks.ts'

const STALL_MS = 4
const take = noteBlocks(STALL_MS)
process.on('message', ({ end }: { readonly end?: boolean }) => {
  if (end) process.exit(0)
  process.send?.(take())
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true })
