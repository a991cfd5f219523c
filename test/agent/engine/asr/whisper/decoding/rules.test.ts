// The rules for the next token, compared with the cases of the reference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyRules } from '#agent/engine/asr/whisper/decoding/rules.ts'

const END = 3
const BEGIN = 8
const STAMPS = 1501
const vocabulary = { endOfText: END, timestampBegin: BEGIN }
const at = (seconds: number) => BEGIN + Math.round(seconds * 50)
const WORD = 1

/** Ids that may follow `tokens`, where `likely` has the highest logit. */
function allowed(
  tokens: readonly number[],
  likely = WORD,
): { words: boolean; end: boolean; special: boolean; stamps: [number, number] | null } {
  const logits = new Float32Array(BEGIN + STAMPS)
  logits[likely] = 20
  applyRules(logits, tokens, vocabulary)
  const may = (id: number) => logits[id] !== Number.NEGATIVE_INFINITY
  const stamps = [...logits.keys()].filter((id) => id >= BEGIN && may(id))
  return {
    words: may(WORD),
    end: may(END),
    special: [4, 5, 6, 7].some(may),
    stamps: stamps.length === 0 ? null : [stamps[0]! - BEGIN, stamps.at(-1)! - BEGIN],
  }
}

test('the first token is a timestamp of at most one second', () => {
  assert.deepEqual(allowed([]), { words: false, end: false, special: false, stamps: [0, 50] })
})

test('text or the end follows the first timestamp and the second one of a pair', () => {
  for (const tokens of [[at(0)], [at(0), WORD, at(1), at(1.02)]])
    assert.deepEqual(allowed(tokens), { words: true, end: true, special: false, stamps: null })
})

test('a sentence ends at least one step after its start, and the next one starts no earlier than that', () => {
  assert.deepEqual(allowed([at(0), WORD]).stamps, [1, 1500])
  assert.deepEqual(allowed([at(0), WORD, at(2), at(2.5), WORD]).stamps, [126, 1500])
  assert.deepEqual(allowed([at(0), WORD, at(2)], at(2)), { words: false, end: false, special: false, stamps: [100, 1500] })
  assert.deepEqual(allowed([at(0), WORD, at(2)], END), { words: false, end: true, special: false, stamps: [100, 1500] })
})

test('a timestamp follows if all timestamps together are likelier than any other token', () => {
  const logits = new Float32Array(BEGIN + STAMPS)
  logits[WORD] = 7
  applyRules(logits, [at(0), WORD], vocabulary)
  // The logarithm of 1,500 timestamps of logit 0 is 7.3.
  assert.equal(logits[WORD], Number.NEGATIVE_INFINITY)
  logits.fill(0)
  logits[WORD] = 7.4
  applyRules(logits, [at(0), WORD], vocabulary)
  assert.equal(logits[WORD], Math.fround(7.4))
})

test('for any preference of the network, timestamps ascend and some token is always allowed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(BEGIN + STAMPS - 1), { minLength: 1, maxLength: 40 }), (preferred) => {
      const tokens: number[] = []
      for (const likely of preferred) {
        const logits = new Float32Array(BEGIN + STAMPS)
        logits[likely] = 30
        applyRules(logits, tokens, vocabulary)
        const best = logits.indexOf(Math.max(...logits))
        assert.notEqual(logits[best], Number.NEGATIVE_INFINITY)
        if (best === END) break
        tokens.push(best)
      }
      const stamps = tokens.filter((token) => token >= BEGIN)
      for (const [index, stamp] of stamps.entries()) {
        if (index === 0) assert.ok(stamp <= BEGIN + 50)
        // Ends are the odd ones.
        else assert.ok(index % 2 === 1 ? stamp > stamps[index - 1]! : stamp >= stamps[index - 1]!, stamps.join())
      }
    }),
    { numRuns: 60 },
  )
})
