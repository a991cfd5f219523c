// Loaded into a studio before it starts: writes that are done and then reported as failed, which is what a disk does whose answer is lost.
// As long as the file named by VOICE_STUDIO_TEST_LIES holds a count above zero, that many of the next syncs end with EIO.
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
