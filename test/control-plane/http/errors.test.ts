import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromServer, replyFor } from '#control-plane/http/contract/errors.ts'
import { withPublicError } from '#control-plane/http/contract/public-error.ts'
import { FAILURES, Failure, type FailureCode } from '#shared/protocol/failure.ts'

test('every failure has the status and the hint of its row', () => {
  for (const code of Object.keys(FAILURES) as FailureCode[]) {
    const { status, headers, body } = replyFor(new Failure(code, 'the disk of /srv is full'))
    assert.equal(status, FAILURES[code].http)
    const isSaid = ['INVALID_REQUEST', 'BAD_REQUEST', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'].includes(code)
    assert.equal(body['hint'], isSaid ? undefined : FAILURES[code].hint, 'a hint that adds nothing to the message is not sent')
    assert.equal(body['detail'], code === 'UNKNOWN' ? 'An unexpected error occurred in the studio.' : 'the disk of /srv is full')
    assert.equal('retry-after' in headers, status === 429 || status === 503, code)
  }
})

test('routes of the public API send an error object beside the detail', () => {
  const bodyOf = (failure: Failure, url = '/v1/audio/speech?x=1') => withPublicError(url, failure.code, replyFor(failure)).body
  const failure = new Failure('BAD_REQUEST', 'Unknown model.')
  assert.deepEqual(bodyOf(failure)['error'], { message: 'Unknown model.', type: 'invalid_request_error', param: null, code: 'bad_request' })
  assert.equal(bodyOf(failure)['detail'], 'Unknown model.')
  assert.ok(!('error' in bodyOf(failure, '/generate?next=/v1/')))
  const invalid = [{ type: 'missing', loc: ['body', 'input', 0], msg: 'Field required', input: null }, { msg: 'and another' }]
  assert.deepEqual(bodyOf(new Failure('INVALID_REQUEST', 'x', { detail: invalid }))['error'], {
    message: 'input.0: Field required (and 1 more)',
    type: 'invalid_request_error',
    param: 'input.0',
    code: 'invalid_request',
  })
  const missing = { error: 'asr_model_missing', message: 'Install one.' }
  assert.deepEqual(bodyOf(new Failure('MODEL_NOT_INSTALLED', 'x', { detail: missing }))['error'], {
    message: 'Install one.',
    type: 'invalid_request_error',
    param: null,
    code: 'asr_model_missing',
  })
  const types = (['UNAUTHORIZED', 'FORBIDDEN', 'QUEUE_FULL', 'UNKNOWN', 'NOT_READY'] as const).map(
    (code) => (bodyOf(new Failure(code, 'the disk of /srv'))['error'] as { type: string }).type,
  )
  assert.deepEqual(types, ['authentication_error', 'permission_error', 'rate_limit_error', 'server_error', 'server_error'])
  assert.ok(!JSON.stringify(bodyOf(new Failure('UNKNOWN', 'the disk of /srv'))).includes('/srv'))
  const odd = bodyOf(new Failure('CONFLICT', 'x', { detail: { task_id: 1 } }))['error'] as { message: string }
  assert.equal(odd.message, FAILURES.CONFLICT.hint)
})

test('retryable failures are marked, and a failure may set retry-after', () => {
  assert.deepEqual(replyFor(new Failure('NOT_READY', '')).headers, { 'retry-after': '30', 'x-svc-retryable': 'true' })
  assert.deepEqual(replyFor(new Failure('PINNED_WORKER_EXHAUSTED', '')).headers, { 'retry-after': '30' })
  assert.equal(replyFor(new Failure('QUEUE_FULL', '', { retryAfterSeconds: 5 })).headers['retry-after'], '5')
})

test('a detail stands beside the code, and names and figures of the failure', () => {
  assert.deepEqual(replyFor(new Failure('INVALID_REQUEST', 'words', { detail: [{ type: 'missing' }] })).body, {
    detail: [{ type: 'missing' }],
    code: 'INVALID_REQUEST',
  })
  const { body } = replyFor(new Failure('QUEUE_FULL', 'words', { retryAfterSeconds: 5, values: { limit: 3 } }))
  assert.deepEqual(body['values'], { limit: 3, seconds: 5 })
})

test('unexpected errors are not described to clients', () => {
  const { body, status } = replyFor(fromServer(new TypeError('cannot read /srv/jane/secret')))
  assert.equal(status, 500)
  assert.equal(JSON.stringify(body).includes('jane'), false)
  assert.equal(body['error_class'], 'UNKNOWN')
})

test('errors of the server library become failures', () => {
  const code = (fields: object) => fromServer(Object.assign(new Error('m'), fields)).code
  assert.equal(fromServer(new SyntaxError('Unexpected end')).code, 'INVALID_REQUEST')
  assert.equal(code({ code: 'FST_ERR_CTP_INVALID_JSON_BODY' }), 'INVALID_REQUEST')
  assert.equal(code({ code: 'FST_ERR_CTP_EMPTY_JSON_BODY' }), 'INVALID_REQUEST')
  assert.equal(code({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' }), 'BODY_TOO_LARGE')
  assert.equal(code({ code: 'FST_REQ_FILE_TOO_LARGE' }), 'BODY_TOO_LARGE')
  assert.equal(code({ statusCode: 413 }), 'BODY_TOO_LARGE')
  assert.equal(code({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }), 'BAD_REQUEST')
  assert.equal(code({ statusCode: 404 }), 'BAD_REQUEST')
  assert.equal(code({ statusCode: 500 }), 'UNKNOWN')
  const path = `/${'x'.repeat(3_000)}`
  for (const [known, expected] of [
    ['FST_ERR_MAX_PARAM_LENGTH', 'NOT_FOUND'],
    ['FST_ERR_BAD_URL', 'BAD_REQUEST'],
  ] as const) {
    const failure = fromServer(Object.assign(new URIError(`'${path}' is wrong`), { code: known, statusCode: 400 }))
    assert.equal(failure.code, expected)
    assert.ok(!failure.message.includes(path), 'the message repeats the path')
  }
  const own = new Failure('CONFLICT', 'stays')
  assert.equal(fromServer(own), own)
})
