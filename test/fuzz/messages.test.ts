import { test } from 'node:test'
import { mutatedMessages, wireAndDecoderAgree } from './properties.ts'

test('no bytes crash, stall or exhaust the decoders and their consumers', (t) => mutatedMessages(t, 1_600))
test('valid messages pass the field count unchanged', (t) => wireAndDecoderAgree(t, 25))
