import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import forge from 'node-forge'
import { createAuthority, createSerial, issueLeaf, type LeafRequest } from '#shared/pki/certificate.ts'
import { inspectAuthority, inspectLeaf, namesSubject, validityOf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { isPin, pinOf, samePin } from '#shared/pki/pin.ts'
import { createRequest, readRequest } from '#shared/pki/request.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { ownCpuSeconds } from '#test/support/world/process.ts'

const NOW = Date.UTC(2027, 2, 4, 5, 6, 7)
const HOUR = 3_600_000
const serial = () => createSerial(systemRandom.hex(16))
const authority = await createAuthority({ name: 'Home', now: NOW, years: 10, serial: serial(), bits: 2048 })
const key = await createKey()
const wish: LeafRequest = { authority, publicKeyPem: publicKeyOf(key), role: 'worker', id: 'gpu-1', now: NOW, hours: 48, serial: serial() }
const leaf = issueLeaf(wish)
const expected = {
  certificatePem: leaf,
  authorityPem: authority.certificatePem,
  publicKeyPem: wish.publicKeyPem,
  role: 'worker',
  id: 'gpu-1',
  now: NOW,
} as const

test('a leaf carries its subject and dates and works on both sides', () => {
  const certificate = new X509Certificate(leaf)
  assert.equal(certificate.subjectAltName, 'DNS:gpu-1, URI:studio://worker/gpu-1')
  assert.deepEqual(validityOf(leaf), { notBefore: NOW - HOUR, notAfter: NOW + 48 * HOUR })
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  assert.equal(certificate.ca, false)
  assert.equal(certificate.serialNumber.toLowerCase(), wish.serial)
  assert.equal(certificate.issuer, 'CN=Home')
  assert.ok(certificate.checkPrivateKey(createPrivateKey(key)))
  inspectLeaf(expected)
  inspectAuthority(authority.certificatePem, NOW)
})

test('a subject must match completely', () => {
  const certificate = new X509Certificate(leaf)
  assert.equal(namesSubject(certificate, 'worker', 'gpu-1'), true)
  for (const [role, id] of [
    ['studio', 'gpu-1'],
    ['worker', 'gpu-10'],
    ['worker', 'gpu'],
    ['worker', ''],
  ] as const)
    assert.equal(namesSubject(certificate, role, id), false)
})

test('inspection reports each defect', async () => {
  const other = await createAuthority({ name: 'Home', now: NOW, years: 10, serial: serial(), bits: 2048 })
  const wrong: [Partial<typeof expected> | object, RegExp][] = [
    [{ now: NOW - 2 * HOUR }, /not valid yet/],
    [{ now: NOW + 48 * HOUR }, /expired/],
    [{ authorityPem: other.certificatePem }, /not signed/],
    [{ publicKeyPem: publicKeyOf(other.keyPem) }, /another key/],
    [{ id: 'gpu-2' }, /another name/],
    [{ role: 'studio' }, /another name/],
    [{ id: '../x' }, /invalid name/],
    [{ certificatePem: authority.certificatePem }, /is an authority/],
    [{ certificatePem: 'nonsense' }, /cannot be read/],
  ]
  for (const [change, reason] of wrong) assert.throws(() => inspectLeaf({ ...expected, ...change }), { code: 'NOT_READY', message: reason })
  assert.throws(() => inspectAuthority(leaf, NOW), /not an authority/)
  assert.throws(() => inspectAuthority(authority.certificatePem, NOW + 11 * 365 * 24 * HOUR), /expired/)
})

test('no leaf is issued that would fail inspection', () => {
  assert.throws(() => issueLeaf({ ...wish, id: 'a b' }), /invalid name/)
  assert.throws(() => issueLeaf({ ...wish, hours: 11 * 365 * 24 }), /outlives/)
})

test('a request proves its key and nothing else', async () => {
  const request = createRequest(key, 'machine')
  const { publicKeyPem, pin } = readRequest(request)
  assert.equal(pin, pinOf(leaf))
  assert.equal(pin, pinOf(publicKeyPem))
  const another = createRequest(await createKey(), 'machine')
  const body = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  // The names and key of one, the signature of the other.
  const forged = Buffer.concat([body(request).subarray(0, -256), body(another).subarray(-256)])
  const pem = (bytes: Buffer) => `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
  assert.equal(readRequest(pem(body(request))).pin, pin)
  for (const bad of [
    pem(forged),
    pem(body(request).subarray(10)),
    '',
    leaf,
    'x'.repeat(10_000),
    createRequest(await createKey(1024), 'small'),
  ])
    assert.throws(() => readRequest(bad), { code: 'BAD_REQUEST' })
})

test('a request with a weak signature or exponent is refused, and a strong one of another program is not', () => {
  const pemOf = (exponent: number, bits = 2048): string =>
    generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: exponent }).privateKey.export({
      type: 'pkcs1',
      format: 'pem',
    }) as string
  const requestOf = (privateKeyPem: string, hash: 'md5' | 'sha1' | 'sha256' | 'sha512'): string => {
    const request = forge.pki.createCertificationRequest()
    request.publicKey = forge.pki.publicKeyFromPem(publicKeyOf(privateKeyPem))
    request.setSubject([{ name: 'commonName', value: 'machine' }])
    request.sign(forge.pki.privateKeyFromPem(privateKeyPem), forge.md[hash].create())
    return forge.pki.certificationRequestToPem(request)
  }
  const strong = pemOf(65_537)
  for (const [privateKeyPem, hash, message] of [
    [strong, 'md5', /unsafe algorithm\. Use RSA with SHA-256/],
    [strong, 'sha1', /unsafe algorithm\. Use RSA with SHA-256/],
    [pemOf(3), 'sha256', /weak key\..*65537/],
    [pemOf(257), 'sha256', /weak key\..*65537/],
    [pemOf(65_537, 1024), 'sha256', /wrong size\..*2048/],
  ] as const)
    assert.throws(() => readRequest(requestOf(privateKeyPem, hash)), { code: 'BAD_REQUEST', message })
  assert.equal(isPin(readRequest(requestOf(strong, 'sha512')).pin), true)
})

test('an oversized key is refused before it is used', () => {
  const untyped = forge.pki as unknown as { getCertificationRequestInfo: (request: object) => forge.asn1.Asn1 }
  const number = (bits: number) => new forge.jsbn.BigInteger(`f${'5'.repeat(bits / 4 - 1)}`, 16)
  for (const [modulus, exponent] of [
    [14_000, 32],
    [4096, 4096],
    [14_000, 14_000],
  ] as const) {
    const request = forge.pki.createCertificationRequest()
    request.publicKey = forge.pki.setRsaPublicKey(number(modulus), number(exponent))
    request.signatureOid = request.siginfo.algorithmOid = forge.pki.oids['sha256WithRSAEncryption']!
    request.certificationRequestInfo = untyped.getCertificationRequestInfo(request)
    request.signature = `\x01${'s'.repeat(modulus / 8 - 1)}`
    const from = ownCpuSeconds()
    assert.throws(() => readRequest(forge.pki.certificationRequestToPem(request)), /wrong size/)
    // A minute, if it were used.
    assert.ok(ownCpuSeconds() - from < 1)
  }
})

test('a pin identifies the key in any container', () => {
  const certificate = new X509Certificate(leaf)
  const pin = pinOf(leaf)
  assert.ok(isPin(pin))
  for (const source of [certificate, certificate.raw, certificate.publicKey, wish.publicKeyPem, createPublicKey(key)])
    assert.equal(pinOf(source), pin)
  assert.equal(pinOf(issueLeaf({ ...wish, hours: 1 })), pin)
  assert.equal(samePin(pin, pin), true)
  assert.equal(samePin(pin, pinOf(authority.certificatePem)), false)
  assert.equal(samePin(pin, pin.toUpperCase()), false)
  assert.equal(samePin('', ''), false)
})

test('serial numbers are positive and full length', () => {
  for (const hex of ['f'.repeat(32), '0'.repeat(32), systemRandom.hex(16)]) {
    assert.match(createSerial(hex), /^[0-7][0-9a-f]{31}$/)
    assert.equal(new X509Certificate(issueLeaf({ ...wish, serial: createSerial(hex) })).serialNumber.toLowerCase(), createSerial(hex))
  }
})

test('the script for development certificates writes valid files', (t) => {
  const out = mkdtempSync(join(tmpdir(), 'voice-certificates-'))
  t.after(() => rmSync(out, { recursive: true, force: true }))
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, '../../../certs-dev/make.ts'), '2', out], { encoding: 'utf8' })
  assert.match(printed, /^studio\t[0-9a-f]{64}\nagent-1\t[0-9a-f]{64}\nagent-2\t[0-9a-f]{64}\n$/)
  assert.equal(readdirSync(out).length, 8)
})
