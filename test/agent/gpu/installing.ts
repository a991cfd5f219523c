// An installation that stands in its trial until it is killed. Arguments: the data folder, the folder of the archives, the runtime.
import { installGpu } from '#agent/gpu/install.ts'
import { fromFolder } from '#agent/gpu/sources.ts'
import { smallSet } from './small-set.ts'

// Keeps the process alive.
process.on('message', () => {})
const [, , dataDir = '', wheels = '', runtime = ''] = process.argv
const trial = async () => {
  process.send!('trying')
  return new Promise<never>(() => {})
}
await installGpu({ dataDir, set: await smallSet(wheels), runtime, source: fromFolder(wheels), trial, signal: new AbortController().signal })
