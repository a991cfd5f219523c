// The lines of a dub of a transcript, whose state is what a browser saved.

import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { createTranscriptDubs } from '#control-plane/features/dubbing/lines/transcript-dub.ts'
import { type DubLine, lineRow, MAX_DUB_LINE_CHARS, SentLine } from '#control-plane/features/dubbing/store/line.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const SPOKEN = { start: 1, end: 2, text: 'Hello.', speaker: 'Dana' }

test('a dub gets lines that it can save again, and a transcript that it cannot hold is refused', async (t) => {
  const folder = temporaryFolder(t)
  const stored: DubLine[] = []
  const start = async (lines: (typeof SPOKEN)[]) =>
    await createTranscriptDubs({
      core: {
        store: {
          dubs: { change: () => {} },
          segments: { replaceByOthers: (_: string, fresh: DubLine[]) => void stored.splice(0, stored.length, ...fresh) },
        },
      } as never,
      uploads: {
        async start({ filename }, _fields, _client, adopted) {
          adopted?.('dub1')
          return { job_id: 'dub1', task_id: 'prep_dub1', filename }
        },
      },
      lendTranscript: async (_, to) => {
        writeFileSync(to, 'sound')
        return { filename: 'talk.mp3', language: 'en', digest: 'd'.repeat(64), bytes: 5, lines }
      },
      folder,
    })('project1', OWNER_ID)

  await start([SPOKEN, { ...SPOKEN, start: 5, end: 4, text: 'NUL \0 and half \ud83d', speaker: '\0' }])
  assert.deepEqual(
    stored.map(({ text, speakerId }) => [text, speakerId]),
    [
      ['Hello.', 'Dana'],
      ['NUL  and half \ufffd', 'Speaker 1'],
    ],
  )
  for (const line of stored) {
    const { id, start: from, end, text, speaker_id } = lineRow(line)
    assert.ok(end > from)
    assert.ok(SentLine.safeParse({ id, start: from, end, text, speaker_id }).success)
  }
  await assert.rejects(start([{ ...SPOKEN, text: 'x'.repeat(MAX_DUB_LINE_CHARS + 1) }]), { code: 'BAD_REQUEST', message: /Divide it/ })
  await assert.rejects(start(Array.from({ length: 5_001 }, () => SPOKEN)), { code: 'BAD_REQUEST', message: /5001 lines/ })
  assert.deepEqual(readdirSync(folder), [], 'no recording stays behind')
})
