// Exports spans to a file, one JSON line each, in the OTLP file format. Several processes may use the same file: each batch is one append.
import { appendFile, open, rename } from 'node:fs/promises'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

/** A larger file is renamed to `.1`, replacing the previous one. */
const LIMIT_BYTES = 128 * 1024 * 1024

export function createFileExporter(path: string, limitBytes = LIMIT_BYTES): SpanExporter {
  let last: Promise<void> = Promise.resolve()

  // Opened for each batch, because another process may have renamed it.
  async function write(text: string): Promise<void> {
    const file = await open(path, 'a', 0o600)
    try {
      const stat = await file.stat()
      if (stat.isFile() && stat.size > 0 && stat.size + text.length > limitBytes) {
        await rename(path, `${path}.1`)
        return await appendFile(path, text, { mode: 0o600 })
      }
      // An existing file may be readable by others.
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
