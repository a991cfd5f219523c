// Disposable certificates for manual tests: node certs-dev/make.ts [agents] [folder]. The default folder is certs-dev/out.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority, createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import type { Role } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { systemRandom } from '#shared/runtime/random.ts'

const out = process.argv[3] ?? join(import.meta.dirname, 'out')
const agents = Number(process.argv[2] ?? 1)
if (!Number.isInteger(agents) || agents < 0 || agents > 1000) {
  process.stderr.write('usage: node certs-dev/make.ts [number of agents, 0 to 1000] [folder]\n')
  process.exit(2)
}
const now = systemClock.now()
const serial = () => createSerial(systemRandom.hex(16))
const write = (name: string, text: string) => writeFileSync(join(out, name), text, { mode: 0o600 })

// Only the default folder is emptied first; in a given folder files are overwritten.
if (!process.argv[3]) rmSync(out, { recursive: true, force: true })
privateFolder(out)
const authority = await createAuthority({ name: 'Disposable authority', now, years: 1, serial: serial() })
write('authority.key.pem', authority.keyPem)
write('authority.pem', authority.certificatePem)

async function leaf(role: Role, id: string): Promise<void> {
  const key = await createKey()
  const certificate = issueLeaf({ authority, publicKeyPem: publicKeyOf(key), role, id, now, hours: 30 * 24, serial: serial() })
  write(`${id}.key.pem`, key)
  write(`${id}.pem`, certificate)
  process.stdout.write(`${id}\t${pinOf(certificate)}\n`)
}
await leaf('studio', 'studio')
for (let n = 1; n <= agents; n++) await leaf('worker', `agent-${n}`)
