import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPathScreen } from '#control-plane/http/path-screen.ts'

const screen = createPathScreen([
  { path: '/srv/ada', words: '~' },
  { path: '/srv/ada/.local/share/voice-studio', words: '<data folder>' },
  { path: '/srv/mo"dels', words: '<models folder>' },
  { path: '/', words: 'nothing' },
])

test('folders of this machine are replaced by words, the longest one first, and only as whole names', () => {
  const document = JSON.stringify({
    models: '/srv/mo"dels/kokoro',
    cover: '/srv/ada/.local/share/voice-studio/covers/a.png',
    exact: '/srv/ada',
    sentence: 'The folder /srv/ada/Music, or /srv/ada.',
    other: '/srv/adam/x /srv/ada.old /srv/ada-2',
    url: '/history',
  })
  assert.equal(screen.names(document), true)
  assert.deepEqual(JSON.parse(screen.hidden(document)), {
    models: '<models folder>/kokoro',
    cover: '<data folder>/covers/a.png',
    exact: '~',
    sentence: 'The folder ~/Music, or ~.',
    other: '/srv/adam/x /srv/ada.old /srv/ada-2',
    url: '/history',
  })
  assert.equal(screen.names('{"text":"/srv/models"}'), false)
})
