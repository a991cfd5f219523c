// The bill of materials: complete by the lock file, and valid by the schema of CycloneDX 1.6.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { unpackedPackages } from '#test/support/weights/distribution.ts'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { billOfMaterials } from '#tools/release/bom/bom.ts'
import { hashOf, purlOf } from '#tools/release/bom/components.ts'
import { licencesOfNative, nativeLicence, nativeName, nativePlatforms } from '#tools/release/natives.ts'

const COMMITTED = '2026-11-30T10:00:00+01:00'
const bom = billOfMaterials([], COMMITTED)
const named = (name: string) => bom.components.find((each) => each.name === name)

/** The parts of the schema that the bill uses; what it does not name here is refused. */
const Ref = z.string().min(1)
const DIGITS = { 'SHA-256': 64, 'SHA-384': 96, 'SHA-512': 128 } as const
const Hash = z
  .strictObject({ alg: z.enum(['SHA-256', 'SHA-384', 'SHA-512']), content: z.string().regex(/^[a-f0-9]+$/) })
  .refine(({ alg, content }) => content.length === DIGITS[alg])
const Component = z.strictObject({
  type: z.enum(['application', 'library', 'machine-learning-model', 'data', 'file']),
  'bom-ref': Ref,
  name: z.string().min(1),
  version: z.string().max(1024).optional(),
  purl: z
    .string()
    .regex(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/)
    .optional(),
  scope: z.enum(['required', 'optional', 'excluded']).optional(),
  // Several licences, or exactly one expression.
  licenses: z.tuple([z.strictObject({ expression: z.string().min(1) })]).optional(),
  hashes: z.array(Hash).min(1).optional(),
  get components() {
    return z.array(Component).optional()
  },
})
const Bom = z.strictObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  version: z.int().min(1),
  metadata: z.strictObject({ timestamp: z.iso.datetime({ offset: true }), component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.strictObject({ ref: Ref, dependsOn: z.array(Ref) })),
})

test('the bill has the required parts, each reference once, and no dependency that is not in it', () => {
  Bom.parse(JSON.parse(JSON.stringify(bom)))
  const refs = [bom.metadata.component, ...bom.components]
    .flatMap((each) => [each, ...(each.components ?? [])])
    .map((each) => each['bom-ref'])
  assert.equal(new Set(refs).size, refs.length)
  const used = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
  assert.deepEqual(
    used.filter((ref) => !refs.includes(ref)),
    [],
  )
})

test('the bill names our packages, packages of other people with licence and digest, binaries, models, data and code inside the pages', () => {
  for (const name of [PACKAGES.studio, PACKAGES.agent]) assert.equal(named(name)?.version, VERSION)
  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')).packages
  for (const name of ['zod', 'fastify', 'preact', 'uqr', 'onnxruntime-node', 'better-sqlite3', '@grpc/grpc-js', 'sherpa-onnx-node']) {
    const { version, license, integrity } = lock[`node_modules/${name}`]
    const found = named(name)
    assert.deepEqual([found?.version, found?.licenses, found?.hashes], [version, [{ expression: license }], [hashOf(integrity)]], name)
  }
  assert.equal(named('sherpa-onnx-node')?.scope, 'optional')
  for (const name of ['typescript', 'playwright-core', 'rolldown', 'sharp']) assert.equal(named(name), undefined, `${name} is not shipped`)
  for (const platform of nativePlatforms())
    assert.ok(named(nativeName(platform))?.components?.some(({ name }) => name === 'better_sqlite3.node'))
  for (const [folder, type, licence] of [
    ['agent/engine/tts/heart/assets', 'machine-learning-model', 'Apache-2.0'],
    ['agent/engine/vad/silero/assets', 'machine-learning-model', 'MIT'],
    ['control-plane/web/fonts', 'data', 'OFL-1.1'],
  ] as const) {
    const found = named(folder)
    assert.deepEqual([found?.type, found?.licenses], [type, [{ expression: licence }]])
    assert.ok((found?.components?.length ?? 0) > 0, folder)
  }
  const agent = bom.dependencies.find(({ ref }) => ref === purlOf(PACKAGES.agent, VERSION))
  assert.ok(agent?.dependsOn.includes('agent/engine/tts/heart/assets'))
  assert.ok(!agent?.dependsOn.some((ref) => /fastify|preact|web\/fonts/.test(ref)), 'the program of lenders has no pages and no server')
})

test('libraries of Microsoft beside the runtime on Windows are not named as MIT', () => {
  const windows = ['DirectML.dll', 'dxcompiler.dll', 'dxil.dll', 'onnxruntime.dll', 'onnxruntime_binding.node', 'better_sqlite3.node']
  assert.equal(licencesOfNative(windows), 'MIT AND LicenseRef-Microsoft-DirectML AND LicenseRef-Microsoft-DirectXShaderCompiler')
  assert.equal(licencesOfNative(['libonnxruntime.so.1', 'better_sqlite3.node']), 'MIT')
  for (const platform of nativePlatforms())
    for (const { name, licenses } of named(nativeName(platform))?.components ?? [])
      assert.deepEqual(licenses, [{ expression: nativeLicence(name) }], name)
})

test('a digest of the lock file is read, and nothing else', () => {
  assert.deepEqual(hashOf('sha512-AAEC'), { alg: 'SHA-512', content: '000102' })
  for (const wrong of ['', 'md5-AAEC', 'sha512', 'sha1-AAEC']) assert.throws(() => hashOf(wrong), /is no digest of a lock file/)
})

/** The schemas of the standard, as a package has them. */
const schemas = await unpackedPackages([
  {
    registry: 'pypi',
    name: 'cyclonedx-python-lib',
    version: '11.12.0',
    sha256: '0e807521a921a5c3cb8ce1153f8a61d29eedfe76a46aac2796b7c6b573391a54',
  },
])

test('the bill is valid by the published schema', { skip: 'skip' in schemas && schemas.skip }, async () => {
  assert.ok('folders' in schemas)
  const { Ajv } = await import('ajv')
  const read = (name: string) =>
    JSON.parse(readFileSync(join(schemas.folders[0]!, 'cyclonedx/schema/_res', `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of ['spdx', 'jsf-0.82']) {
    const schema = read(name)
    ajv.addSchema({ ...schema, $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` })
  }
  const isValid = ajv.compile(read('bom-1.6'))
  assert.ok(isValid(JSON.parse(JSON.stringify(bom))), ajv.errorsText(isValid.errors))
  assert.equal(isValid({ ...bom, components: [{ type: 'gift', name: 'x' }] }), false)
})
