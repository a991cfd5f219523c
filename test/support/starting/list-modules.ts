// Preloaded into a program: writes the files that it loaded before it ended to the path in VOICE_STUDIO_TEST_MODULES.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const path = process.env['VOICE_STUDIO_TEST_MODULES']
const urls = new Set<string>()
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) urls.add(url)
    return next(url, context)
  },
})
if (path !== undefined) process.once('exit', () => writeFileSync(path, JSON.stringify([...urls])))
