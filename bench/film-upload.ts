// The upload of a large film, compared with `cp` and the digest of the copy in one process: the least that a studio has to do with a file that it keeps. A
// film that no program can read ends the request after the upload, so the preparation is not measured. STUDIO_BENCH_FILM_MIB=4096 for another size.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { upload } from '#test/support/flood/uploads.ts'
import { startStudio, temporary } from './support/peers.ts'
import { interleave, row, title } from './support/rounds.ts'

const SIZE_MIB = Number(process.env['STUDIO_BENCH_FILM_MIB'] ?? 1_024)
const ROUNDS = 5
const TARGET = { method: 'POST', path: '/dub/upload', field: 'video' }

/** A file of random pieces, whose pages are written. */
async function makeFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  const piece = Buffer.alloc(MIB, 'film')
  for (let at = 0; at < bytes; at += piece.length) {
    piece.writeUInt32LE(at / MIB)
    await file.write(piece)
  }
  await file.sync()
  await file.close()
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: MIB })) hash.update(piece as Buffer)
  return hash.digest('hex')
}

export async function run(): Promise<void> {
  title(`Upload of a film of ${SIZE_MIB} MiB`)
  const bytes = SIZE_MIB * MIB
  const folder = temporary()
  const [source, copy] = [join(folder.path, 'film.mp4'), join(folder.path, 'copy.mp4')]
  await makeFile(source, bytes)
  const studio = await startStudio()
  const timed = async (work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    return bytes / 1e6 / ((performance.now() - from) / 1000)
  }
  try {
    const rates = await interleave(ROUNDS, {
      upload: () => timed(() => upload(`http://127.0.0.1:${studio.port}`, TARGET, bytes)),
      copy: () =>
        timed(async () => {
          await copyFile(source, copy)
          await digestOf(copy)
          await rm(copy)
        }),
    })
    row('upload, limit: cp and digest', rates.upload, rates.copy, 'MB/s', 'at least 0.80')
  } finally {
    await studio.end()
    folder.remove()
  }
}
