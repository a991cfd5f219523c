import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestionsOf } from '#control-plane/web/pages/home/suggestions.ts'

const notification = (id: string, level: 'info' | 'warn' | 'error') => ({
  id,
  level,
  title: `Title of ${id}`,
  message: 'Why.',
  action: null,
})

test('notifications come first, each once, and only those of a crash are dismissed', () => {
  const found = suggestionsOf(
    null,
    [],
    [
      notification('last-run-crash-17', 'error'),
      notification('ffmpeg-missing', 'error'),
      notification('proxy-unusable', 'error'),
      notification('settings-invalid', 'warn'),
      notification('hf-token-missing', 'warn'),
      notification('gpu-unavailable', 'info'),
      notification('log-not-written', 'warn'),
      notification('crash-last-session', 'error'),
    ],
  )
  assert.deepEqual(
    found.map(({ id, href, isFailure, seen }) => [id, href, isFailure, seen]),
    [
      ['last-run-crash-17', '#/settings/doctor', true, '/system/last-run-crash/ack'],
      ['proxy-unusable', '#/settings', true, ''],
      ['settings-invalid', '#/settings', false, ''],
    ],
    'the checks of Setup say the others, and three are shown',
  )
  const [news] = suggestionsOf(null, [], [notification('update-available', 'info')])
  assert.deepEqual([news?.href, news?.isFailure, news?.seen], ['#/settings/about', false, ''])
})
