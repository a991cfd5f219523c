// Preloaded into a studio: syncs that succeed but report a failure, like a disk whose response is lost.
// While the file named by VOICE_STUDIO_TEST_LIES contains a count above zero, that many of the next syncs fail with EIO.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const path = process.env['VOICE_STUDIO_TEST_LIES']
const honest = fs.fdatasync

function lie(): boolean {
  const left = path && fs.existsSync(path) ? Number(fs.readFileSync(path, 'utf8')) : 0
  if (!(left > 0)) return false
  fs.writeFileSync(path!, String(left - 1))
  process.stderr.write('lying disk: a sync was done and reported as failed\n')
  return true
}
fs.fdatasync = ((file: number, done: (error: NodeJS.ErrnoException | null) => void) =>
  honest(file, (error) =>
    done(error ?? (lie() ? Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }) : null)),
  )) as typeof honest
syncBuiltinESMExports()
