// A version is cut: in small repositories with stand-ins for the packages, and with --long from this checkout as a dry run.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Misuse } from '#cli/lib/command.ts'
import { NATIVE_VERSION, PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { releaseChangelog } from '#tools/release/cut/changelog.ts'
import { CHECKSUMS, publicPem, SIGNATURE, signingKey, writeChecksums } from '#tools/release/cut/checksums.ts'
import { cutRelease, NOTES_FILE, type ReleaseRequest } from '#tools/release/cut/cut.ts'
import { cutFor } from '#tools/release/cut/request.ts'
import { nativeName, nativePlatforms } from '#tools/release/natives.ts'

const CHANGELOG = '# Changelog\n\nFor people.\n\n## Unreleased\n\n- It sings.\n- It dances.\n\n## 1.2.0 (2026-01-01)\n\n- It speaks.\n'
const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
const gitIn = (folder: string, ...args: string[]) => execFileSync('git', [...IDENTITY, ...args], { cwd: folder, encoding: 'utf8' }).trim()

/** A repository of version 1.2.0 with what a cut changes. */
function repository(t: TestContext): string {
  const root = temporaryFolder(t)
  const place = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  place('CHANGELOG.md', CHANGELOG)
  place('.gitignore', 'node_modules/\n')
  place('package.json', '{\n  "name": "voice-studio",\n  "version": "1.2.0"\n}\n')
  const lock = { name: 'voice-studio', version: '1.2.0', packages: { '': { name: 'voice-studio', version: '1.2.0' } } }
  place('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
  place('shared/protocol/version.ts', "export const VERSION = '1.2.0'\n")
  place('docs/version.md', '1.2.0\n')
  gitIn(root, 'init', '--quiet', '--initial-branch=main')
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.org'],
  ] as const)
    gitIn(root, 'config', name, value)
  gitIn(root, 'add', '.')
  gitIn(root, 'commit', '--quiet', '--message', 'Begin')
  return root
}

const versionAt = (checkout: string) => JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).version
const request = (t: TestContext, root: string, changed: Partial<ReleaseRequest> = {}): ReleaseRequest => ({
  root,
  version: '1.3.0',
  date: '2026-11-30',
  out: join(temporaryFolder(t), 'out'),
  key: null,
  isDryRun: false,
  steps: {
    documents: (checkout) => writeFileSync(join(checkout, 'docs/version.md'), `${versionAt(checkout)}\n`),
    build(checkout, out) {
      assert.equal(gitIn(checkout, 'status', '--porcelain'), '', 'packages are made of a commit')
      writeFileSync(join(out, 'program.tgz'), `packed ${versionAt(checkout)} of ${gitIn(checkout, 'rev-parse', 'HEAD')}`)
    },
  },
  ...changed,
})

function keyFile(t: TestContext, mode = 0o600): string {
  const path = join(temporaryFolder(t), 'release.pem')
  writeFileSync(path, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode })
  return path
}

test('the unreleased section becomes the section of the version', () => {
  const { text, section } = releaseChangelog(CHANGELOG, '1.3.0', '2026-11-30')
  assert.equal(section, '- It sings.\n- It dances.')
  assert.equal(text, CHANGELOG.replace('## Unreleased', '## 1.3.0 (2026-11-30)'))
  assert.equal(releaseChangelog('# C\n\n## Unreleased\n\n- All.\n', '1.3.0', '2026-11-30').text, '# C\n\n## 1.3.0 (2026-11-30)\n\n- All.\n')
  for (const [changelog, version, message] of [
    [CHANGELOG, '1.2.0', /has a section 1\.2\.0 already/],
    [CHANGELOG.replace('## Unreleased', '## Later'), '1.3.0', /has no section Unreleased/],
    [CHANGELOG.replace(/- It sings.*\n.*\n/, ''), '1.3.0', /section Unreleased of CHANGELOG\.md is empty/],
  ] as const)
    assert.throws(() => releaseChangelog(changelog, version, '2026-11-30'), message)
})

test('a cut raises the version everywhere in one tagged commit, and writes the files of the release', (t) => {
  const root = repository(t)
  const before = gitIn(root, 'rev-parse', 'HEAD')
  const asked = request(t, root, { key: signingKey(keyFile(t)) })
  const { commit, tag, files } = cutRelease(asked)
  assert.deepEqual([gitIn(root, 'rev-parse', 'HEAD'), gitIn(root, 'rev-parse', `${tag}^{commit}`)], [commit, commit])
  assert.equal(gitIn(root, 'rev-parse', 'HEAD~1'), before)
  assert.equal(gitIn(root, 'status', '--porcelain'), '')
  assert.equal(gitIn(root, 'cat-file', '-t', tag), 'tag')
  assert.equal(gitIn(root, 'log', '-1', '--format=%s'), 'Release 1.3.0')
  for (const path of ['package.json', 'shared/protocol/version.ts', 'docs/version.md', 'CHANGELOG.md'])
    assert.match(readFileSync(join(root, path), 'utf8'), /1\.3\.0/, path)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  assert.deepEqual([lock.version, lock.packages[''].version], ['1.3.0', '1.3.0'])

  assert.deepEqual(readdirSync(asked.out).sort(), [...files].sort())
  assert.equal(files.at(-1), CHECKSUMS, 'a folder with it is complete')
  assert.equal(readFileSync(join(asked.out, 'program.tgz'), 'utf8'), `packed 1.3.0 of ${commit}`)
  const notes = readFileSync(join(asked.out, NOTES_FILE), 'utf8')
  for (const part of ['# Voice Studio 1.3.0\n', commit, '- It sings.\n- It dances.\n', 'BEGIN PUBLIC KEY'])
    assert.ok(notes.includes(part), part)
  const manual = readFileSync(join(REPOSITORY, 'docs/releasing.md'), 'utf8')
  for (const name of files.filter((each) => !each.endsWith('.tgz'))) assert.ok(manual.includes(`\`${name}\``), name)
})

test('a dry run writes the same files and does not change the checkout', (t) => {
  const root = repository(t)
  const before = gitIn(root, 'rev-parse', 'HEAD')
  const asked = request(t, root, { isDryRun: true })
  cutRelease(asked)
  assert.deepEqual(readdirSync(asked.out).sort(), [NOTES_FILE, CHECKSUMS, 'program.tgz'])
  assert.deepEqual([gitIn(root, 'rev-parse', 'HEAD'), gitIn(root, 'tag'), gitIn(root, 'status', '--porcelain')], [before, '', ''])
})

test('a cut that fails leaves the checkout and the folder as they were', (t) => {
  const root = repository(t)
  const before = gitIn(root, 'rev-parse', 'HEAD')
  const asked = request(t, root)
  const build = () => {
    throw new Error('the disk is full')
  }
  assert.throws(() => cutRelease({ ...asked, steps: { ...asked.steps, build } }), /the disk is full/)
  assert.deepEqual([gitIn(root, 'rev-parse', 'HEAD'), gitIn(root, 'tag'), existsSync(asked.out)], [before, '', false])
  cutRelease(asked)
})

test('a checkout that changes during the cut gets neither commit nor tag, and the folder no files', (t) => {
  const root = repository(t)
  const asked = request(t, root)
  const build = (checkout: string, out: string) => {
    asked.steps.build(checkout, out)
    gitIn(root, 'commit', '--quiet', '--allow-empty', '--message', 'Meanwhile')
  }
  assert.throws(() => cutRelease({ ...asked, steps: { ...asked.steps, build } }), /changed while the version was made/)
  assert.equal(gitIn(root, 'log', '-1', '--format=%s'), 'Meanwhile')
  assert.deepEqual([gitIn(root, 'tag'), gitIn(root, 'status', '--porcelain'), readdirSync(asked.out)], ['', '', []])
  cutRelease(asked)
})

test('a version is refused that is no newer one, was cut before, or has changes that no commit contains', (t) => {
  const root = repository(t)
  const refused = (version: string, message: RegExp) =>
    assert.throws(
      () => cutRelease(request(t, root, { version })),
      (error: Error) => error instanceof Misuse && message.test(error.message),
    )
  for (const version of ['1.2.0', '1.1.9', '0.9.0']) refused(version, /is not newer than 1\.2\.0/)
  for (const version of ['1.3', 'v1.3.0', '1.3.0-beta', '01.3.0', '1.3.0\n', '-1.0.0']) refused(version, /is no version/)
  gitIn(root, 'tag', 'v1.3.0')
  refused('1.3.0', /The tag v1\.3\.0 exists already/)
  writeFileSync(join(root, 'package.json'), '{}')
  refused('1.4.0', /changes that no commit contains/)
})

test('a signing key is an Ed25519 key that no one else can open', (t) => {
  assert.equal(signingKey(keyFile(t)).asymmetricKeyType, 'ed25519')
  const folder = temporaryFolder(t)
  const place = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const pair = generateKeyPairSync('ed25519')
  const encrypted = pair.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  for (const [path, message] of [
    [keyFile(t, 0o644), /chmod 600/],
    [folder, /is no file with a private key/],
    [join(folder, 'absent'), /is no file with a private key/],
    [place('text', 'hello'), /without a password in PEM/],
    [place('encrypted', encrypted), /without a password in PEM/],
    [place('public', pair.publicKey.export({ type: 'spki', format: 'pem' })), /without a password in PEM/],
    [place('rsa', rsa), /is no Ed25519 key/],
  ] as const)
    assert.throws(() => signingKey(path), message)
})

const openssl = findProgram('openssl', process.env['PATH'])

test('the documented commands make a key, and verify a release', { skip: !openssl && 'openssl is not installed' }, async (t) => {
  const text = readFileSync(join(REPOSITORY, 'docs/releasing.md'), 'utf8')
  const commandsOf = (heading: string) => {
    const [, commands = ''] = new RegExp(`^## ${heading}\\n[\\s\\S]*?\`\`\`sh\\n([\\s\\S]*?)\`\`\``, 'm').exec(text) ?? []
    assert.notEqual(commands, '', heading)
    return commands
  }
  const folder = temporaryFolder(t)
  const run = (commands: string) => runToEnd('sh', ['-euc', commands], { cwd: folder })
  const made = await run(commandsOf('Signing key'))
  assert.equal(made.code, 0, made.errors)
  const key = signingKey(join(folder, 'release.pem'))
  assert.ok(made.output.includes(publicPem(key)))
  writeFileSync(join(folder, 'program.tgz'), 'packed')
  writeFileSync(join(folder, 'release-public.pem'), `${publicPem(key)}\n`)
  // The key itself is no file of a release.
  const digest = createHash('sha256').update('packed').digest('hex')
  renameSync(join(folder, 'release.pem'), join(temporaryFolder(t), 'release.pem'))
  writeChecksums(folder, key)
  const verify = commandsOf('Verify')
  const verified = await run(verify)
  assert.equal(verified.code, 0, verified.output + verified.errors)
  assert.match(verified.output, /Signature Verified Successfully\n[\s\S]*program\.tgz: OK/)
  assert.ok(readFileSync(join(folder, CHECKSUMS), 'utf8').includes(`${digest}  program.tgz\n`))

  writeFileSync(join(folder, 'program.tgz'), 'replaced')
  assert.notEqual((await run(verify)).code, 0, 'a replaced file')
  writeChecksums(folder, null)
  assert.notEqual((await run(verify)).code, 0, 'a list with another signature')
  writeFileSync(join(folder, SIGNATURE), Buffer.alloc(64))
  assert.notEqual((await run(verify)).code, 0, 'a signature of no one')
})

test('release cut reads its words', (t) => {
  const refused = (args: readonly string[], message: RegExp) =>
    assert.throws(
      () => cutFor(args, temporaryFolder(t)),
      (error: Error) => error instanceof Misuse && message.test(error.message),
    )
  for (const args of [[], ['9.0.0'], ['9.0.0', 'x', '--out', 'x'], ['--out', 'x']]) refused(args, /^release cut needs VERSION --out DIR\./)
  refused(['9.0.0', '--out', import.meta.dirname], /^The folder \S+ is not empty\./)
  refused(['9.0.0', '--dry-run', '--out', 'x', '--key', 'absent'], /absent is no file with a private key\./)
  refused([VERSION, '--dry-run', '--out', 'x'], /is not newer than/)
  refused(['9.0.0', '--output', 'x'], /^Unknown option '--output'\./)
})

const long = { skip: !isLongRun && 'long: ./studio test --long', timeout: 900_000 }

test('a dry run of this checkout makes all files of a release', long, async (t) => {
  const clone = join(temporaryFolder(t), 'checkout')
  gitIn(REPOSITORY, 'clone', '--quiet', '--shared', '.', clone)
  // With the changes of the tree, as a commit: a checkout with changes cannot be cut.
  const changed = gitIn(REPOSITORY, 'ls-files', '--modified', '--deleted', '--others', '--exclude-standard', '-z')
    .split('\0')
    .filter(Boolean)
  for (const path of changed)
    if (existsSync(join(REPOSITORY, path))) cpSync(join(REPOSITORY, path), join(clone, path), { recursive: true })
    else rmSync(join(clone, path), { force: true })
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
  symlinkSync(join(REPOSITORY, 'node_modules'), join(clone, 'node_modules'))
  const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')
  // Right after a release there is no such section.
  if (!changelog.includes('\n## Unreleased\n'))
    writeFileSync(join(clone, 'CHANGELOG.md'), changelog.replace('\n## ', '\n## Unreleased\n\n- A line.\n\n## '))
  gitIn(clone, 'add', '.')
  gitIn(clone, 'commit', '--quiet', '--allow-empty', '--message', 'Changes of the tree')
  gitIn(clone, 'config', 'user.name', 'Test')
  gitIn(clone, 'config', 'user.email', 'test@example.org')
  const head = gitIn(clone, 'rev-parse', 'HEAD')

  const [major = 0, minor = 0] = VERSION.split('.').map(Number)
  const version = `${major}.${minor + 1}.0`
  const out = join(temporaryFolder(t), 'out')
  const words = ['cli/main.ts', 'release', 'cut', version, '--out', out, '--dry-run', '--key', keyFile(t)]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: clone, timeout: long.timeout })
  assert.match(stdout, new RegExp(`Signed\\. Its public key:\\n-----BEGIN PUBLIC KEY-----[\\s\\S]*Dry run: v${version} was not made`))
  assert.deepEqual([gitIn(clone, 'rev-parse', 'HEAD'), gitIn(clone, 'tag', '--list', `v${version}`)], [head, ''])
  assert.equal(gitIn(clone, 'status', '--porcelain'), '')

  const natives = nativePlatforms().map((platform) => `${nativeName(platform).slice(1).replace('/', '-')}-${NATIVE_VERSION}.tgz`)
  const programs = [PACKAGES.studio, PACKAGES.agent].map((name) => `${name}-${version}.tgz`)
  const bom = `voice-studio-${version}.cdx.json`
  assert.deepEqual(readdirSync(out).sort(), [...natives, ...programs, bom, NOTES_FILE, CHECKSUMS, SIGNATURE].sort())
  const checked = await runToEnd('sha256sum', ['--check', CHECKSUMS], { cwd: out })
  assert.equal(checked.code, 0, checked.output)
  const [, commit = ''] = /^Commit ([0-9a-f]{40})\./m.exec(readFileSync(join(out, NOTES_FILE), 'utf8')) ?? []
  for (const file of programs) {
    const manifest = JSON.parse(execFileSync('tar', ['-xzOf', join(out, file), 'package/package.json'], { encoding: 'utf8' }))
    assert.deepEqual([manifest.version, manifest.gitHead], [version, commit], file)
  }
  const { components } = JSON.parse(readFileSync(join(out, bom), 'utf8'))
  for (const file of [...natives, ...programs]) {
    const digest = createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('hex')
    assert.ok(
      components.some((each: { hashes?: { content: string }[] }) => each.hashes?.some(({ content }) => content === digest)),
      `${file} is in the bill of materials`,
    )
  }
})
