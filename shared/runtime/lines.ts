// Lines of a child process or of a peer in bounded memory, however long they are and however many come.
import { StringDecoder } from 'node:string_decoder'
import type { Clock } from './clock.ts'

/** `isWhole`: false for the beginning of a line that is longer than the limit. */
export type UseLine = (line: string, isWhole: boolean) => void
export type LineSplitter = { readonly push: (piece: Buffer | string) => void; readonly end: () => void }
type Text = Pick<NodeJS.ReadableStream, 'on'>

/** Splits text at `\n`, `\r\n` and `\r`. Of a line with more than `limit` characters only the beginning is kept. */
export function createLineSplitter(limit: number, use: UseLine): LineSplitter {
  const decoder = new StringDecoder('utf8')
  let kept = ''
  let isWhole = true
  let isAfterReturn = false
  const keep = (text: string) => {
    isWhole &&= kept.length + text.length <= limit
    if (kept.length < limit) kept += text.slice(0, limit - kept.length)
  }
  const flush = () => {
    const [line, whole] = [kept, isWhole]
    kept = ''
    isWhole = true
    use(line, whole)
  }
  return {
    push(piece) {
      // More of a line that is too long already: not even decoded.
      if (!isWhole && typeof piece !== 'string' && !piece.includes(10) && !piece.includes(13)) return
      const text = typeof piece === 'string' ? piece : decoder.write(piece)
      let at = 0
      for (const { 0: mark, index } of text.matchAll(/\r\n?|\n/g)) {
        const isRest = index === 0 && mark === '\n' && isAfterReturn // the second half of `\r\n`
        if (!isRest) {
          keep(text.slice(at, index))
          flush()
        }
        at = index + mark.length
      }
      if (text !== '') isAfterReturn = text.endsWith('\r')
      keep(text.slice(at))
    },
    end() {
      if (kept !== '') flush()
    },
  }
}

/** The lines of a stream, at most `limit` characters of each. Throws what the stream throws. */
export async function* linesIn(stream: AsyncIterable<Buffer | string>, limit: number): AsyncGenerator<string> {
  const lines: string[] = []
  const reader = createLineSplitter(limit, (line) => void lines.push(line))
  for await (const piece of stream) {
    reader.push(piece)
    yield* lines.splice(0)
  }
  reader.end()
  yield* lines
}

/** The last `limit` characters that the stream has written so far. */
export function lastText(stream: Text | null, limit: number): () => string {
  const decoder = new StringDecoder('utf8')
  let text = ''
  stream?.on('data', (piece: Buffer) => {
    text = (text + decoder.write(piece)).slice(-limit)
  })
  return () => text
}

/** Limits of a log: a traceback at once, and a few lines a second for ever. */
const LOG = { lineChars: 500, linesAtOnce: 200, linesPerSecond: 20 }

/** Passes the log of a child on. Lines are cut, and those of a flood are dropped and counted. */
export function readLog(stream: Text, clock: Pick<Clock, 'mono'>, use: (line: string) => void): void {
  let dropped = 0
  let left = LOG.linesAtOnce
  let countedAt = clock.mono()
  const reportDropped = () => {
    if (dropped > 0) use(`${dropped} further lines were dropped.`)
    dropped = 0
  }
  const reader = createLineSplitter(LOG.lineChars, (line) => {
    const now = clock.mono()
    left = Math.min(LOG.linesAtOnce, left + ((now - countedAt) / 1000) * LOG.linesPerSecond)
    countedAt = now
    if (left < 1) return void dropped++
    left--
    reportDropped()
    use(line)
  })
  stream.on('data', reader.push)
  stream.on('end', () => {
    reader.end()
    reportDropped()
  })
}
