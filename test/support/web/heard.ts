// Replaces the recogniser: a transcription with the words of the test that is done at once.
import type { Page } from 'playwright-core'

/** `transcript`: as verbose_json. `reason`: of the header that names another recogniser. */
export async function hear(page: Page, transcript: object, reason?: string): Promise<void> {
  const job = { id: 'one', status: 'done', created_at: 0, step: null, progress: 1 }
  const headers: Record<string, string> = reason === undefined ? {} : { 'x-svc-routing-reason': reason }
  await page.route('**/v1/audio/transcriptions', (route) => route.fulfill({ status: 202, json: { id: job.id } }))
  await page.route('**/jobs/one', (route) => route.fulfill({ json: job }))
  await page.route('**/jobs/one/transcript?*', (route) => route.fulfill({ json: transcript, headers }))
}
