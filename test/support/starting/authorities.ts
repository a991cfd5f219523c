// Keys of studios that the worlds of one run of `studio test` share: creating an authority costs about 0.2 s of processor time, because its
// RSA keys are made from random primes. The first studio of every test file uses the first authority, the second studio the second one, so
// that two studios of a test never have the same. The first run of each creates it itself.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of this run, which the runner removes; undefined outside of `studio test`. */
const POOL = process.env['VOICE_STUDIO_TEST_FOLDER']
const MOST = 8
let next = 0

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name))
}

/** Gives a new data folder an authority. The result keeps the authority that the studio made when the pool had none; call it after the start. */
export function lendAuthority(dataDir: string): () => void {
  const own = join(dataDir, 'authority')
  const shared = join(POOL ?? '', `authority-${next}`)
  if (!POOL || next++ >= MOST || existsSync(own)) return () => {}
  if (existsSync(shared)) {
    copyFolder(shared, own)
    return () => {}
  }
  return () => {
    const made = `${shared}.${process.pid}`
    try {
      copyFolder(own, made)
      renameSync(made, shared)
    } catch {
      rmSync(made, { recursive: true, force: true }) // another file was first, or this studio ended
    }
  }
}
