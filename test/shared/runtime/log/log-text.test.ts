import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogText } from '#shared/runtime/log/log-text.ts'

const line = (level: number, fields: object): string =>
  `${JSON.stringify({ level, time: '2026-11-22T09:47:41.457Z', program: 'agent', ...fields })}\n`
const INFO = 30
const withoutTimes = (text: string): string => text.replace(/^\d\d:\d\d:\d\d {2}/gm, '')

test('a terminal shows notices, warnings and errors as sentences, and no other line', () => {
  const show = createLogText(false)
  assert.equal(show(line(INFO, { msg: 'attempt started', taskId: 'x' })), '')
  assert.match(show(line(INFO, { msg: 'a', notice: 'Connected to studio Home.' })), /^\d\d:\d\d:\d\d {2}Connected to studio Home\.\n$/)
  const warning = line(40, { msg: 'could not connect to the studio', code: 'WORKER_UNREACHABLE', err: 'No answer came.' })
  assert.equal(withoutTimes(show(warning)), 'Warning: Could not connect to the studio: No answer came.\n')
  assert.equal(withoutTimes(show(line(50, { msg: 'the check ended' }))), 'Error: The check ended.\n')
  assert.equal(show('no JSON'), '')
})

test('a warning is left out if it was shown since the last notice', () => {
  const show = createLogText(false)
  const same = line(40, { msg: 'no link', err: 'refused' })
  assert.notEqual(show(same), '')
  assert.notEqual(show(line(50, { msg: 'another' })), '')
  assert.equal(show(same), '')
  assert.notEqual(show(line(INFO, { notice: 'Connected.' })), '')
  assert.notEqual(show(same), '')
})

test('everything adds the other lines and all fields', () => {
  const show = createLogText(true)
  assert.equal(withoutTimes(show(line(INFO, { msg: 'attempt started', taskId: 'x', epoch: 1 }))), 'Attempt started. taskId=x epoch=1\n')
})

test('control characters of other machines do not reach the terminal, and long reasons are cut', () => {
  const show = createLogText(false)
  const text = show(line(40, { msg: 'x', err: `\u001b]0;owned\u0007\u202e\n${'y'.repeat(10_000)}` }))
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  assert.equal(text.split('\n').length, 2)
  assert.ok(text.length < 500)
})
