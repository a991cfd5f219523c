import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { hostileRows } from './rows.ts'

const skip = findProgram('ffmpeg', process.env['PATH']) ? false : 'ffmpeg is not on this machine; ./studio setup installs it'

test('no value that a request may contain ends the studio or is refused by its database', { skip }, (t) =>
  hostileRows(t, isLongRun ? Number.POSITIVE_INFINITY : 4),
)
