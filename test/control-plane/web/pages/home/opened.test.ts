import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opened } from '#control-plane/web/pages/home/opened.ts'

const file = (name: string, type: string, text: () => Promise<string>) => ({ name, type, size: 10, text }) as unknown as File

test('a text that cannot be read is no unhandled failure', async () => {
  const gone = async (): Promise<string> => {
    throw new DOMException('The file could not be read.', 'NotReadableError')
  }
  assert.equal(await opened(file('a.txt', 'text/plain', gone)), null)
})

test('a recording is given back for the person to choose', async () => {
  const film = file('a.mkv', '', async () => '')
  assert.equal(await opened(film), film)
})
