import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '#shared/protocol/failure.ts'
import { defaultCache, homeFolder, isWholePath, readSettings, usualFolder } from '#shared/protocol/settings.ts'

const refused = (env: Record<string, string>): string => {
  try {
    readSettings(env)
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'BAD_REQUEST')
    return error.message
  }
  return assert.fail('nothing was refused')
}

test('by default the studio listens on this machine only', () => {
  assert.deepEqual(readSettings({ HOME: '/h', PATH: '/bin' }), {
    dataDir: '/h/.local/share/voice-studio',
    pool: null,
    host: '127.0.0.1',
    port: 3900,
    isPortSet: false,
    workerBind: '0.0.0.0',
    workerPort: 7443,
    workerEndpointHost: null,
    apiKey: null,
    serverMode: false,
    allowedHosts: [],
    basePath: '',
    allowedOrigins: [],
    trustedNetworks: [],
    wyoming: null,
    logLevel: 'info',
    logFormat: null,
    traceEndpoint: null,
    traceFile: null,
    development: false,
    inspectHosts: false,
    mediaToolsUrl: 'https://github.com',
    previewsUrl: null,
    previewsKey: null,
    communitySources: [],
    modelsUrl: 'https://huggingface.co',
    modelsToken: null,
    modelsCache: '/h/.cache/huggingface/hub',
    workerMode: null,
    inboundNode: null,
    inboundBind: null,
    overrides: {},
    inboundPort: null,
  })
})

test('a pool names its operator and places', () => {
  const pool = { HOME: '/h', STUDIO_ROLE: 'pool', STUDIO_POOL_OPERATOR: 'Example University', STUDIO_POOL_PLACES: 'Germany, France,' }
  assert.deepEqual(readSettings(pool).pool, {
    name: 'Pool',
    operator: 'Example University',
    contact: '',
    places: ['Germany', 'France'],
    readsInputs: true,
  })
  assert.equal(readSettings({ ...pool, STUDIO_POOL_READS_INPUTS: '0' }).pool?.readsInputs, false)
  const lacking = refused({ HOME: '/h', STUDIO_ROLE: 'pool' })
  assert.match(lacking, /STUDIO_POOL_OPERATOR: a pool must name/)
  assert.match(lacking, /STUDIO_POOL_PLACES: a pool must name/)
  for (const name of ['', ' ', 'two\nlines', 'x'.repeat(81)])
    assert.match(refused({ ...pool, STUDIO_POOL_NAME: name }), /STUDIO_POOL_NAME: /)
})

test('engine hosts accept an inspector in development only', () => {
  const inspected = { HOME: '/h', STUDIO_INSPECT: 'hosts', STUDIO_DEVELOPMENT: '1' }
  assert.equal(readSettings(inspected).inspectHosts, true)
  assert.match(refused({ ...inspected, STUDIO_DEVELOPMENT: '0' }), /^ {2}STUDIO_INSPECT: needs STUDIO_DEVELOPMENT=1$/m)
  assert.match(refused({ ...inspected, STUDIO_INSPECT: 'studio' }), /^ {2}STUDIO_INSPECT: must be hosts$/m)
})

test('on Windows folders have a drive or a server, and the data folder is among those of programs', () => {
  for (const path of ['C:\\voice', 'd:/voice', '\\\\attic\\voice']) assert.equal(isWholePath(path, 'win32'), true, path)
  for (const path of ['/voice', '\\voice', 'C:voice', 'voice', 'C:\\a\0', '\\\\\\voice'])
    assert.equal(isWholePath(path, 'win32'), false, path)
  const env = { LOCALAPPDATA: 'C:\\Users\\zoe\\AppData\\Local', USERPROFILE: 'C:\\Users\\zoe', HOME: '/home/zoe', XDG_DATA_HOME: '/data' }
  assert.equal(usualFolder(env, 'win32'), 'C:\\Users\\zoe\\AppData\\Local\\voice-studio')
  assert.equal(usualFolder({ HOME: 'C:\\Users\\zoe' }, 'win32'), null)
  assert.equal(homeFolder(env, 'win32'), 'C:\\Users\\zoe')
  assert.equal(defaultCache(env, 'win32'), 'C:\\Users\\zoe/.cache/huggingface/hub')
  assert.equal(usualFolder({ HOME: '/srv/zoe' }, 'darwin'), '/srv/zoe/.local/share/voice-studio')
})

test('the data folder follows XDG unless it is set', () => {
  const folder = (env: Record<string, string>) => readSettings(env).dataDir
  assert.equal(folder({ XDG_DATA_HOME: '/data', HOME: '/h' }), '/data/voice-studio')
  assert.equal(folder({ XDG_DATA_HOME: 'relative', HOME: '/h' }), '/h/.local/share/voice-studio')
  assert.equal(folder({ STUDIO_DATA_DIR: '/elsewhere', HOME: '/h' }), '/elsewhere')
  assert.match(refused({}), /STUDIO_DATA_DIR: must be set/)
})

test('all problems are reported at once with their names and without values', () => {
  const message = refused({
    HOME: '/h',
    STUDIO_DATA_DIR: 'relative',
    STUDIO_HOST: 'not a host',
    STUDIO_PORT: '65536',
    STUDIO_WORKER_PORT: '-1',
    STUDIO_API_KEY: 'hunter2',
    STUDIO_LOG_LEVEL: 'loud',
    STUDIO_DEVELOPMENT: 'perhaps',
    STUDIO_COLOUR: 'red',
    STUDIO_SHAPE: 'round',
  })
  for (const name of ['DATA_DIR', 'HOST', 'PORT', 'WORKER_PORT', 'API_KEY', 'LOG_LEVEL', 'DEVELOPMENT', 'COLOUR', 'SHAPE'])
    assert.match(message, new RegExp(`^  STUDIO_${name}: \\S`, 'm'))
  assert.equal(message.split('\n').length, 10)
  for (const value of ['hunter2', 'relative', 'not a host', 'loud', 'perhaps', 'red', 'round'])
    assert.equal(message.includes(value), false, value)
})

test('a port is a whole number that exists; 0 lets the system choose', () => {
  const port = (text: string) => readSettings({ HOME: '/h', STUDIO_PORT: text }).port
  assert.deepEqual(['0', '1', '65535'].map(port), [0, 1, 65_535])
  for (const text of ['', ' 1', '1.5', '1e3', '0x10', '65536', '100000']) assert.throws(() => port(text), Failure, text)
})

test('an API key needs a minimum length and header-safe characters', () => {
  const key = (text: string) => readSettings({ HOME: '/h', STUDIO_API_KEY: text }).apiKey
  assert.equal(key('0123456789abcdef'), '0123456789abcdef')
  for (const text of ['', '0123456789abcde', '0123456789 abcdef', 'schlüssel-schlüssel', 'x'.repeat(513)])
    assert.throws(() => key(text), Failure, text)
  for (const text of ['a'.repeat(32), 'passwordpassword', 'abcabcabcabcabcabc', '1122112211221212'])
    assert.match(refused({ HOME: '/h', STUDIO_API_KEY: text }), /STUDIO_API_KEY: is easy to guess/, text)
})

test('trusted networks are networks, and never all addresses', () => {
  const networks = (text: string) => readSettings({ HOME: '/h', STUDIO_TRUSTED_NETWORKS: text }).trustedNetworks
  assert.deepEqual(networks(' 192.168.1.0/24, FD00::/8,10.0.0.7/32 '), ['192.168.1.0/24', 'fd00::/8', '10.0.0.7/32'])
  assert.deepEqual(networks(''), [])
  for (const text of ['192.168.1.0', '192.168.1.0/33', '0.0.0.0/0', '::/0', 'fd00::/129', '192.168.1/24', 'lan/8', '1.2.3.4/-1', ':::/64'])
    assert.throws(() => networks(text), Failure, text)
})

test('the Wyoming port is closed without a number, and serves the networks that are named', () => {
  const wyoming = (env: Record<string, string>) => readSettings({ HOME: '/h', ...env }).wyoming
  assert.equal(wyoming({ STUDIO_WYOMING_HOST: '0.0.0.0' }), null)
  assert.deepEqual(wyoming({ STUDIO_WYOMING_PORT: '10300', STUDIO_WYOMING_NETWORKS: '192.168.1.20/32' }), {
    host: '127.0.0.1',
    port: 10_300,
    networks: ['192.168.1.20/32'],
  })
  for (const text of ['0.0.0.0/0', '::/0', '192.168.1.20'])
    assert.throws(() => wyoming({ STUDIO_WYOMING_PORT: '10300', STUDIO_WYOMING_NETWORKS: text }), Failure, text)
})

test('spans go to an http address without a password or to a file', () => {
  const endpoint = (text: string) => readSettings({ HOME: '/h', STUDIO_TRACE_ENDPOINT: text }).traceEndpoint
  for (const text of ['http://127.0.0.1:4318/v1/traces', 'https://collector.example/v1/traces']) assert.equal(endpoint(text), text)
  for (const text of ['', 'collector:4318', 'file:///etc/passwd', 'grpc://c:1', 'http://me:hunter2@c/v1/traces'])
    assert.throws(() => endpoint(text), Failure, text)
  assert.equal(refused({ HOME: '/h', STUDIO_TRACE_ENDPOINT: 'http://me:hunter2@c/' }).includes('hunter2'), false)
  assert.equal(readSettings({ HOME: '/h', STUDIO_TRACE_FILE: '/var/spans.jsonl' }).traceFile, '/var/spans.jsonl')
  assert.throws(() => readSettings({ HOME: '/h', STUDIO_TRACE_FILE: 'spans.jsonl' }), Failure)
})

test('a flag accepts its words only', () => {
  const on = (text: string) => readSettings({ HOME: '/h', STUDIO_DEVELOPMENT: text }).development
  assert.deepEqual(['1', 'true', 'yes', 'on'].map(on), [true, true, true, true])
  assert.deepEqual(['0', 'false', 'no', 'off', ''].map(on), [false, false, false, false, false])
})

test('variables of other programs are ignored', () => {
  readSettings({ HOME: '/h', STUDIO_NODE: '/opt/node', STUDIOS: '3', studio_port: 'x' })
})

test('lending and listening can be set in the environment, and unset leaves them to the owner', () => {
  const { workerMode, inboundNode, inboundBind, inboundPort } = readSettings({
    HOME: '/h',
    STUDIO_WORKER_MODE: '0',
    STUDIO_INBOUND_NODE: '1',
    STUDIO_INBOUND_BIND: '0.0.0.0',
    STUDIO_INBOUND_PORT: '7500',
  })
  assert.deepEqual([workerMode, inboundNode, inboundBind, inboundPort], [false, true, '0.0.0.0', 7500])
  const message = refused({
    HOME: '/h',
    STUDIO_WORKER_MODE: 'maybe',
    STUDIO_INBOUND_NODE: '2',
    STUDIO_INBOUND_BIND: 'a b',
    STUDIO_INBOUND_PORT: 'x',
  })
  for (const name of ['WORKER_MODE', 'INBOUND_NODE', 'INBOUND_BIND', 'INBOUND_PORT'])
    assert.match(message, new RegExp(`STUDIO_${name}: must be`))
})

test('names and origins are lists, in lower case', () => {
  const { allowedHosts, allowedOrigins } = readSettings({
    HOME: '/h',
    STUDIO_ALLOWED_HOSTS: ' Studio.Lan,host.docker.internal, ',
    STUDIO_ALLOWED_ORIGINS: 'http://localhost:3901,tauri://localhost',
  })
  assert.deepEqual(allowedHosts, ['studio.lan', 'host.docker.internal'])
  assert.deepEqual(allowedOrigins, ['http://localhost:3901', 'tauri://localhost'])
  for (const value of ['*', 'studio.lan:3900', 'https://studio.lan', 'a b', '*.lan'])
    assert.match(refused({ HOME: '/h', STUDIO_ALLOWED_HOSTS: value }), /STUDIO_ALLOWED_HOSTS: must be host names/, value)
  for (const value of ['*', 'null', 'https://studio.lan/', 'https://a@b', 'studio.lan'])
    assert.match(refused({ HOME: '/h', STUDIO_ALLOWED_ORIGINS: value }), /STUDIO_ALLOWED_ORIGINS: must be origins/, value)
})
