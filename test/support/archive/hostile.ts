// Archives that attack their reader. `good` makes the entries of an archive that would be accepted.
import { type RawEntry, rawZip } from './raw-zip.ts'

export type HostileArchive = { readonly name: string; readonly bytes: Buffer }

/** `data`: the name and content of a member that is wanted. */
export function hostileArchives(good: readonly RawEntry[], data: RawEntry): HostileArchive[] {
  const rest = good.filter(({ name }) => name !== data.name)
  const withEntry = (entry: RawEntry) => rawZip([...good, entry])
  const changed = (change: Partial<RawEntry>) => rawZip([...rest, { ...data, ...change }])
  const other = (name: string | Buffer) => withEntry({ name, content: 'x' })
  const length = Buffer.from(data.content as string).length
  const nested = (levels: number): Buffer =>
    levels === 0
      ? rawZip([{ name: 'zero', content: Buffer.alloc(1 << 20), isDeflated: true }])
      : rawZip([{ name: 'next.zip', content: nested(levels - 1), isDeflated: true }])
  return [
    { name: 'no zip file', bytes: Buffer.from('not an archive at all, but long enough to look for one') },
    { name: 'an empty file', bytes: Buffer.alloc(0) },
    { name: 'a parent folder', bytes: other('../escaped.json') },
    { name: 'a parent folder within', bytes: other('a/../../escaped.json') },
    { name: 'an absolute name', bytes: other('/tmp/escaped.json') },
    { name: 'a drive letter', bytes: other('C:/escaped.json') },
    { name: 'a backslash', bytes: other('..\\escaped.json') },
    { name: 'a NUL in a name', bytes: other('a.json\0.txt') },
    { name: 'a line break in a name', bytes: other('a\nb') },
    { name: 'the same name twice', bytes: withEntry(data) },
    { name: 'the same name in capitals', bytes: withEntry({ ...data, name: String(data.name).toUpperCase() }) },
    {
      name: 'the same name in another normal form',
      bytes: rawZip([...good, { name: 'caf\u00e9.txt', content: 'x' }, { name: 'cafe\u0301.txt', content: 'x' }]),
    },
    { name: 'a symbolic link', bytes: withEntry({ name: 'portrait.jpg', content: '/etc/passwd', mode: 0o120777 }) },
    { name: 'a device', bytes: withEntry({ name: 'portrait.jpg', content: '', mode: 0o020666 }) },
    { name: 'a folder that is a link', bytes: withEntry({ name: 'folder/', content: '', mode: 0o120777 }) },
    { name: 'an encrypted member', bytes: changed({ flags: 0x0801 }) },
    { name: 'an unknown compression', bytes: changed({ method: 99 }) },
    { name: 'a size that is too small', bytes: changed({ isDeflated: true, size: length - 1 }) },
    { name: 'a size that is too large', bytes: changed({ isDeflated: true, size: length + 1 }) },
    { name: 'a stored size that lies', bytes: changed({ size: length + 5, packedSize: length + 5 }) },
    { name: 'a size beyond the file', bytes: changed({ size: 0x7fffffff, packedSize: 0x7fffffff }) },
    { name: 'a wrong checksum', bytes: changed({ crc: 1 }) },
    { name: 'entries that share their bytes', bytes: rawZip([...good, { ...data, name: 'metadata2.json', sharesHeaderOf: 0 }]) },
    { name: 'a name that differs from its header', bytes: changed({ localName: 'x'.repeat(String(data.name).length) }) },
    { name: '10,000 entries', bytes: rawZip([...good, ...Array.from({ length: 10_000 }, (_, i) => ({ name: `f${i}`, content: '' }))]) },
    { name: 'more entries than it has', bytes: rawZip(good, { entryCount: good.length + 1 }) },
    { name: 'the format for large files', bytes: rawZip(good, { isZip64: true }) },
    { name: 'bytes after its end', bytes: rawZip(good, { garbage: 'garbage' }) },
    { name: 'a second end in its comment', bytes: rawZip(good, { comment: rawZip([]).toString('latin1') }) },
    { name: 'bytes before its start', bytes: Buffer.concat([Buffer.from('garbage'), rawZip(good)]) },
    { name: 'half of it', bytes: rawZip(good).subarray(0, rawZip(good).length >> 1) },
    { name: 'archives in archives', bytes: nested(5) },
  ]
}
