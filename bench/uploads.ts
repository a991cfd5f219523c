// The memory of a studio after 16 files of 95 MiB were uploaded at once, by route. Goal: at most 64 MiB more than before.

import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { measureUploads, upload } from '#test/support/flood/uploads.ts'
import { startStudio } from './support/peers.ts'
import { title } from './support/rounds.ts'

const FORMS = 16
const FILE_BYTES = 95 * MIB
const GOAL_MIB = 64

export async function run(): Promise<void> {
  title(`Memory after ${FORMS} uploads of ${FILE_BYTES / MIB} MiB at once`)
  const studio = await startStudio()
  const url = `http://127.0.0.1:${studio.port}`
  try {
    const targets = CONTRACTS.flatMap(({ method, path, form }) =>
      form ? [{ method, path: path.replaceAll(/\{\w+\}/g, 'none'), field: form[0]! }] : [],
    )
    // The first large uploads of a process grow its heap once, on every route.
    await measureUploads(studio.child.pid!, FORMS, () => upload(url, targets.at(-1)!, FILE_BYTES))
    for (const target of targets) {
      // What the code and its pools of buffers need once is not memory of uploads.
      await measureUploads(studio.child.pid!, FORMS, () => upload(url, target, MIB))
      const { before, peak, after } = await measureUploads(studio.child.pid!, FORMS, () => upload(url, target, FILE_BYTES))
      const [most, more] = [peak - before, after - before].map((bytes) => Math.round(bytes / MIB))
      const isMet = more! <= GOAL_MIB
      process.stdout.write(
        `${`${target.method} ${target.path}`.padEnd(46)} ${String(more).padStart(5)} MiB more  peak ${String(most).padStart(5)}  goal ${GOAL_MIB}: ${isMet ? 'met' : 'missed'}\n`,
      )
    }
  } finally {
    await studio.end()
  }
}
