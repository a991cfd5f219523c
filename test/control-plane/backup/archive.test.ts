// Backups of a data folder as archives: complete ones, those with what changed, and what is refused.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { KNOWN_PARTS, partOf } from '#control-plane/backup/contents.ts'
import { restoreAll } from '#control-plane/backup/restore.ts'
import { sealSecrets } from '#control-plane/backup/sealed.ts'
import { type BackupOrder, backupAll } from '#control-plane/backup/write.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { allSources, typescript } from '#test/architecture/source.ts'
import { type RawEntry, rawZip } from '#test/support/archive/raw-zip.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const PASSPHRASE = 'a passphrase of the test'
const put = (folder: string, path: string, content: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}
function studioFolder(t: TestContext): string {
  const folder = temporaryFolder(t)
  openDatabase(join(folder, 'studio.db')).close()
  put(folder, 'outputs/one.wav', 'the first take')
  put(folder, 'outputs/empty.wav', '')
  put(folder, 'a-later-feature/deep/file', 'kept by default')
  put(folder, 'authority/settings.key', 'a secret key')
  put(folder, 'logs/studio.log', 'a line')
  put(folder, 'program/current', 'a program')
  put(folder, 'artifacts/x.1.new', 'half a file')
  return folder
}
const backup = (dataDir: string, target: string, more: Partial<BackupOrder> = {}) =>
  backupAll({ dataDir, target, passphrase: PASSPHRASE, since: null, clock, random, ...more })
const restore = (archive: string, into: string, others: readonly string[] = [], passphrase: string | null = PASSPHRASE) =>
  restoreAll({ archive, into, others, passphrase: async () => passphrase })
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

test('each folder that a program makes in the data folder is in the table of what a backup does with it', () => {
  const sources = ['control-plane', 'agent', 'cli', 'shared'].flatMap((folder) => typescript(allSources(folder)))
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/join\((?:settings\.)?data(?:Dir|Folder), '([\w.-]+)'/g)].map(([, name = '']) => ({ path, name })),
  )
  assert.ok(named.length > 20)
  for (const { path, name } of named)
    assert.ok(KNOWN_PARTS.has(name) || partOf(name) === 'excluded', `${path}: ${name} is in no table of control-plane/backup/contents.ts`)
})

test('a backup has everything but what the tables leave out, and is restored as it was', async (t) => {
  const [folder, place] = [studioFolder(t), temporaryFolder(t)]
  symlinkSync('/etc/hostname', join(folder, 'outputs', 'link.wav'))
  const moved = join(place, 'elsewhere')
  put(moved, 'cover.png', 'a picture')
  symlinkSync(moved, join(folder, 'covers'))
  const report = await backup(folder, join(place, 'a.zip'))
  assert.deepEqual([report.files, report.skipped, report.vanished, report.hasSecrets], [4, 1, 0, true])
  assert.equal(statSync(join(place, 'a.zip')).mode & 0o777, 0o600)
  await assert.rejects(backup(folder, join(place, 'a.zip')), { code: 'CONFLICT' })

  const into = join(place, 'new', 'data')
  await restore(join(place, 'a.zip'), into)
  assert.deepEqual(filesOf(into), [
    'a-later-feature/deep/file',
    'authority/settings.key',
    'covers/cover.png',
    'outputs/empty.wav',
    'outputs/one.wav',
    'studio.db',
  ])
  assert.equal(readFileSync(join(into, 'authority/settings.key'), 'utf8'), 'a secret key')
  assert.deepEqual([statSync(into).mode & 0o777, statSync(join(into, 'outputs/one.wav')).mode & 0o777], [0o700, 0o600])
  await assert.rejects(restore(join(place, 'a.zip'), into), { code: 'CONFLICT' })
  await assert.rejects(restore(join(place, 'a.zip'), join(place, 'b'), [], 'not the passphrase'), { code: 'AUTH_FAILED' })
  assert.equal((await restore(join(place, 'a.zip'), join(place, 'b'), [], null)).secrets, 'left out')
  assert.ok(!existsSync(join(place, 'b', 'authority')))
  assert.deepEqual(readdirSync(place).sort(), ['a.zip', 'b', 'elsewhere', 'new'], 'nothing is left')
})

test('what is not in a backup is counted: links that are followed nowhere, and names that are no text', async (t) => {
  const [folder, place] = [studioFolder(t), temporaryFolder(t)]
  symlinkSync('/etc/hostname', join(folder, 'a-file'))
  symlinkSync('circle', join(folder, 'circle'))
  symlinkSync('nothing', join(folder, 'dangling'))
  symlinkSync('/etc/hostname', join(folder, 'authority', 'link.key'))
  const isBytes = process.platform === 'linux'
  if (isBytes) writeFileSync(Buffer.concat([Buffer.from(join(folder, 'outputs/')), Buffer.from([0xff, 0x61])]), 'a take')
  const report = await backup(folder, join(place, 'a.zip'))
  assert.deepEqual([report.files, report.skipped], [3, isBytes ? 5 : 4])
})

test('a backup is not written among what is backed up', async (t) => {
  const folder = studioFolder(t)
  mkdirSync(join(folder, 'backups'))
  for (const target of ['a.zip', 'outputs/a.zip', 'a-later-feature/a.zip', 'authority/a.zip'])
    await assert.rejects(backup(folder, join(folder, target)), { code: 'BAD_REQUEST', message: /would be in later backups/ }, target)
  await backup(folder, join(folder, 'backups', 'a.zip'))
  assert.deepEqual(readdirSync(join(folder, 'outputs')).sort(), ['empty.wav', 'one.wav'])
})

test('keys that could not be restored are not backed up', async () => {
  const secrets = new Map(Array.from({ length: 10_001 }, (_, at) => [`authority/${at}`, Buffer.alloc(0)]))
  await assert.rejects(sealSecrets(secrets, { passphrase: PASSPHRASE, id: '', random }), { code: 'BAD_REQUEST' })
})

/** A stream that does something once, after the files were kept and before they are read. */
function atFirstBytes(act: () => void): Writable {
  let isFirst = true
  return new Writable({
    write(_chunk, _encoding, done) {
      if (isFirst) act()
      isFirst = false
      done()
    },
  })
}

test('what is added to a file meanwhile is left out, and a backup whose files another program removed fails', async (t) => {
  const folder = studioFolder(t)
  rmSync(join(folder, 'a-later-feature'), { recursive: true })
  const grown = await backup(folder, '', { target: atFirstBytes(() => appendFileSync(join(folder, 'outputs/one.wav'), ' and more')) })
  assert.equal(grown.bytes - Buffer.byteLength('the first take'), (await backup(folder, '', { target: atFirstBytes(() => {}) })).bytes - 23)
  const kept = () => readdirSync(folder).find((name) => name.endsWith('-backup'))!
  const robbed = backup(folder, '', { target: atFirstBytes(() => rmSync(join(folder, kept(), 'files'), { recursive: true })) })
  await assert.rejects(robbed, { code: 'CONFLICT', message: /Another program removed the files of this backup/ })
})

test('an archive goes to a stream as well', async (t) => {
  const [folder, place] = [studioFolder(t), temporaryFolder(t)]
  const stream = new PassThrough()
  const [bytes] = await Promise.all([buffer(stream), backup(folder, '', { target: stream, passphrase: null })])
  writeFileSync(join(place, 'a.zip'), bytes)
  assert.equal((await restore(join(place, 'a.zip'), join(place, 'b'))).secrets, 'none')
})

test('a backup of what changed has only that, and needs the others', async (t) => {
  const [folder, place] = [studioFolder(t), temporaryFolder(t)]
  const at = (name: string) => join(place, name)
  await backup(folder, at('1.zip'))
  put(folder, 'outputs/two.wav', 'the second take')
  // The same content under another name is there already.
  put(folder, 'outputs/three.wav', 'the first take')
  const second = await backup(folder, at('2.zip'), { since: at('1.zip') })
  assert.deepEqual([second.files, second.unchanged], [5, 4])
  const bytes = readFileSync(at('2.zip'))
  assert.deepEqual([bytes.includes('the first take'), bytes.includes('the second take')], [false, true])
  assert.ok(readFileSync(at('1.zip')).includes('the first take'), 'nothing is compressed')
  rmSync(join(folder, 'outputs/one.wav'))
  put(folder, 'outputs/four.wav', 'the fourth take')
  const third = await backup(folder, at('3.zip'), { since: at('2.zip') })
  assert.deepEqual([third.files, third.unchanged], [5, 4])
  assert.equal((await restore(at('3.zip'), at('new'))).archives, 3)
  for (const path of filesOf(folder).filter((path) => partOf(path) === 'saved'))
    assert.ok(readFileSync(at(`new/${path}`)).equals(readFileSync(join(folder, path))), path)
  assert.ok(!existsSync(at('new/outputs/one.wav')))

  mkdirSync(at('away'))
  renameSync(at('1.zip'), at('away/1.zip'))
  await assert.rejects(restore(at('3.zip'), at('b')), { code: 'NOT_FOUND', message: /The earlier backup from 20\d\d-.* is needed too\./ })
  await restore(at('3.zip'), at('b'), [at('away/1.zip')])
  // Another backup with the same id is not the one that is needed.
  await backup(folder, at('1.zip'))
  await restore(at('3.zip'), at('c'), [at('away/1.zip')])
  await assert.rejects(backup(folder, at('4.zip'), { since: at('nothing.zip') }), { code: 'NOT_FOUND' })
  await assert.rejects(backup(folder, at('4.zip'), { since: join(folder, 'studio.db') }), { code: 'BAD_REQUEST' })
})

test('a full disk leaves no archive and no folder', { skip: !mayMount }, async (t) => {
  const folder = studioFolder(t)
  writeFileSync(join(folder, 'outputs', 'large.wav'), Buffer.alloc(3_000_000, 'noise'))
  const disk = smallDisk(t, 'size=2m')
  await assert.rejects(backup(folder, join(disk, 'a.zip')), { code: 'STORAGE_FULL', message: /needs 3\.\d MB, and the disk has/ })
  assert.deepEqual(readdirSync(disk), [])
  assert.ok(!readdirSync(folder).some((name) => name.includes('unfinished')))
  const place = temporaryFolder(t)
  await backup(folder, join(place, 'a.zip'))
  for (const into of [join(disk, 'new'), disk])
    await assert.rejects(restore(join(place, 'a.zip'), into), { code: 'STORAGE_FULL', message: /needs 20\.\d MB, and the disk has/ })
  assert.deepEqual(readdirSync(disk), [])
  const large = smallDisk(t, 'size=64m')
  await restore(join(place, 'a.zip'), large)
  assert.ok(existsSync(join(large, 'outputs', 'large.wav')), 'a folder that is a disk of its own')
})

test('hostile and damaged archives are refused, and nothing is left of them', async (t) => {
  const [folder, place] = [studioFolder(t), temporaryFolder(t)]
  await backup(folder, join(place, 'whole.zip'), { passphrase: null })
  const database = readFileSync(join(folder, 'studio.db'))
  const sum = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
  const content = 'bytes'
  const file = { path: 'outputs/a.wav', bytes: content.length, sha256: sum(content), stored: true }
  const manifest = {
    format: 1,
    id: 'a'.repeat(32),
    program: VERSION,
    createdAt: 1,
    since: null as unknown,
    database: { bytes: database.length, sha256: sum(database) },
    secrets: null,
    files: [file] as unknown[],
    models: [],
  }
  const entries: RawEntry[] = [
    { name: 'studio.db', content: database },
    { name: `files/${file.path}`, content },
  ]
  const archiveOf = (changed: object, others: readonly RawEntry[] = entries) =>
    rawZip([...others, { name: 'manifest.json', content: JSON.stringify({ ...manifest, ...changed }) }])
  const named = (path: string, more: object = {}) =>
    archiveOf({ files: [{ ...file, path, ...more }] }, [entries[0]!, { name: `files/${path}`, content }])
  const since = { id: 'b'.repeat(32), manifest: 'c'.repeat(64), createdAt: 1 }
  const CASES: Readonly<Record<string, Buffer>> = {
    'a path above': named('../x'),
    'a path above in the middle': named('outputs/../../x'),
    'an absolute path': named('/etc/x'),
    'a path of another system': named('outputs\\x'),
    'a name that a system keeps': named('outputs/nul.txt'),
    'a stream of a file': named('outputs/a:b'),
    'an empty name': named('outputs//x'),
    'a program': named('program/current'),
    'the database': named('studio.db-wal'),
    'a key in the open': named('authority/settings.key'),
    'a program in other letters': named('Program/current'),
    'the database in other letters': named('STUDIO.DB-WAL'),
    'the database with a character that is not seen': named('stu\u200Cdio.db-wal'),
    'a key in other letters': named('Authority/settings.key'),
    'a manifest of small values': rawZip([...entries, { name: 'manifest.json', content: `{"format":1,"files":[${'[],'.repeat(6e6)}[]]}` }]),
    'a long name': named('x'.repeat(300)),
    'a deep path': named(Array(20).fill('x').join('/')),
    'a path twice': archiveOf({ files: [file, file] }),
    'a file that is a folder': archiveOf({ files: [file, { ...file, path: 'outputs/a.wav/b' }] }, [
      ...entries,
      { name: 'files/outputs/a.wav/b', content },
    ]),
    'an entry twice': archiveOf({}, [...entries, entries[1]!]),
    'an entry without a line': archiveOf({}, [...entries, { name: 'files/outputs/b.wav', content }]),
    'a line without an entry': archiveOf({ files: [file, { ...file, path: 'outputs/b.wav' }] }),
    'another size': archiveOf({ files: [{ ...file, bytes: 6 }] }),
    'another digest': archiveOf({ files: [{ ...file, sha256: sum('other') }] }),
    'another database': archiveOf({ database: { bytes: database.length, sha256: sum('x') } }),
    'a database of another program': archiveOf({ database: { bytes: 5, sha256: sum(content) } }, [
      { name: 'studio.db', content },
      entries[1]!,
    ]),
    'a file of nowhere': archiveOf({ files: [{ ...file, stored: false }] }, [entries[0]!]),
    'an unknown field': archiveOf({ script: 'x' }),
    'a newer form': archiveOf({ format: 2 }),
    'a manifest that is none': rawZip([...entries, { name: 'manifest.json', content: '{"format":' }]),
    'a deep manifest': rawZip([...entries, { name: 'manifest.json', content: '['.repeat(100_000) }]),
    'no manifest': rawZip(entries),
    'a link': archiveOf({}, [entries[0]!, { ...entries[1]!, mode: 0o120777 }]),
    'a folder': archiveOf({}, [...entries, { name: 'files/x/', content: '' }]),
    'a compressed entry': archiveOf({}, [entries[0]!, { ...entries[1]!, isDeflated: true }]),
    'an encrypted entry': archiveOf({}, [entries[0]!, { ...entries[1]!, flags: 0x0801 }]),
    'an entry that says to be large': archiveOf({ files: [{ ...file, bytes: 2 ** 30 }] }, [
      entries[0]!,
      { ...entries[1]!, size: 2 ** 30, packedSize: 2 ** 30 },
    ]),
    'entries that share their bytes': archiveOf(
      { files: [...Array(40).keys()].map((at) => ({ ...file, path: `outputs/${at}`, bytes: database.length, sha256: sum(database) })) },
      [entries[0]!, ...[...Array(40).keys()].map((at) => ({ name: `files/outputs/${at}`, content: database, sharesHeaderOf: 0 }))],
    ),
    'a chain that is a circle': archiveOf({ since: { ...since, id: manifest.id } }),
    'no zip': Buffer.from('PK\u0003\u0004 and nothing else'),
    'half an archive': readFileSync(join(place, 'whole.zip')).subarray(0, 2_000),
  }
  const into = join(place, 'new')
  for (const [name, bytes] of Object.entries(CASES)) {
    const archive = join(place, 'hostile.zip')
    writeFileSync(archive, bytes)
    await assert.rejects(restore(archive, into), { code: 'BAD_REQUEST' }, name)
    assert.deepEqual(readdirSync(place).sort(), ['hostile.zip', 'whole.zip'], name)
  }
  writeFileSync(join(place, 'hostile.zip'), archiveOf({}))
  await restore(join(place, 'hostile.zip'), into)
  assert.equal(readFileSync(join(into, file.path), 'utf8'), content, 'the same without a lie is restored')
  // One bit of a whole archive.
  const whole = readFileSync(join(place, 'whole.zip'))
  whole[whole.indexOf('the first take')]! ^= 1
  writeFileSync(join(place, 'bit.zip'), whole)
  await assert.rejects(restore(join(place, 'bit.zip'), join(place, 'bit')), { code: 'BAD_REQUEST', message: /one\.wav is damaged/ })
  truncateSync(join(place, 'bit.zip'), whole.length - 30)
  await assert.rejects(restore(join(place, 'bit.zip'), join(place, 'bit')), { code: 'BAD_REQUEST' })
  assert.ok(!existsSync(join(place, 'bit')), basename(place))
})
