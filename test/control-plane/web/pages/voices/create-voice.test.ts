// The creation of a voice whose answer may be lost: sent again it is the same voice, and no voice of another form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '#control-plane/web/lib/api.ts'
import { createVoice } from '#control-plane/web/pages/voices/profile.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

const formOf = (language: string) => {
  const form = new FormData()
  form.append('name', 'Ines')
  form.append('language', language)
  form.append('ref_audio', new File(['sound'], 'ines.wav', { lastModified: 1 }))
  return form
}

test('a voice is created once after a lost answer, and a refused or changed form creates its own', async (t) => {
  const voices: { id: string; name: string }[] = []
  let answer: 'arrives' | 'lost' | 'refused' = 'arrives'
  replaceGlobals(t, {
    fetch: async (_: string, { method }: RequestInit) => {
      if (method !== 'POST') return Response.json(voices)
      if (answer === 'refused') return Response.json({ detail: 'The sample is too short.' }, { status: 400 })
      const id = `v${voices.length}`
      voices.push({ id, name: 'Ines' })
      if (answer === 'lost') throw new TypeError('fetch failed')
      return Response.json({ id })
    },
  })
  const after = async (next: typeof answer, language: string) => {
    answer = next
    return createVoice(formOf(language)).catch((error: unknown) => (error instanceof ApiError ? error.status : error))
  }
  assert.equal(await after('lost', 'en'), 0)
  assert.equal(await after('arrives', 'en'), 'v0', 'it was created before')
  assert.equal(await after('arrives', 'en'), 'v1', 'a second voice of the same name is wanted')
  assert.equal(await after('lost', 'en'), 0)
  assert.equal(await after('arrives', 'de'), 'v3', 'the form was changed')
  assert.equal(await after('refused', 'fr'), 400)
  voices.push({ id: 'imported', name: 'Ines' })
  assert.equal(await after('arrives', 'fr'), 'v5', 'a voice from elsewhere is another one')
})
