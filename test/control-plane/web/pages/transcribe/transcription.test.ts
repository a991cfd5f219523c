import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choose, forgetFile, transcribe } from '#control-plane/web/pages/transcribe/transcription.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

test('another file is not taken while one is sent, and the file stays after a refusal', async (t) => {
  const asked: string[] = []
  let answer: (response: Response) => void = () => {}
  const fetch = (path: string) => {
    asked.push(String(path))
    return new Promise<Response>((resolve) => {
      answer = resolve
    })
  }
  replaceGlobals(t, { fetch, document: { baseURI: 'http://studio/', querySelector: () => null } })
  assert.equal(choose(new File(['x'], 'talk.wav')), true)
  const sent = transcribe({ language: 'en', hasSpeakers: false })
  assert.equal(choose(new File(['x'], 'other.wav')), false)
  answer(Response.json({ detail: 'No.' }, { status: 400 }))
  assert.equal(await sent, null)
  assert.equal(asked.length, 1)
  const again = transcribe({ language: '', hasSpeakers: true })
  answer(Response.json({ id: 'job' }, { status: 202 }))
  assert.equal(await again, 'job')
  forgetFile()
  assert.equal(await transcribe({ language: '', hasSpeakers: true }), null)
})
