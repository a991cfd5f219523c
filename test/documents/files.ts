// Files that the blocks of documents name: recordings, a film and a book.
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { epubEntries } from '#test/support/archive/epub.ts'
import { rawZip } from '#test/support/archive/raw-zip.ts'

const SENTENCE = 'Good morning. The weather is nice today.'

/** Writes the files; `studio` speaks what is recorded. */
export async function makeFiles(folder: string, studio: string, env: NodeJS.ProcessEnv): Promise<void> {
  const at = (name: string) => join(folder, name)
  const ffmpeg = (...args: readonly string[]) => execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args])
  execFileSync(studio, ['say', SENTENCE, '-o', at('grandma.wav')], { env })
  for (const name of ['talk.mp3', 'meeting.m4a', 'talk.wav', 'lecture.mp3']) ffmpeg('-i', at('grandma.wav'), at(name))
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-i', at('grandma.wav'), '-shortest']
  ffmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', at('talk.mp4'))
  ffmpeg('-i', at('talk.mp4'), '-c', 'copy', at('recording.mkv'))
  const chapter = (title: string, text: string) => `<h1>${title}</h1><p>${text}</p>`
  const book = epubEntries(
    [
      { name: 'one.xhtml', body: chapter('Chapter 1', 'It was a bright cold day.') },
      { name: 'two.xhtml', body: chapter('Chapter 2', 'The train was late again.') },
    ],
    {
      metadata: '<dc:title>The Train</dc:title><dc:creator>A Writer</dc:creator><dc:language>en</dc:language>',
      nav: '<li><a href="one.xhtml">Chapter 1</a></li><li><a href="two.xhtml">Chapter 2</a></li>',
    },
  )
  writeFileSync(at('novel.epub'), rawZip(book))
  writeFileSync(at('novel.md'), '# Chapter 1\n\nIt was a bright cold day.\n\n# Chapter 2\n\nThe train was late again.\n')
  writeFileSync(at('passphrase.txt'), 'four words of a sentence\n')

  // A release: its list, and the signature of it.
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const list = `${createHash('sha256')
    .update(readFileSync(at('novel.md')))
    .digest('hex')}  novel.md\n`
  writeFileSync(at('SHA256SUMS'), list)
  writeFileSync(at('SHA256SUMS.sig'), sign(null, Buffer.from(list), privateKey))
  writeFileSync(at('release-public.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
}
