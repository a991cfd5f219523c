import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { CommitOutcome, Journal } from '#control-plane/store/journal.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'

/** A journal whose answers the test gives, as one behind a network would. */
function open() {
  const batches: { readonly values: string[]; readonly outcome: CommitOutcome; readonly canWait: boolean }[] = []
  const commit: Journal['commit'] = ({ settings }, outcome, canWait = false) =>
    void batches.push({ values: [...settings.values()], outcome, canWait })
  let hurried = 0
  const commits = createGroupCommit({ journal: { commit, hurry: () => void hurried++ } as Journal, log })
  const calls: string[] = []
  const stage = (value: string, canWait?: boolean) =>
    commits.stage({
      ...(canWait && { canWait: () => true }),
      write: ({ settings }) => void settings.set(value, value),
      written: () => void calls.push(`written ${value}`),
      durable: () => void calls.push(`durable ${value}`),
      undo: ({ code }) => void calls.push(`undo ${value} ${code}`),
    })
  const settled = (name: string) =>
    commits.settled().then(
      () => calls.push(`settled ${name}`),
      (error: Failure) => calls.push(`rejected ${name} ${error.code}`),
    )
  return { batches, commits, calls, hurried: () => hurried, stage, settled }
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

test('changes of a hook belong to the batch it runs before, and a defect leaves no batch behind', async () => {
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
  const broken = createGroupCommit({
    journal: {
      commit() {
        throw new Error('constraint')
      },
    } as unknown as Journal,
    log,
  })
  broken.stage({ write() {}, undo: () => assert.fail('a defect is not undone') })
  assert.throws(() => broken.flush(), /constraint/)
  await broken.settled()
})

test('a batch may wait when each of its changes may and no caller waits for it', async () => {
  const { batches, commits, hurried, stage, settled } = open()
  const waits = () => batches.map(({ canWait }) => canWait)
  const next = async () => {
    await turn()
    batches.at(-1)!.outcome.written()
  }
  stage('patient', true)
  await next()
  stage('patient', true)
  stage('other')
  await next()
  stage('patient', true)
  void settled('caller')
  await next()
  stage('patient', true)
  commits.flush()
  await next()
  assert.deepEqual(waits(), [true, false, false, false])
  assert.equal(hurried(), 0)
  void settled('late caller')
  await turn()
  assert.deepEqual([hurried(), waits().length], [1, 4], 'a later caller ends the wait without another batch')
})
