import { test } from 'node:test'
import { mutatedMessages, wireAndDecoderAgree } from './played.ts'

test('no bytes crash, stall or fill the decoders and what looks at their messages', (t) => mutatedMessages(t, 3_200))
test('what is valid passes the count of fields unchanged', (t) => wireAndDecoderAgree(t, 50))
