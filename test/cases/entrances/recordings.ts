import type { World } from '#test/support/world/world.ts'

export type RecordingValue = {
  readonly text: string
  /** Remark of the studio about the file; '' for none. */
  readonly remark: string
}
/** Sentences about the file, and not about the recogniser. */
const ABOUT_FILE = /The file is [^.]*(?:\.\d[^.]*)*\./

export async function transcriptOf(world: World, bytes: Uint8Array<ArrayBuffer>, name: string): Promise<RecordingValue> {
  const form = new FormData()
  form.set('file', new Blob([bytes]), name)
  form.set('model', 'whisper-1')
  const reply = await world.post('/v1/audio/transcriptions', form)
  const said = ['x-svc-notice', 'x-svc-routing-reason'].map((header) => decodeURIComponent(reply.headers.get(header) ?? '')).join(' ')
  if (reply.status !== 200) return { text: '', remark: reply.json().error?.message ?? reply.json().detail }
  return { text: reply.json().text, remark: ABOUT_FILE.exec(said)?.[0] ?? '' }
}
