// Fills the compile cache of V8 before a run: one studio with its agent and engine host does what most tests do, and ends by itself. Node writes
// the cache of a process when it ends, with the functions that it used, and keeps it while the source stays the same. The programs of tests are
// killed, which writes nothing, so without this each of them would compile its code again (3 s of processor time instead of 1.5 for a studio).
import assert from 'node:assert/strict'
import { openWorld } from '../world/world.ts'

const endings: (() => unknown)[] = []
try {
  const world = await openWorld({ after: (run) => endings.push(run) }, { remote: true })
  const speech = await world.post('/v1/audio/speech', { input: 'The lamp was lit. The travellers walk on.', voice: 'alloy' })
  assert.equal(speech.status, 200, speech.body.toString())
  const book = await world.post('/audiobook', { text: '# One\n\nThe lamp was lit.\n\n# Two\n\nThe travellers walk on.', format: 'mp3' })
  assert.match(book.body.toString(), /"type":"done"/)
  for (const path of ['/', '/openapi.json', '/workers', '/jobs', '/history', '/voices', '/settings']) await world.get(path)
  assert.equal(await world.studio.end('SIGTERM'), 0)
} finally {
  for (const end of endings.reverse()) await end()
}
