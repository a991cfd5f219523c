// Short films in which a sentence is said, for tests of dubbing to the end.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, make } from '#test/control-plane/media/film/corpus.ts'

/** A film as long as the WAV file `sound`. `empties`: another film for each number, with so many empty boxes at its end. */
export async function talkingFilm(sound: Buffer, empties: number): Promise<Buffer> {
  const [wav, film] = ['wav', 'mp4'].map((ending) => join(folder, `talking-${process.pid}-${empties}.${ending}`)) as [string, string]
  writeFileSync(wav, sound)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-i', wav, '-shortest']
  await make([...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', film])
  const box = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')])
  return Buffer.concat([readFileSync(film), ...Array.from({ length: empties }, () => box)])
}
