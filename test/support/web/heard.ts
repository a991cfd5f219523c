// Replaces the recogniser: a transcription with the words of the test that is done at once, and whose transcript is a project of the studio.
import type { Page } from 'playwright-core'
import { keptTranscriptOf } from '#control-plane/features/listening/recognition/kept/kept-transcript.schema.ts'
import type { Transcript } from '#control-plane/features/listening/recognition/transcript/assemble.ts'

type Heard = { readonly language: string; readonly duration: number; readonly segments: Transcript['segments'] }

/** `reason`: the notice about another recogniser. */
export async function hear(page: Page, { language, duration, segments }: Heard, reason?: string): Promise<void> {
  const job = { id: 'one', type: 'transcription', status: 'done', created_at: 0, step: null, progress: 1, meta_json: '{}' }
  const notice = reason === undefined ? null : { routing: 'substituted', reason }
  const transcript = { language, seconds: duration, segments, engine: 'test', notice } as Transcript
  let name = ''
  let project = ''
  await page.route('**/v1/audio/transcriptions', (route) => {
    name = /filename="([^"]*)"/.exec(route.request().postDataBuffer()?.toString() ?? '')?.[1] ?? ''
    project = ''
    return route.fulfill({ status: 202, json: { id: job.id } })
  })
  await page.route('**/jobs/one', (route) => route.fulfill({ json: job }))
  await page.route('**/jobs/one/transcript/project', async (route) => {
    if (project === '') {
      const state = keptTranscriptOf(transcript, { job: job.id, file: name, took: 0 })
      const data = { name: name.slice(0, 200) || 'talk', state, kind: 'transcript', duration }
      const made = await page.request.post(
        route
          .request()
          .url()
          .replace(/\/jobs\/one.*$/, '/projects'),
        { data, headers: { 'x-svc-csrf': '1' } },
      )
      project = (await made.json()).id
    }
    await route.fulfill({ json: { project_id: project } })
  })
}
