import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isWeak } from '#shared/protocol/access/key-strength.ts'

test('keys that people make up are weak', () => {
  for (const text of [
    ...['voicestudio12345', 'password12345678', 'MyVoiceStudio2024!', 'sommer2024sommer2025', 'Passwort!Passwort1', 'iloveyou-19870412'],
    ...['qwertyuiop123456', '1qaz2wsx3edc4rfv', '1234567890abcdef', 'letmeinletmein99', 'hunter2hunter2hunter3', 'Tr0ub4dor&3Tr0ub4'],
    ...['2024-11-28T12:00', 'superman!batman!1', 'P@ssw0rd12345678', '0123456789abcdef0123456789abcdef', '31.12.1999-1.1.2000'],
  ])
    assert.ok(isWeak(text), text)
})

test('generated keys and passphrases of many words are strong', () => {
  const generators: readonly (() => string)[] = [
    () => randomBytes(32).toString('hex'),
    () => randomBytes(16).toString('hex'),
    () => randomBytes(32).toString('base64url'),
    () => randomBytes(24).toString('base64'),
    () => crypto.randomUUID(),
  ]
  for (const generate of generators)
    for (let turn = 0; turn < 500; turn++) {
      const text = generate()
      assert.ok(!isWeak(text), text)
    }
  for (const text of ['a-key-of-more-than-sixteen-characters', 'tuba-origami-lemur-quartz-ivory-pencil']) assert.ok(!isWeak(text), text)
})
