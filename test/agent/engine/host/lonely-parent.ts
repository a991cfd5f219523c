// A program for pool-faults.test.ts: an agent that consists of its pool and will be killed. Prints the process id of the host when the run
// has started. Argument: the fault of the run.

import { createEnginePool } from '#agent/engine/host/pool.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'

const nothing = () => {}
let host = 0
const info = (fields: object) => {
  host ||= (fields as { pid: number }).pid
}
const log: Log = { debug: nothing, info, warn: nothing, error: nothing, child: () => log }
const environment = childEnvironment(process.env)
const pool = createEnginePool({ clock: systemClock, random: systemRandom, log, development: true, environment })
await pool.start()
const params = { segments: [{ text: 'first' }, { text: 'second' }], fault: { kind: process.argv[2], afterParts: 1 } }
const run = pool.run({ id: 'lonely', engine: 'tone', model: '', operation: 'tts', params, signal: new AbortController().signal })
for await (const event of run) if (event.kind === 'audio') console.log(host)
