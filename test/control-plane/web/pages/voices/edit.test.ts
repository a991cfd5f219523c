import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboutOf, changesOf, fieldsOf } from '#control-plane/web/pages/voices/profile.ts'

test('saving a voice sends what was changed and nothing else', () => {
  const row = { name: 'Mara', language: 'en', description: '', ref_text: 'The first 100 characters of the locked take', stays_here: 0 }
  const before = fieldsOf(row as Parameters<typeof fieldsOf>[0])
  assert.deepEqual(changesOf(before, { ...before }), {})
  assert.deepEqual(changesOf(before, { ...before, name: 'Maria', stays_here: true }), { name: 'Maria', stays_here: true })
  assert.deepEqual(changesOf(before, { ...before, description: 'Low', ref_text: '' }), { description: 'Low', ref_text: '' })
})

test('a voice is described by what a person wrote, not by the mark of its origin', () => {
  const voice = { description: '', instruct: '', personality: 'gallery:0123', origin: 'gallery:0123' }
  assert.equal(aboutOf(voice), '')
  assert.equal(aboutOf({ ...voice, personality: 'A calm narrator' }), 'A calm narrator')
  assert.equal(aboutOf({ ...voice, instruct: 'calm' }), 'calm')
})
