import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedUrl, mayHaveToken } from '#shared/download/allowed-url.ts'

test('downloads use https, or http on this machine, and a remote server cannot lead to this machine', () => {
  for (const url of ['https://models.example/x', 'http://127.0.0.1:8080/x', 'http://localhost/x', 'http://[::1]/x'])
    assert.equal(allowedUrl(url).href, url)
  const refused = { code: 'BAD_REQUEST' }
  for (const url of ['http://models.example/x', 'file:///etc/passwd', 'ftp://127.0.0.1/x', 'https://me:word@models.example/', '/x', ''])
    assert.throws(() => allowedUrl(url), refused, url)
  const remote = new URL('https://models.example/a/b')
  assert.equal(allowedUrl('../c', remote).href, 'https://models.example/c')
  for (const url of ['http://127.0.0.1/x', 'https://127.0.0.1/x', 'https://localhost/x', 'http://[::1]/x', 'https://127.1/x'])
    assert.throws(() => allowedUrl(url, remote), refused, url)
  assert.equal(allowedUrl('http://127.0.0.1:1/x', new URL('http://localhost:2/')).port, '1')
})

test('the token goes to its own scheme, host and port only', () => {
  const base = new URL('https://models.example/')
  assert.equal(mayHaveToken(new URL('https://models.example/deep'), base), true)
  for (const url of ['http://models.example/', 'https://models.example:444/', 'https://sub.models.example/'])
    assert.equal(mayHaveToken(new URL(url), base), false, url)
})
