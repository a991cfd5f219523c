import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { CommitOutcome, Journal } from '#control-plane/store/journal.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

/** A journal whose answers the test gives, as one behind a network would. */
function open() {
  const batches: { readonly values: string[]; readonly outcome: CommitOutcome }[] = []
  const commit: Journal['commit'] = ({ settings }, outcome) => void batches.push({ values: [...settings.values()], outcome })
  const clock = createFakeClock()
  const commits = createGroupCommit({ journal: { commit } as Journal, log, clock })
  const calls: string[] = []
  const stage = (value: string, canWait?: boolean) =>
    commits.stage({
      ...(canWait !== undefined && { canWait: () => canWait, held: () => void calls.push(`held ${value}`) }),
      write: ({ settings }) => void settings.set(value, value),
      written: () => void calls.push(`written ${value}`),
      durable: () => void calls.push(`durable ${value}`),
      undo: ({ code }, taskSeq) => void calls.push(`undo ${value} ${code}${taskSeq === null ? '' : ` of ${taskSeq}`}`),
    })
  commits.onFenced(() => void calls.push('fenced'))
  const settled = (name: string) =>
    commits.settled().then(
      () => calls.push(`settled ${name}`),
      (error: Failure) => calls.push(`rejected ${name} ${error.code}`),
    )
  return { batches, clock, commits, calls, stage, settled }
}
const full = new Failure('STORAGE_FULL', 'The disk is full.')

test('while a batch is being written, the changes that follow gather in one next batch', async () => {
  const { batches, commits, calls, stage, settled } = open()
  stage('a')
  stage('b')
  void settled('first')
  await turn()
  stage('c')
  commits.flush()
  await turn()
  stage('d')
  await turn()
  assert.deepEqual(
    batches.map(({ values }) => values),
    [['a', 'b']],
  )
  batches[0]!.outcome.written()
  await turn()
  assert.deepEqual(
    batches.map(({ values }) => values),
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  )
  assert.deepEqual(calls, ['written a', 'written b'], 'nothing is settled before it is durable')
  batches[0]!.outcome.durable()
  await turn()
  assert.deepEqual(calls.slice(2), ['durable a', 'durable b', 'settled first'])
})

test('a refused batch is undone together with everything staged since, the newest first', async () => {
  const { batches, calls, stage, settled } = open()
  stage('a')
  void settled('first')
  await turn()
  stage('b')
  stage('c')
  void settled('second')
  batches[0]!.outcome.failed(full)
  await turn()
  assert.deepEqual(calls, [
    'undo c STORAGE_FULL',
    'undo b STORAGE_FULL',
    'undo a STORAGE_FULL',
    'rejected first STORAGE_FULL',
    'rejected second STORAGE_FULL',
  ])
  stage('d')
  await turn()
  assert.deepEqual(
    batches.slice(1).map(({ values }) => values),
    [['d']],
  )
})

test('a batch that was written stays when the one after it is refused', async () => {
  const { batches, calls, stage, settled } = open()
  stage('a')
  void settled('first')
  await turn()
  batches[0]!.outcome.written()
  stage('b')
  await turn()
  batches[1]!.outcome.failed(full)
  batches[0]!.outcome.durable()
  await turn()
  assert.deepEqual(calls, ['written a', 'undo b STORAGE_FULL', 'durable a', 'settled first'])
})

test('a caller that staged nothing waits for the batches before it', async () => {
  const { batches, calls, stage, settled } = open()
  await settled('idle')
  stage('a')
  await turn()
  batches[0]!.outcome.written()
  void settled('waiting')
  await turn()
  await turn()
  assert.deepEqual(calls, ['settled idle', 'written a'])
  batches[0]!.outcome.durable()
  await turn()
  assert.deepEqual(calls.slice(2), ['durable a', 'settled waiting'])
})

test('changes of a hook belong to the batch it runs before', async () => {
  const { batches, commits, stage } = open()
  let isHooked = false
  commits.beforeCommit(() => {
    if (!isHooked) stage('hook')
    isHooked = true
  })
  stage('a')
  await turn()
  assert.deepEqual(batches[0]!.values, ['a', 'hook'])
  batches[0]!.outcome.written()
})

test('a change that cannot be written undoes its batch, and the next batch is written', async () => {
  const { batches, commits, calls, stage, settled } = open()
  stage('a')
  commits.stage({
    write() {
      throw new Error('a value without a row')
    },
    undo: ({ code, message }) => void calls.push(`undo defect ${code} ${message}`),
  })
  void settled('first')
  commits.flush()
  await turn()
  assert.deepEqual(calls, ['undo defect INTERNAL a value without a row', 'undo a INTERNAL', 'rejected first INTERNAL'])
  stage('b')
  void settled('second')
  await turn()
  assert.deepEqual(
    batches.map(({ values }) => values),
    [['b']],
  )
  batches[0]!.outcome.written()
  batches[0]!.outcome.durable()
  await turn()
  assert.deepEqual(calls.slice(3), ['written b', 'durable b', 'settled second'])
})

/** Input of the journal: in the order of the batches, a batch as one text. */
const given = ({ batches }: ReturnType<typeof open>) => batches.map(({ values }) => values.join(' '))

test('changes that can wait are written with the next batch of their store, and undone with it', async () => {
  const opened = open()
  const { batches, calls, stage } = opened
  stage('a', true)
  await turn()
  stage('b', true)
  await turn()
  assert.deepEqual([given(opened), calls], [[], ['held a', 'held b']])
  stage('c', false)
  await turn()
  assert.deepEqual(given(opened), ['a b c'])
  batches[0]!.outcome.written()
  batches[0]!.outcome.durable()
  assert.deepEqual(calls.slice(2), ['written a', 'written b', 'written c', 'durable a', 'durable b', 'durable c'])
  stage('d', true)
  await turn()
  stage('e', false)
  await turn()
  batches[1]!.outcome.failed(full)
  assert.deepEqual(calls.slice(8), ['held d', 'undo e STORAGE_FULL', 'undo d STORAGE_FULL'])
})

test('changes that wait are written without others after 5 ms, or at once for a caller or at the end', async () => {
  const opened = open()
  const { batches, clock, commits, stage, settled } = opened
  const next = async (value: string) => {
    stage(value, true)
    await turn()
    assert.equal(given(opened).includes(value), false)
  }
  const isWritten = async (value: string) => {
    await turn()
    assert.equal(given(opened).at(-1), value)
    batches.at(-1)!.outcome.written()
  }
  await next('a')
  clock.advance(4)
  await next('b')
  assert.deepEqual(given(opened), [])
  clock.advance(1)
  await isWritten('a b')
  await next('c')
  void settled('caller')
  await isWritten('c')
  await next('d')
  commits.flush()
  await isWritten('d')
  stage('e', true)
  void settled('caller of the same turn')
  await isWritten('e')
  clock.advance(60_000)
  await turn()
  assert.equal(batches.length, 4, 'no batch without a change')
})

test('changes that wait are written before those of another store, in a batch of their own', async () => {
  const opened = open()
  const { batches, calls, stage, settled } = opened
  stage('task', true)
  await turn()
  stage('next task', true)
  stage('other store')
  void settled('caller')
  await turn()
  assert.deepEqual(given(opened), ['task'])
  batches[0]!.outcome.written()
  await turn()
  assert.deepEqual(given(opened), ['task', 'next task other store'])

  const second = open()
  second.stage('task', true)
  await turn()
  second.stage('other store')
  void second.settled('caller')
  await turn()
  second.batches[0]!.outcome.failed(full)
  await turn()
  assert.deepEqual(second.calls, ['held task', 'undo other store STORAGE_FULL', 'undo task STORAGE_FULL', 'rejected caller STORAGE_FULL'])
  assert.deepEqual([given(second), calls.includes('settled caller')], [['task'], false])
})

test('a row that is refused undoes its batch with INTERNAL and the number of its task', async () => {
  const { batches, calls, stage, settled } = open()
  stage('a')
  void settled('first')
  await turn()
  stage('b')
  batches[0]!.outcome.defect(new Error('not unique'), 7)
  await turn()
  assert.deepEqual(calls, ['undo b INTERNAL of 7', 'undo a INTERNAL of 7', 'rejected first INTERNAL'])
})

test('nothing is written behind a batch whose answer is lost until it is known', async () => {
  const opened = open()
  const { batches, clock, commits, calls, stage, settled } = opened
  stage('a')
  void settled('first')
  await turn()
  const resolve = batches[0]!.outcome.unknown()
  stage('b')
  stage('later', true)
  void settled('second')
  commits.flush()
  clock.advance(60_000)
  await turn()
  assert.deepEqual([given(opened), calls], [['a'], []])
  resolve(true)
  await turn()
  assert.deepEqual(given(opened), ['a', 'b later'])
  assert.deepEqual(calls, ['written a', 'durable a', 'settled first'])

  const again = batches[1]!.outcome.unknown()
  again(false)
  await turn()
  assert.deepEqual(given(opened), ['a', 'b later', 'b later'], 'the same batch, once more')
  batches[2]!.outcome.failed(full)
  await turn()
  assert.deepEqual(calls.slice(3), ['undo later STORAGE_FULL', 'undo b STORAGE_FULL', 'rejected second STORAGE_FULL'])
  stage('c')
  await turn()
  assert.equal(given(opened).at(-1), 'c')
})

test('a journal that another process has taken over from ends all writes, and nothing is put back', async () => {
  const opened = open()
  const { batches, clock, commits, calls, stage, settled } = opened
  stage('a')
  void settled('first')
  await turn()
  const resolve = batches[0]!.outcome.unknown()
  stage('b')
  void settled('second')
  batches[0]!.outcome.fenced()
  await turn()
  assert.deepEqual(calls, ['fenced', 'rejected first NOT_READY', 'rejected second NOT_READY'])
  resolve(false)
  stage('c')
  stage('d', true)
  await settled('third')
  commits.flush()
  clock.advance(60_000)
  await turn()
  assert.deepEqual([given(opened), calls.slice(3)], [['a'], ['rejected third NOT_READY']])

  const waiting = open()
  waiting.stage('held', true)
  await turn()
  waiting.stage('other store')
  await turn()
  waiting.batches[0]!.outcome.fenced()
  waiting.clock.advance(60_000)
  await turn()
  assert.deepEqual([given(waiting), waiting.calls], [['held'], ['held held', 'fenced']])
})
