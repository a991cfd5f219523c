// schemathesis: random requests to every operation of the description, and whether the answers are as described.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { pythonWith } from '#test/support/python/python-packages.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const EXAMPLES = 3
const SEED = 37
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
/** Operations without requests, by the reason. */
const LEFT_OUT = {
  'The answer has no end: schemathesis would read it until its time is over.': [
    'system.followLog',
    'models.followDownloads',
    'workers.followEvents',
    'workers.followLogs',
  ],
  'A WebSocket: schemathesis has none.': ['dictation.transcribeLive', 'jobs.followChanges', 'speech.speakLive'],
  'schemathesis has read it before, and sends it no other requests.': ['docs.readDescription'],
  'It downloads, or connects to other machines.': [
    'dubbing.ingestUrl',
    'engines.installSidecar',
    'engines.installSonitranslate',
    'engines.installTranslation',
    'engines.startSonitranslate',
    'gallery.downloadClip',
    'gallery.searchVideos',
    'marketplace.install',
    'media.acquireTools',
    'media.restoreTool',
    'media.restoreYtdlp',
    'media.updateYtdlp',
    'models.install',
    'recognition.testEndpoint',
    'settings.testHubMirror',
    'settings.testLlmProvider',
    'setup.warmUp',
    'workers.connect',
    'workers.joinStudio',
  ],
  'It ends, restarts or moves parts of the studio, or opens a port.': [
    'settings.chooseModelsDir',
    'settings.rotateKey',
    'system.disableNetwork',
    'system.disableTailscale',
    'system.enableNetwork',
    'system.enableTailscale',
    'system.setVariable',
    'workers.rotateAuthority',
    'workers.setEnabled',
    'workers.setInbound',
    'workers.setLending',
  ],
  'It opens a window on this machine.': ['library.revealFile'],
}
/** Described: a program, an engine or a place that is missing, and a full disk. */
const EXPECTED = ['2xx', '3xx', '4xx', '501', '503', '507']

type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, { readonly content?: object }>> }
type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }
const found = await pythonWith(['schemathesis==4.32.5'])

test('every operation answers as its description says', { skip: 'skip' in found ? found.skip : false }, async (t) => {
  assert.ok('python' in found)
  const world = await openWorld(t)
  const { paths } = (await world.get('/openapi.json')).json() as Description
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const leftOut = Object.values(LEFT_OUT).flat()
  for (const id of leftOut)
    assert.ok(
      operations.some(({ operationId }) => operationId === id),
      `There is no operation ${id}.`,
    )
  // In OpenAPI 3.1 the schema is that of the whole stream, which is a text; schemathesis compares it with each event.
  const streams = operations.filter(({ responses }) => Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content))
  const folder = temporaryFolder(t)
  const list = (ids: readonly string[]) => JSON.stringify(ids)
  writeFileSync(
    join(folder, 'schemathesis.toml'),
    `[checks]
enabled = false
${CHECKS.map((check) => `${check}.enabled = true`).join('\n')}
not_a_server_error.expected-statuses = ${list(EXPECTED)}
[[operations]]
include-operation-id = ${list(streams.map(({ operationId }) => operationId))}
checks.response_schema_conformance.enabled = false
[[operations]]
include-operation-id = ${list(leftOut)}
enabled = false
`,
  )
  const flags = [
    '--no-color',
    '--no-shrink',
    '--continue-on-failure',
    '--warnings=off',
    '--suppress-health-check=filter_too_much',
    '--max-redirects=0',
    '--request-timeout=60',
  ]
  const scope = [`--max-examples=${EXAMPLES}`, `--seed=${SEED}`, '--phases=examples,fuzzing']
  const program = ['-m', 'schemathesis.cli', '--config-file', 'schemathesis.toml', 'run', `${world.url}/openapi.json`, ...flags, ...scope]
  const env = { PATH: `${dirname(found.python)}:${process.env['PATH']}`, HOME: folder }
  const printed = await promisify(execFile)(found.python, program, { cwd: folder, env, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => assert.fail(`${error.stdout}${error.stderr}`),
  )
  const [, tested] = /Tested: (\d+)/.exec(printed) ?? []
  assert.equal(Number(tested), operations.length - leftOut.length, printed)
  assert.equal((await world.get('/health')).status, 200)
})
