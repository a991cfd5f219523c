// Reads zip files with another library than the one that writes them.
import { fromBuffer } from 'yauzl'

/** The texts of a zip file by name. */
export function unzip(bytes: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const texts = new Map<string, string>()
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('error', reject)
      zip.on('end', () => resolve(texts))
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed)
          const chunks: Buffer[] = []
          for await (const chunk of stream) chunks.push(chunk as Buffer)
          texts.set(entry.fileName, Buffer.concat(chunks).toString())
          zip.readEntry()
        }),
      )
      zip.readEntry()
    })
  })
}
