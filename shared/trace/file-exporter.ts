// Spans into a file, one a line, in the JSON that collectors read back (OTLP file format). Several processes may name the same file: each
// batch is one write at the end of it.
import { appendFile, open, rename } from 'node:fs/promises'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

/** Beyond this the file is put aside as `.1`, in place of the one before. */
const LIMIT_BYTES = 128 * 1024 * 1024

export function createFileExporter(path: string, limitBytes = LIMIT_BYTES): SpanExporter {
  let last: Promise<void> = Promise.resolve()

  // Opened anew for each batch: whoever else writes it may have put it aside.
  async function write(text: string): Promise<void> {
    const file = await open(path, 'a', 0o600)
    try {
      const stat = await file.stat()
      if (stat.isFile() && stat.size > 0 && stat.size + text.length > limitBytes) {
        await rename(path, `${path}.1`)
        return await appendFile(path, text, { mode: 0o600 })
      }
      // One that was there before us may be readable by others.
      if (stat.isFile() && (stat.mode & 0o077) !== 0) await file.chmod(0o600)
      await file.appendFile(text)
    } finally {
      await file.close()
    }
  }

  return {
    export(spans, done) {
      last = last
        .then(() => write(spans.map(lineOf).join('')))
        .then(
          () => done({ code: 0 }),
          (error: Error) => done({ code: 1, error }),
        )
    },
    shutdown: () => last,
  }
}

const lineOf = (span: ReadableSpan): string => `${Buffer.from(JsonTraceSerializer.serializeRequest([span])!).toString()}\n`
