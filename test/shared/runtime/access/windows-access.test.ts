// Access rights of Windows, with a stand-in for icacls.exe: this system has none.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { keepPrivate } from '#shared/runtime/access/private-folder.ts'
import { closeOnWindows, isOpen, openToOthers, type RunSystemProgram } from '#shared/runtime/access/windows-access.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const USER = 'S-1-5-21-1-2-3-1001'
const OWN = `D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;${USER})`
const USUAL = `D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${USER})`
const SHARED = `${USUAL}(A;OICIID;0x1200a9;;;BU)`

/** A disk whose entries have these lists. `keeps`: changes have no effect. */
function system(dataDir: string, rights: Record<string, string>, { keeps = false, isSilent = false } = {}) {
  const calls: string[] = []
  const run: RunSystemProgram = (program, args) => {
    if (program === 'whoami.exe') return `"attic\\zoe","${USER}"\r\n`
    const [path = '', option, file = ''] = args
    if (option === '/save') {
      if (isSilent) return ''
      const named = Object.keys(rights).filter((name) =>
        basename(path) === '*'
          ? name !== dataDir && !name.slice(dataDir.length + 1).includes('/')
          : name === path || (args.includes('/T') && name.startsWith(`${path}/`)),
      )
      const nameOf = (name: string) => (name === dataDir ? basename(dataDir) : name.slice(dataDir.length + 1))
      writeFileSync(file, Buffer.from(`\uFEFF${named.flatMap((name) => [nameOf(name), rights[name]]).join('\r\n')}\r\n`, 'utf16le'))
      return ''
    }
    calls.push(
      args
        .filter((word) => word !== '/Q')
        .join(' ')
        .replaceAll(dataDir, '.'),
    )
    if (keeps) return ''
    if (option === '/reset') rights[path] = path === dataDir ? SHARED : USUAL
    else for (const name of Object.keys(rights)) if (name === path) rights[name] = OWN
    return ''
  }
  return { run, calls }
}

test('a list is open if it gives rights to others, or if there is none', () => {
  const trusted = ['SY', 'BA', USER]
  for (const sddl of [OWN, USUAL, `${OWN}S:AI(A;;FA;;;WD)`, `D:(D;;FA;;;WD)(A;;FA;;;${USER})`])
    assert.equal(isOpen(sddl, trusted), false, sddl)
  for (const sddl of [SHARED, 'D:NO_ACCESS_CONTROL', '', 'O:BA', 'D:(A;;FR;;;WD)', 'D:(XA;;FR;;;AU;(x))', `D:(A;;FA;;;${USER}0)`])
    assert.equal(isOpen(sddl, trusted), true, sddl)
})

test('the data folder and its keys are closed, and it is checked', {
  skip: process.platform === 'win32' && 'the stand-in has paths of other systems',
}, (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'authority'))
  const key = join(folder, 'authority/settings.key')
  const rights = { [folder]: SHARED, [join(folder, 'studio.db')]: USUAL, [join(folder, 'authority')]: USUAL, [key]: 'D:(A;;FA;;;WD)' }
  const { run, calls } = system(folder, rights)
  assert.deepEqual(openToOthers(folder, run), [folder, key])
  assert.deepEqual(closeOnWindows(folder, run), { closed: [folder, key], isKnown: true })
  assert.deepEqual(calls, [
    '. /reset',
    `. /inheritance:r /grant:r *${USER}:(OI)(CI)F /grant:r *S-1-5-18:(OI)(CI)F`,
    './authority/settings.key /reset',
  ])
  assert.deepEqual(closeOnWindows(folder, run), { closed: [], isKnown: true })
  assert.equal(calls.length, 3, 'a closed folder is not changed')
})

test('a disk that keeps the access of others stops the start, and a system that does not answer does not', (t) => {
  const folder = temporaryFolder(t)
  const fat = system(folder, { [folder]: 'D:NO_ACCESS_CONTROL' }, { keeps: true })
  assert.throws(() => closeOnWindows(folder, fat.run), /Other users have access to .* Choose another STUDIO_DATA_DIR/)
  const silent = system(folder, { [folder]: SHARED }, { isSilent: true })
  assert.deepEqual(closeOnWindows(folder, silent.run), { closed: [], isKnown: false })
  const missing: RunSystemProgram = () => {
    throw new Error('ENOENT')
  }
  assert.deepEqual(closeOnWindows(folder, missing), { closed: [], isKnown: false })
  assert.deepEqual(closeOnWindows(join(folder, 'none'), missing), { closed: [], isKnown: true })
})

test('without an answer of Windows the owner is asked to look', async (t) => {
  const folder = temporaryFolder(t)
  assert.match((await keepPrivate(folder, 'win32'))?.text ?? '', /Check that only you can read it/)
  assert.equal(await keepPrivate(folder, 'linux'), null)
})
